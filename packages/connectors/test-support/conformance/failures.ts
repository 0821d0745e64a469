import { expect, it } from 'vitest';
import { idsOf, LONG_TIMEOUT_MS, SHORT_TIMEOUT_MS } from '../../src/sdk/conformance/reading.ts';
import type { ConnectorRecord, EntityDefinition } from '../../src/sdk/connector.ts';
import type { JsonObject } from '../../src/sdk/json.ts';
import { storableDocument } from '../../src/sdk/storable.ts';
import type { ColumnDefinition, ColumnValue } from '../../src/sdk/table.ts';
import type { Stage } from './stage.ts';

const LIMIT = 12;
const ALWAYS = { times: Number.POSITIVE_INFINITY };
/** Uses a short idle timeout only for the stalled stream; other responses may be slow on a busy machine. */
const idleTimeoutOf = (name: string) => (name === 'stalled-stream' ? SHORT_TIMEOUT_MS : LONG_TIMEOUT_MS);

/** Tests of refused tokens and redirects. */
function testRefusals(stage: Stage): void {
  const { exempt = {} } = stage.subject;

  // @covers authorisation.token-refused-between
  it('renews an expired token once, however many requests were refused', async ({ skip }) => {
    skip(exempt['token-renewal'] !== undefined, exempt['token-renewal']);
    const { ids } = stage;
    stage.standIn.expireTokens?.();
    const { pages, refreshes } = await stage.reader.run();
    expect(idsOf(pages)).toEqual(ids);
    expect(refreshes).toBe(1);
  });

  // @covers authorisation.token-refused-between
  it('fails when the renewed token is refused, too, by default with reauthorise', async () => {
    stage.standIn.inject({ name: 'token-expired', ...ALWAYS });
    const before = stage.reader.refreshes;
    const expected = stage.subject.endsIn['token-expired'] ?? 'reauthorise';
    expect(await stage.reader.failure()).toBe(expected);
    expect(stage.reader.refreshes - before).toBe(1);
  });

  // @covers transport.redirect
  it.skipIf(exempt.redirects)('refuses a redirect to another host', async () => {
    stage.standIn.inject({ name: 'redirect', location: 'http://localhost:9/elsewhere', ...ALWAYS });
    expect(await stage.reader.failure()).toBe('malformed');
  });
}

/** Tests of injected faults: transient ones, rate limits and permanent ones. */
function testFaults(stage: Stage): void {
  const { subject } = stage;

  // @covers transport.latency (survives latency on the first and on a later request)
  // @covers transport.500 (survives http-500 on the first and on a later request)
  // @covers transport.502 (survives http-502 on the first and on a later request)
  // @covers transport.503 (survives http-503 on the first and on a later request)
  // @covers transport.504 (survives http-504 on the first and on a later request)
  // @covers transport.html-error (survives html-error-body on the first and on a later request)
  // @covers transport.html-place-json (survives html-instead-of-json on the first and on a later request)
  // @covers transport.reset-before-answer (survives connection-reset on the first and on a later request)
  // @covers transport.reset-middle-body (survives reset-mid-body on the first and on a later request)
  // @covers transport.truncated-json (survives truncated-json on the first and on a later request)
  // @covers transport.invalid-json (survives invalid-json on the first and on a later request)
  // @covers transport.empty-body (survives empty-body on the first and on a later request)
  // @covers transport.stalled-stream (survives stalled-stream on the first and on a later request)
  // @covers transport.content-length-too (survives content-length-too-long on the first and on a later request)
  // @covers transport.content-length-too-short (survives content-length-too-short on the first and on a later request)
  // @covers transport.broken-gzip (survives broken-gzip on the first and on a later request)
  // @covers transport.redirects-without-end (survives redirect-loop on the first and on a later request)
  it.each(subject.survives)('survives %s on the first and on a later request', async (name) => {
    const { ids } = stage;
    stage.reader.idleTimeoutMs = idleTimeoutOf(name);
    for (const afterRequests of [0, 2]) stage.standIn.inject({ name, afterRequests });
    const { pages } = await stage.reader.run({ limit: LIMIT });
    expect(idsOf(pages)).toEqual(ids.slice(0, LIMIT));
  });

  it.each(subject.waitsFor)('waits for %s and then continues', async (name) => {
    const { ids } = stage;
    stage.reader.idleTimeoutMs = idleTimeoutOf(name);
    // Inject into the first requests, because prefetched ones may not be needed. Inject into two, because an aborted prefetch
    // of an earlier read may arrive now and consume one fault.
    stage.standIn.inject({ name, times: 2 });
    const { pages, client } = await stage.reader.run({ limit: LIMIT });
    expect(idsOf(pages)).toEqual(ids.slice(0, LIMIT));
    expect(client.waitedMs).toBeGreaterThan(0);
  });

  it.each(Object.entries(subject.endsIn))('reports a lasting %s as %s', async (name, failure) => {
    stage.reader.idleTimeoutMs = idleTimeoutOf(name);
    stage.standIn.inject({ name, ...ALWAYS });
    expect(await stage.reader.failure({ limit: LIMIT })).toBe(failure);
  });
}

/** Tests of faults between the provider and the connector. */
export function testFailures(stage: Stage): void {
  testRefusals(stage);
  testFaults(stage);
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
export async function expectReadable(
  entity: EntityDefinition,
  record: ConnectorRecord | undefined,
): Promise<void> {
  if (!record) throw new Error('the record is missing');
  const { data, columns } = record;
  const document = JSON.parse(Buffer.isBuffer(data) ? data.toString() : JSON.stringify(data)) as JsonObject;
  expect(document).toBeTypeOf('object');
  const { id = record.id } = document;
  expect(String(id), 'the `id` of a document is the id of its record').toBe(record.id);
  if (!Buffer.isBuffer(data)) expect(document, 'documents are JSON').toEqual(data);
  const stored = storableDocument(document) as JsonObject;
  expectCopies(record, stored, entity);
  const { occurredAt } = record;
  expect(
    { occurredAt, ...(await entity.convert(stored, columns)) },
    'a stored document is converted to itself',
  ).toEqual({ occurredAt, data: stored, columns });
}

/** Tests that malformed records are stored with their readable fields. */
export function testOddities(stage: Stage): void {
  const { oddities, isIncremental } = stage.subject;

  it.runIf(isIncremental).each(oddities)('reads a malformed record: %s', async (name) => {
    const { completion } = await stage.reader.run({ limit: 1 });
    const id = await stage.standIn.insertOddity?.(name);
    const { pages } = await stage.reader.run({ cursor: completion.cursor });
    const record = pages.flatMap((page) => page.records).find((each) => each.id === id);
    await expectReadable(stage.reader.entity, record);
  });

  it("reads malformed records among the others in the provider's order", async () => {
    for (const name of oddities) await stage.standIn.insertOddity?.(name);
    const { pages } = await stage.reader.run();
    expect(idsOf(pages)).toEqual(await stage.standIn.listIds());
    const records = pages.flatMap((page) => page.records);
    await Promise.all(records.map((record) => expectReadable(stage.reader.entity, record)));
  });
}
