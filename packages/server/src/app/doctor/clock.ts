/**
 * Returns by how much another clock differs from this machine's at least, ms: nothing if it was read between `asked` and `answered`.
 * @param time what the other clock showed, ms
 * @param asked when it was asked by this machine's clock, ms
 * @param answered when the answer came by this machine's clock, ms
 */
export function skewOf(time: number, asked: number, answered = Date.now()): number {
  return Math.max(0, asked - time, time - answered);
}
