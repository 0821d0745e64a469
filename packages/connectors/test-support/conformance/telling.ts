import { validateSettings } from '@datadeck/contract';
import { expect, test } from 'vitest';
import type { Connector, FailedAnswer } from '../../src/sdk/connector.ts';
import { declarationProblems } from '../../src/sdk/declaration.ts';
import { estimateOf, expectNear } from './estimating.ts';
import { idsOf } from './reading.ts';
import type { Stage } from './stage.ts';

/** Largest number of requests of an estimate. */
const FEW = 6;
const BODIES = [
  '',
  '<html>Sorry</html>',
  '{}',
  '[]',
  'null',
  '"no"',
  '{"error":null}',
  '{"message":7,"error":{"code":"x"}}',
];
/** Expected classification of HTTP statuses for all providers. */
const MEANINGS: readonly [statuses: number[], kinds: FailedAnswer['kind'][]][] = [
  [[401], ['expired-token', 'fail']],
  [[429], ['retry-later']],
  [
    [408, 500, 502, 503, 504],
    ['retry', 'retry-later'],
  ],
];

function expectClosed(classify: NonNullable<Connector['classify']>): void {
  const statuses = [300, ...Array.from({ length: 200 }, (_, index) => 400 + index)];
  for (const status of statuses) {
    for (const body of BODIES) {
      const outcome = classify({ status, headers: new Headers(), body, now: Date.now() });
      expect(outcome.message.trim(), `status ${status} with ${body || 'nothing'}`).not.toBe('');
      const kinds = MEANINGS.find(([known]) => known.includes(status))?.[1];
      if (kinds) expect(kinds, `status ${status} with ${body || 'nothing'}`).toContain(outcome.kind);
    }
  }
}

/** Tests of a connector's declaration, scope and estimates. */
export function testTelling(stage: Stage): void {
  // @covers 10.connector-made-wrong
  test('what it declares is sound', () => {
    const { standIn, reader, subject } = stage;
    expect(declarationProblems(standIn.connector)).toEqual([]);
    const { settings, scopeOf } = reader.entity;
    expect(validateSettings(settings, { ...subject.settings })).toEqual({});
    const scope = scopeOf(subject.settings);
    expect(scope).toBeTypeOf('string');
    expect(scopeOf({ ...subject.settings }), 'equal settings are one scope').toBe(scope);
    for (const { propKey } of settings.filter(({ required }) => required)) {
      const other = { ...subject.settings, [propKey]: `${subject.settings[propKey]}x` };
      expect(scopeOf(other), `another ${propKey} is another scope`).not.toBe(scope);
    }
  });

  test('every refusal over HTTP has its place in the closed list', ({ skip }) => {
    const { classify } = stage.standIn.connector;
    skip(classify === undefined, 'it does not speak HTTP');
    if (classify) expectClosed(classify);
  });

  test('the ids of the scope are those of a full run', async () => {
    const listed = new Set<string>();
    const { client, settings } = stage.reader.request();
    for await (const ids of stage.reader.entity.listIds({ client, settings }))
      for (const id of ids) listed.add(id);
    expect([...listed].sort()).toEqual([...stage.ids].sort());
  });

  test('every page that tells a total tells the right one', async () => {
    const { pages } = await stage.reader.run();
    for (const { total } of pages) expect(total ?? stage.ids.length).toBe(stage.ids.length);
  });

  test('a full run costs about what was expected', async () => {
    for (const limit of [3, stage.ids.length, stage.ids.length + 10]) {
      const { estimate, client: asker } = await estimateOf(stage, { limit });
      expect(asker.requests, 'requests to know it').toBeLessThanOrEqual(FEW);
      const { pages, client } = await stage.reader.run({ limit });
      expect(estimate.total ?? stage.ids.length).toBe(stage.ids.length);
      expect(estimate.records).toBe(idsOf(pages).length);
      expectNear(estimate.requests, client.requests, `requests of ${limit}`);
      expectNear(estimate.units, client.units, `units of ${limit}`);
    }
  });

  test('a run of few records costs less than one of all', async () => {
    const all = await stage.reader.run();
    const few = await stage.reader.run({ limit: 1 });
    expect(few.client.requests).toBeLessThanOrEqual(Math.max(3, all.client.requests / 2 + 1));
  });

  test('the units that a run tells are those that the provider counted', async ({ skip }) => {
    const { client } = await stage.reader.run();
    const { units } = stage.standIn.spending();
    skip(stage.subject.exempt?.units !== undefined, stage.subject.exempt?.units);
    expect(client.units).toBe(units);
  });
}
