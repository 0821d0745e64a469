/** Creates reproducible pseudo-random numbers in [0, 1) (mulberry32); report `seed` on failure. */
export function seededRandom(seed: number): (() => number) & { seed: number } {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return Object.assign(next, { seed });
}
