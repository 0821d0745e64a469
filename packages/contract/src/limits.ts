/** Limits and page sizes of the specification, point 9. */
export const LIMITS = {
  queryTitle: 20,
  viewTitle: 50,
  viewDescription: 300,
  viewQuery: 1500,
  categoryTitle: 20,
} as const;

export const PAGE_SIZES = { history: 8, results: 20 } as const;
