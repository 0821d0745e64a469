/** Statuses by which services say that a list has nothing, or nothing more; others fail to say what it has. */
const SAYS_NOTHING = new Set([200, 400, 404, 409, 410, 416, 422]);

/**
 * What a failure that means no records leaves unread: a list whose first page fails by a status that does not say that there is nothing
 * (`list`), or the rest of one (`rest`).
 */
export type Gap = 'list' | 'rest';

/**
 * Returns what a page leaves unread; undefined if its list is known to end there. Services may fail past the end of a list by numbers.
 * A page that they named exists.
 * @param emptyAt status of the failure that counts as a page without records
 */
export function gapOf(
  emptyAt: number | undefined,
  { isFirst, mayEnd }: { isFirst: boolean; mayEnd: (status: number) => boolean },
): Gap | undefined {
  if (emptyAt === undefined || (SAYS_NOTHING.has(emptyAt) && (isFirst || mayEnd(emptyAt)))) return undefined;
  return isFirst ? 'list' : 'rest';
}

/** Returns what is not read after a page: `rest` wins, because it keeps the cursor in any run. */
export function gapAfter(before: Gap | null, gap: Gap | undefined): Gap | null {
  return before === 'rest' ? before : (gap ?? before);
}
