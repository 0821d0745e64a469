import { createHash } from 'node:crypto';
import type {
  ConnectorDocument,
  DocumentEntity,
  DocumentRequest,
} from '@datadeck/contract/connector-document';
import { firstNumber } from '../page-numbers.ts';
import { IDENTITY } from './recorded-answer.ts';

const sorted = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));

function partsOf({ path, query, headers, body, method, bodyFormat }: DocumentRequest): unknown[] {
  // Recordings of documents without method and format stay valid.
  const isForm = bodyFormat === 'form';
  return [
    path,
    sorted(query),
    sorted(headers),
    body ?? null,
    ...(method ? [method] : []),
    ...(isForm ? ['form'] : []),
  ];
}

/** Returns what the request of a first page adds: its number and its size. */
function firstPageOf({ pagination }: DocumentEntity): unknown {
  if (pagination.kind !== 'page' && pagination.kind !== 'offset') return null;
  const { parameter, sizeParameter, size, in: place = 'query', sendFirst = true } = pagination;
  return [
    parameter,
    firstNumber(pagination),
    ...(sizeParameter === undefined ? [] : [sizeParameter, size]),
    // Recordings of documents without them stay valid.
    ...(place === 'query' ? [] : [place]),
    ...(sendFirst ? [] : [sendFirst]),
  ];
}

/**
 * Returns a hash of everything in a document that decides which first request of an entity is sent: its base address, request
 * and first page, and for its parents also which records they yield. Documents with the same hash send the same request.
 * @param id of the entity; `identity` for the request about the account
 */
export function requestFingerprint(document: ConnectorDocument, id: string): string {
  const parts: unknown[] = [document.baseUrl];
  const { identity, entities } = document;
  const isIdentity = id === IDENTITY;
  if (isIdentity && identity) parts.push(partsOf(identity.request));
  let entity = isIdentity ? undefined : entities.find((one) => one.id === id);
  for (let depth = 0; entity && depth < entities.length; depth++) {
    const { request, records, add, parent, parts: partsOfEntity } = entity;
    if (partsOfEntity !== undefined) parts.push(partsOfEntity);
    parts.push(partsOf(request), firstPageOf(entity), ...(depth > 0 ? [records, sorted(add)] : []));
    entity = entities.find((one) => one.id === parent);
  }
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
