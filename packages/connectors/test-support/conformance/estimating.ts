import { expect } from 'vitest';
import type { Estimate, EstimateRequest } from '../../src/sdk/connector.ts';
import type { ProviderClient } from '../../src/sdk/provider-client.ts';
import type { Stage } from './stage.ts';

const ALL = 1_000_000;

/** The estimate of a run, and the client that requested it. */
export async function estimateOf(
  { reader }: Stage,
  more: Partial<Pick<EstimateRequest, 'cursor' | 'limit'>> = {},
): Promise<{ estimate: Estimate; client: ProviderClient }> {
  const { client, settings } = reader.request();
  const estimate = await reader.entity.estimate({ client, settings, cursor: null, limit: ALL, ...more });
  return { estimate, client };
}

/** Checks that an estimate is between half and double of the actual value, with tolerance for small values. */
export function expectNear(expected: number, actual: number, what: string): void {
  const [least, most] = [actual / 2 - 3, actual * 2 + 3];
  expect(expected >= least && expected <= most, `${what}: ${expected} expected, ${actual} in fact`).toBe(
    true,
  );
}
