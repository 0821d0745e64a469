/** The largest UID (RFC 9051). */
const MAX_UID = 0xffff_ffff;

/** Returns whether a server may number a message so. */
export function isUid(uid: number): boolean {
  return uid > 0 && uid <= MAX_UID;
}

/** Encodes UIDs in any order as an IMAP sequence set (RFC 9051): [1, 2, 3, 7] -> '1:3,7'. */
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

/** Largest number of UIDs in a set; larger mailboxes are not read. */
const MAX_UIDS = 1_000_000;

/** Decodes a set made by `writeUidSet`: '1:3,7' -> [1, 2, 3, 7]. Ignores UIDs beyond the first million. */
export function readUidSet(text: string): number[] {
  const uids: number[] = [];
  for (const range of text === '' ? [] : text.split(',')) {
    const [first = 0, last = first] = range.split(':').map(Number);
    for (let uid = first; uid <= last && uids.length < MAX_UIDS; uid++) uids.push(uid);
  }
  return uids;
}
