/** [1, 2, 3, 7] -> '1:3,7', as IMAP writes sets (RFC 9051). The order given does not matter. */
export function writeUidSet(uids: Iterable<number>): string {
  const sorted = [...new Set(uids)].sort((a, b) => a - b);
  const ranges: string[] = [];
  for (let index = 0; index < sorted.length; ) {
    const first = sorted[index] as number;
    let last = first;
    while (sorted[index + 1] === last + 1) last = sorted[++index] as number;
    ranges.push(first === last ? String(first) : `${first}:${last}`);
    index++;
  }
  return ranges.join(',');
}

/** '1:3,7' -> [1, 2, 3, 7]. */
export function readUidSet(text: string): number[] {
  if (text === '') return [];
  return text.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split(':').map(Number);
    return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
  });
}
