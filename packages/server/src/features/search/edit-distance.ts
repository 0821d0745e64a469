/** Returns how many typing errors a word of this length may have. */
export function allowedErrors(length: number): number {
  if (length < 3) return 0;
  return length <= 5 ? 1 : 2;
}

/**
 * Counts the typing errors between two words: wrong, missing and extra letters, and neighbouring letters in the wrong order
 * (optimal string alignment).
 *
 *     editDistance('jonh', 'john')    // 1
 *
 * @returns `limit + 1` for any larger number
 */
export function editDistance(a: string, b: string, limit: number): number {
  const tooMany = limit + 1;
  if (Math.abs(a.length - b.length) > limit) return tooMany;
  let [before, row] = [[] as number[], Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const changed = (row[j - 1] as number) + (isSame ? 0 : 1);
      let best = Math.min(changed, (row[j] as number) + 1, (next[j - 1] as number) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] as number) + 1);
      next.push(best);
    }
    if (Math.min(...next) > limit) return tooMany;
    [before, row] = [row, next];
  }
  return Math.min(row[b.length] as number, tooMany);
}
