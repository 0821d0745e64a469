import { expect, it } from 'vitest';
import { idsOf } from '../../src/sdk/conformance/reading.ts';
import type { Estimate, EstimateRequest } from '../../src/sdk/connector.ts';
import type { ProviderClient } from '../../src/sdk/provider-client.ts';
import type { Stage } from './stage.ts';

/** A limit above the number of records of any stand-in. */
const ALL = 1_000_000;
/** Largest number of requests of an estimate. */
const FEW = 6;

/** Returns the estimate of a run, and the client that requested it. */
export async function estimateOf(
  { reader }: Stage,
  more: Partial<Pick<EstimateRequest, 'cursor' | 'limit' | 'since'>> = {},
): Promise<{ estimate: Estimate; client: ProviderClient }> {
  const { client, settings, stored } = reader.request();
  const estimate = await reader.entity.estimate({
    client,
    settings,
    cursor: null,
    limit: ALL,
    stored,
    ...more,
  });
  return { estimate, client };
}

/** Checks that an estimate is at most this many times more or less than the actual value, with tolerance for small values. */
export function expectNear(expected: number, actual: number, what: string, times = 2): void {
  const [least, most] = [actual / times - 3, actual * times + 3];
  expect(expected >= least && expected <= most, `${what}: estimated ${expected}, actually ${actual}`).toBe(
    true,
  );
}

/** Checks the estimated number of records of a full run. */
export function expectEstimated({ subject }: Pick<Stage, 'subject'>, expected: number, actual: number): void {
  if (subject.exempt?.['exact-estimates']) expectNear(expected, actual, 'records', 3);
  else expect(expected).toBe(actual);
}

/** Tests that totals, estimates, requests and units are right. */
export function testEstimates(stage: Stage): void {
  it('reports the right total on every page that has one', async () => {
    const { pages } = await stage.reader.run();
    for (const { total } of pages) expect(total ?? stage.ids.length).toBe(stage.ids.length);
  });

  it('estimates the records, requests and units of a full run', async () => {
    for (const limit of [3, stage.ids.length, stage.ids.length + 10]) {
      const { estimate, client: estimator } = await estimateOf(stage, { limit });
      expect(estimator.requests, 'requests of the estimate').toBeLessThanOrEqual(FEW);
      const { pages, client } = await stage.reader.run({ limit });
      expect(estimate.total ?? stage.ids.length).toBe(stage.ids.length);
      expectEstimated(stage, estimate.records, idsOf(pages).length);
      expectNear(estimate.requests, client.requests, `requests of ${limit}`);
      expectNear(estimate.units, client.units, `units of ${limit}`);
    }
  });

  it('sends few requests to read a single record', async ({ skip }) => {
    const reason = stage.subject.exempt?.['single-record'];
    skip(reason !== undefined, reason);
    const all = await stage.reader.run();
    const few = await stage.reader.run({ limit: 1 });
    expect(few.client.requests).toBeLessThanOrEqual(Math.max(3, all.client.requests / 2 + 1));
  });

  it('counts the same quota units as the provider', async ({ skip }) => {
    const { client } = await stage.reader.run();
    const { units } = stage.standIn.spending();
    skip(stage.subject.exempt?.units !== undefined, stage.subject.exempt?.units);
    expect(client.units).toBe(units);
  });
}
