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

/** UIDs of a set at most: a mailbox with more is not read. */
const MAX_UIDS = 1_000_000;

/** '1:3,7' -> [1, 2, 3, 7], as `writeUidSet` wrote it. What is beyond a million UIDs is left out. */
export function readUidSet(text: string): number[] {
  const uids: number[] = [];
  for (const range of text === '' ? [] : text.split(',')) {
    const [first = 0, last = first] = range.split(':').map(Number);
    for (let uid = first; uid <= last && uids.length < MAX_UIDS; uid++) uids.push(uid);
  }
  return uids;
}
