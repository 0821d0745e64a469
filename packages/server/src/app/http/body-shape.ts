import { exceedsShape } from '@datadeck/contract/json-shape';

/** Limits of a body. The largest valid request has 50 settings, or 10 parameters with three members each. */
const MOST = { values: 1000, depth: 32 };

/** Returns whether a JSON text has more values, or deeper ones, than any valid request (decision 63). */
export function exceedsLimits(json: string): boolean {
  return exceedsShape(json, MOST);
}
