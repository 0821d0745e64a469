import { expect, test } from 'vitest';
import type { ConnectorRecord } from '../connector.ts';
import { IMPATIENT_MS, idsOf, PATIENT_MS } from './reading.ts';
import type { Stage } from './stage.ts';

const LIMIT = 12;
const ALWAYS = { times: Number.POSITIVE_INFINITY };
/** Of the fault alone that keeps silent: on a busy machine other answers may take long. */
const silenceOf = (name: string) => (name === 'stalled-stream' ? IMPATIENT_MS : PATIENT_MS);

/** What can go wrong between the provider and us. */
export function testFailures(stage: Stage): void {
  const { subject } = stage;
  const { exempt = {} } = subject;

  test('tokens that run out are renewed once, however many requests were refused', async ({ skip }) => {
    skip(exempt['token-renewal'] !== undefined, exempt['token-renewal']);
    const { ids } = stage;
    stage.standIn.expireTokens?.();
    const { pages, refreshes } = await stage.reader.run();
    expect(idsOf(pages)).toEqual(ids);
    expect(refreshes).toBe(1);
  });

  test('a token that is refused again after its renewal ends in reauthorise', async () => {
    stage.standIn.inject({ name: 'token-expired', ...ALWAYS });
    const before = stage.reader.refreshes;
    expect(await stage.reader.failure()).toBe('reauthorise');
    expect(stage.reader.refreshes - before).toBe(1);
  });

  test.skipIf(exempt.redirects)(
    'a redirect to another host is refused, and no request goes there',
    async () => {
      stage.standIn.inject({ name: 'redirect', location: 'http://localhost:9/elsewhere', ...ALWAYS });
      expect(await stage.reader.failure()).toBe('malformed');
    },
  );

  test.each(subject.survives)('%s on the first and on a later request is survived', async (name) => {
    const { ids } = stage;
    stage.reader.silenceMs = silenceOf(name);
    for (const afterRequests of [0, 2]) stage.standIn.inject({ name, afterRequests });
    const { pages } = await stage.reader.run({ limit: LIMIT });
    expect(idsOf(pages)).toEqual(ids.slice(0, LIMIT));
  });

  test.each(subject.waitsFor)('%s is waited for', async (name) => {
    const { ids } = stage;
    stage.reader.silenceMs = silenceOf(name);
    // On the first requests: of those sent ahead some may not be needed, and then nobody waits for them. On two of them:
    // what an earlier read sent ahead and gave up may arrive only now and take one.
    stage.standIn.inject({ name, times: 2 });
    const { pages, client } = await stage.reader.run({ limit: LIMIT });
    expect(idsOf(pages)).toEqual(ids.slice(0, LIMIT));
    expect(client.waitedMs).toBeGreaterThan(0);
  });

  test.each(Object.entries(subject.endsIn))('%s that lasts ends in %s', async (name, failure) => {
    stage.reader.silenceMs = silenceOf(name);
    stage.standIn.inject({ name, ...ALWAYS });
    expect(await stage.reader.failure({ limit: LIMIT })).toBe(failure);
  });
}

/** Letters of a record's facets at most: templates read those of every record. */
const MOST_FACETS = 10_000;

/** That the database takes a record, and gives it back as it was. Its id and date are looked at with its page. */
export function expectReadable(record: ConnectorRecord | undefined): void {
  expect(record).toBeDefined();
  const facets = JSON.stringify(record?.facets);
  expect(facets).not.toMatch(/\\u0000|\\ud[89a-f]/i);
  expect(facets.length, 'facets are few and short').toBeLessThan(MOST_FACETS);
  expect(JSON.parse(facets), 'facets are JSON').toEqual(record?.facets);
  const { data } = record ?? {};
  const document: unknown = JSON.parse(Buffer.isBuffer(data) ? data.toString() : JSON.stringify(data));
  expect(document).toBeTypeOf('object');
  const { id = record?.id } = document as { id?: unknown };
  expect(String(id), 'the `id` of a document is its record’s: its history is found by it').toBe(record?.id);
  if (!Buffer.isBuffer(data)) expect(document, 'documents are JSON').toEqual(data);
}

/** Odd records are kept with what can be read of them. */
export function testOddities(stage: Stage): void {
  const { oddities, isIncremental } = stage.subject;

  test.runIf(isIncremental).each(oddities)('odd record: %s', async (name) => {
    const { completion } = await stage.reader.run({ limit: 1 });
    const id = await stage.standIn.insertOddity?.(name);
    const { pages } = await stage.reader.run({ cursor: completion.cursor });
    expectReadable(pages.flatMap((page) => page.records).find((each) => each.id === id));
  });

  test('a full run brings all odd records among the others, in the provider’s order', async () => {
    for (const name of oddities) await stage.standIn.insertOddity?.(name);
    const { pages } = await stage.reader.run();
    expect(idsOf(pages)).toEqual(await stage.standIn.listIds());
    for (const record of pages.flatMap((page) => page.records)) expectReadable(record);
  });
}
