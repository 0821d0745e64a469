/** The value that this share of the values lies below; 1: the greatest. NaN of none. */
export function percentile(values: readonly number[], share: number): number {
  const place = Math.min(values.length - 1, Math.floor(values.length * share));
  return values.toSorted((a, b) => a - b)[place] ?? Number.NaN;
}
