import { randomUUID } from 'node:crypto';
import { matchesPattern } from '@datadeck/contract';
import type {
  ConnectorDocument,
  DocumentConnectField,
  DocumentField,
} from '@datadeck/contract/connector-document';
import { keysBeside, usedFields } from '../form-values.ts';
import { PAGE_SIZE } from './stand-in-list.ts';

/** Returns a value for a field of a form: a secret of its own, its default, its example, or a made-up text. */
function valueFor({
  defaultValue,
  placeholder,
  pattern,
  required,
  hidden = false,
}: DocumentConnectField): string {
  if (hidden) return `proof-${randomUUID()}`;
  const fits = (text: string) => text !== '' && (pattern === '' || matchesPattern(text, pattern));
  return [defaultValue, placeholder].find(fits) ?? (required ? 'proof' : '');
}

/** Returns a value for each field of a form. */
export function valuesFor(fields: readonly DocumentConnectField[]): Record<string, string> {
  return Object.fromEntries(fields.map((field) => [field.name, valueFor(field)]));
}

/** A secret that a person enters, for documents that get theirs on a page of the service. */
const ENTERED_SECRET: DocumentField = {
  name: 'secret',
  label: 'Secret',
  tip: '',
  required: true,
  pattern: '',
  placeholder: '',
  errorText: '',
  defaultValue: '',
};

/** Returns an authentication that sends the secret itself: tokens would be requested from the real service. */
function withoutExchange({
  authentication,
  connect,
}: ConnectorDocument): ConnectorDocument['authentication'] {
  const names = connect.fields.map(({ name }) => name);
  // Where the secret itself is a key, too, the proof sends it once.
  const others = keysBeside(authentication).filter(({ field }) => names.includes(field));
  switch (authentication.kind) {
    case 'client-credentials':
    case 'refresh-token':
    case 'oauth-code':
      return others.length > 0
        ? { kind: 'api-key', in: 'header', name: 'authorization', prefix: 'Bearer ', others }
        : { kind: 'bearer' };
    case 'session-token': {
      const { in: place = 'header', name, prefix } = authentication;
      return { kind: 'api-key', in: place, name, prefix, ...(others.length > 0 && { others }) };
    }
    default:
      return authentication;
  }
}

/**
 * Returns a document that only the stand-in is asked for, whose pages are as small as those of the stand-in, and whose entities have
 * only the first of their parts: one recorded answer shows nothing of the others.
 */
export function provableDocument(document: ConnectorDocument): ConnectorDocument {
  const entities = document.entities.map(({ parts, ...entity }) => ({
    ...entity,
    ...('size' in entity.pagination && { pagination: { ...entity.pagination, size: PAGE_SIZE } }),
    ...(parts !== undefined && { parts: `(${parts}\n)[0]` }),
  }));
  const { secret } = document.connect;
  const hasPage = document.authentication.kind === 'oauth-code';
  const authentication = withoutExchange(document);
  const named = usedFields(authentication);
  const connect = {
    ...document.connect,
    // Requests for tokens, which are not sent, are the only ones with the other secrets.
    fields: document.connect.fields.filter(({ name, hidden }) => !hidden || named.includes(name)),
    ...(hasPage && { secret: secret ?? ENTERED_SECRET }),
  };
  return { ...document, authentication, connect, entities };
}
