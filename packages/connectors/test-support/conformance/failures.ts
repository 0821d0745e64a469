import { expect, test } from 'vitest';
import type { ConnectorRecord, EntityDefinition } from '../../src/sdk/connector.ts';
import type { JsonObject } from '../../src/sdk/json.ts';
import { storableDocument } from '../../src/sdk/storable.ts';
import type { ColumnDefinition, ColumnValue } from '../../src/sdk/table.ts';
import { idsOf, LONG_TIMEOUT_MS, SHORT_TIMEOUT_MS } from './reading.ts';
import type { Stage } from './stage.ts';

const LIMIT = 12;
const ALWAYS = { times: Number.POSITIVE_INFINITY };
/** Uses a short idle timeout only for the stalled stream; other responses may be slow on a busy machine. */
const idleTimeoutOf = (name: string) => (name === 'stalled-stream' ? SHORT_TIMEOUT_MS : LONG_TIMEOUT_MS);

/** Tests of faults between the provider and the connector. */
export function testFailures(stage: Stage): void {
  const { subject } = stage;
  const { exempt = {} } = subject;

  // @covers authorisation.token-refused-between
  test('tokens that run out are renewed once, however many requests were refused', async ({ skip }) => {
    skip(exempt['token-renewal'] !== undefined, exempt['token-renewal']);
    const { ids } = stage;
    stage.standIn.expireTokens?.();
    const { pages, refreshes } = await stage.reader.run();
    expect(idsOf(pages)).toEqual(ids);
    expect(refreshes).toBe(1);
  });

  // @covers authorisation.token-refused-between
  test('a token that is refused again after its renewal ends in reauthorise', async () => {
    stage.standIn.inject({ name: 'token-expired', ...ALWAYS });
    const before = stage.reader.refreshes;
    expect(await stage.reader.failure()).toBe('reauthorise');
    expect(stage.reader.refreshes - before).toBe(1);
  });

  // @covers transport.redirect
  test.skipIf(exempt.redirects)(
    'a redirect to another host is refused, and no request goes there',
    async () => {
      stage.standIn.inject({ name: 'redirect', location: 'http://localhost:9/elsewhere', ...ALWAYS });
      expect(await stage.reader.failure()).toBe('malformed');
    },
  );

  // @covers transport.latency (latency on the first and on a later request is survived)
  // @covers transport.500 (http-500 on the first and on a later request is survived)
  // @covers transport.502 (http-502 on the first and on a later request is survived)
  // @covers transport.503 (http-503 on the first and on a later request is survived)
  // @covers transport.504 (http-504 on the first and on a later request is survived)
  // @covers transport.html-error (html-error-body on the first and on a later request is survived)
  // @covers transport.html-place-json (html-instead-of-json on the first and on a later request is survived)
  // @covers transport.reset-before-answer (connection-reset on the first and on a later request is survived)
  // @covers transport.reset-middle-body (reset-mid-body on the first and on a later request is survived)
  // @covers transport.truncated-json (truncated-json on the first and on a later request is survived)
  // @covers transport.invalid-json (invalid-json on the first and on a later request is survived)
  // @covers transport.empty-body (empty-body on the first and on a later request is survived)
  // @covers transport.stalled-stream (stalled-stream on the first and on a later request is survived)
  // @covers transport.content-length-too (content-length-too-long on the first and on a later request is survived)
  // @covers transport.content-length-too-short (content-length-too-short on the first and on a later request is survived)
  // @covers transport.broken-gzip (broken-gzip on the first and on a later request is survived)
  // @covers transport.redirects-without-end (redirect-loop on the first and on a later request is survived)
  test.each(subject.survives)('%s on the first and on a later request is survived', async (name) => {
    const { ids } = stage;
    stage.reader.idleTimeoutMs = idleTimeoutOf(name);
    for (const afterRequests of [0, 2]) stage.standIn.inject({ name, afterRequests });
    const { pages } = await stage.reader.run({ limit: LIMIT });
    expect(idsOf(pages)).toEqual(ids.slice(0, LIMIT));
  });

  test.each(subject.waitsFor)('%s is waited for', async (name) => {
    const { ids } = stage;
    stage.reader.idleTimeoutMs = idleTimeoutOf(name);
    // Inject into the first requests, because prefetched ones may not be needed. Inject into two, because an aborted prefetch
    // of an earlier read may arrive now and consume one fault.
    stage.standIn.inject({ name, times: 2 });
    const { pages, client } = await stage.reader.run({ limit: LIMIT });
    expect(idsOf(pages)).toEqual(ids.slice(0, LIMIT));
    expect(client.waitedMs).toBeGreaterThan(0);
  });

  test.each(Object.entries(subject.endsIn))('%s that lasts ends in %s', async (name, failure) => {
    stage.reader.idleTimeoutMs = idleTimeoutOf(name);
    stage.standIn.inject({ name, ...ALWAYS });
    expect(await stage.reader.failure({ limit: LIMIT })).toBe(failure);
  });
}

function fieldAt(document: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (value as JsonObject | null | undefined)?.[key], document);
}

/** Converts a column's value to the form it has in the document. */
function asField(value: ColumnValue | undefined, { fractionDigits }: ColumnDefinition): unknown {
  if (!(value instanceof Date)) return value;
  return fractionDigits === 0 ? value.toISOString().replace('.000Z', 'Z') : value.toISOString();
}

/** Checks each column that copies a field against its declaration. Compares documents in their stored form. */
function expectCopies(record: ConnectorRecord, document: JsonObject, { table }: EntityDefinition): void {
  for (const [name, column] of Object.entries(table.columns)) {
    const { copies, standIns = [] } = column;
    const value = record.columns[name];
    if (!copies || value === null || standIns.some((standIn) => standIn === value)) continue;
    expect(asField(value, column), `${name} of ${record.id}`).toEqual(fieldAt(document, copies));
  }
}

/** Checks that a record can be stored and read back. `PageCheck` checks its id, date and column types. */
export function expectReadable(entity: EntityDefinition, record: ConnectorRecord | undefined): void {
  if (!record) throw new Error('the record is missing');
  const { data, columns } = record;
  const document = JSON.parse(Buffer.isBuffer(data) ? data.toString() : JSON.stringify(data)) as JsonObject;
  expect(document).toBeTypeOf('object');
  const { id = record.id } = document;
  expect(String(id), 'the `id` of a document is its record’s: its history is found by it').toBe(record.id);
  if (!Buffer.isBuffer(data)) expect(document, 'documents are JSON').toEqual(data);
  const stored = storableDocument(document) as JsonObject;
  expectCopies(record, stored, entity);
  expect(entity.convert(stored, columns), 'a stored document is converted to itself').toEqual({
    data: stored,
    columns,
  });
}

/** Tests that malformed records are stored with their readable fields. */
export function testOddities(stage: Stage): void {
  const { oddities, isIncremental } = stage.subject;

  test.runIf(isIncremental).each(oddities)('odd record: %s', async (name) => {
    const { completion } = await stage.reader.run({ limit: 1 });
    const id = await stage.standIn.insertOddity?.(name);
    const { pages } = await stage.reader.run({ cursor: completion.cursor });
    const record = pages.flatMap((page) => page.records).find((each) => each.id === id);
    expectReadable(stage.reader.entity, record);
  });

  test('a full run brings all odd records among the others, in the provider’s order', async () => {
    for (const name of oddities) await stage.standIn.insertOddity?.(name);
    const { pages } = await stage.reader.run();
    expect(idsOf(pages)).toEqual(await stage.standIn.listIds());
    for (const record of pages.flatMap((page) => page.records)) expectReadable(stage.reader.entity, record);
  });
}
