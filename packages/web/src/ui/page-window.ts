/** Maximum number of page numbers that the pagination shows. */
const WINDOW = 5;

/** Returns the number of pages for `count` entries; at least 1. */
export function pageCount(count: number, pageSize: number): number {
  return Math.max(1, Math.ceil(count / pageSize));
}

/** Returns the page, limited to 1 to `total`. */
export function clampPage(page: number, total: number): number {
  if (!Number.isFinite(page)) return 1;
  return Math.min(Math.max(1, Math.trunc(page)), Math.max(1, total));
}

/** Returns up to `most` page numbers (an odd number) around the current one. */
export function pageWindow(page: number, total: number, most = WINDOW): number[] {
  const current = clampPage(page, total);
  const size = Math.min(most, Math.max(1, total));
  const first = Math.min(Math.max(1, current - Math.floor(most / 2)), Math.max(1, total - size + 1));
  return Array.from({ length: size }, (_, index) => first + index);
}
