import type { ConnectorDocument, DocumentEntity } from '@datadeck/contract/connector-document';
import { documentWords } from '../../src/declarative/builder/document-words.ts';
import type { RecordedAnswer } from '../../src/declarative/builder/recorded-answer.ts';
import { requestFingerprint } from '../../src/declarative/builder/request-fingerprint.ts';
import { DocumentEvaluator } from '../../src/declarative/document-evaluator.ts';
import type { Variables } from '../../src/declarative/document-task.ts';
import { receiveRecords, withoutEndSlashes } from '../../src/sdk/index.ts';
import type { StandIn } from '../conformance/index.ts';

/** Elements of a list that a recording keeps. */
const MOST_ELEMENTS = 20;

/** Cuts the lists of a value. @param lengths gets the lengths that they had */
function cut(value: unknown, lengths: Record<string, number>, place: (string | number)[] = []): unknown {
  if (Array.isArray(value)) {
    if (value.length > MOST_ELEMENTS) lengths[JSON.stringify(place)] = value.length;
    return value.slice(0, MOST_ELEMENTS).map((inner, index) => cut(inner, lengths, [...place, index]));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, cut(inner, lengths, [...place, name])]),
  );
}

/** Returns recordings as those of a document: as if it had been tried with them. */
export function recordedFor(
  document: ConnectorDocument,
  recordings: readonly RecordedAnswer[],
): RecordedAnswer[] {
  return recordings.map((recording) => {
    const { entity } = recording;
    const { texts, numbers, names } = documentWords(document, entity);
    const fingerprint = requestFingerprint(document, entity);
    return { ...recording, fingerprint, words: [...texts, ...names], numbers: [...numbers] };
  });
}

/** Records the first answer of an entity of a stand-in, after those of its parents. */
async function recordEntity(
  document: ConnectorDocument,
  entity: DocumentEntity,
  { evaluator, standIn, variables }: { evaluator: DocumentEvaluator; standIn: StandIn; variables: Variables },
): Promise<{ recording: RecordedAnswer; first: string }> {
  const parent = document.entities.find(({ id }) => id === entity.parent);
  const above = parent && (await recordEntity(document, parent, { evaluator, standIn, variables }));
  const own = { ...variables, ...(above && { parent: above.first }) };
  const { path, query, headers, body } = await evaluator.firstRequest(entity.id, own);
  const access = standIn.connector.accessOf?.(standIn.credentials);
  const base = withoutEndSlashes(access?.apiUrl ?? '');
  const url = new URL(/^https?:/.test(path) ? path : `${base}${path}`);
  for (const [name, value] of Object.entries({ ...query, ...access?.query }))
    url.searchParams.set(name, value);
  const answer = await fetch(url, {
    method: body === null ? 'GET' : 'POST',
    headers: { ...headers, ...access?.headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const given = Object.fromEntries(answer.headers);
  const whole = await answer.text();
  const lengths: Record<string, number> = {};
  const text = entity.request.decode === 'json' ? JSON.stringify(cut(JSON.parse(whole), lengths)) : whole;
  const bytes = new Uint8Array(Buffer.from(text));
  const request = { path, query, headers, body };
  const page = await evaluator.page(entity.id, request, { bytes, headers: given }, own);
  const [first] = 'failedBody' in page ? [] : receiveRecords(page.records);
  const recording = {
    entity: entity.id,
    fingerprint: '',
    words: [],
    numbers: [],
    hasReplacedNames: false,
    status: answer.status,
    headers: given,
    text,
    lengths,
  };
  return { recording, first: first?.data.toString() ?? '' };
}

/**
 * Records the first answer of each entity, as *Try* does but with the values of the stand-in.
 * @param what the settings of the entities, and which one; default all
 */
export async function recordAnswers(
  document: ConnectorDocument,
  standIn: StandIn,
  { settings, entity: only }: { settings: Readonly<Record<string, string>>; entity?: string },
): Promise<RecordedAnswer[]> {
  const evaluator = new DocumentEvaluator(document);
  const { fields = {} } = standIn.credentials;
  const variables: Variables = { config: fields, settings, now: new Date().toISOString() };
  try {
    const recorded: RecordedAnswer[] = [];
    for (const entity of document.entities)
      if (only === undefined || entity.id === only)
        recorded.push((await recordEntity(document, entity, { evaluator, standIn, variables })).recording);
    return recordedFor(document, recorded);
  } finally {
    evaluator.end();
  }
}
