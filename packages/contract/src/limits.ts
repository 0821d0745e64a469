/** Limits of the specification, point 9, in UTF-16 units. */
export const LIMITS = {
  queryTitle: 20,
  viewTitle: 50,
  viewDescription: 300,
  viewQuery: 1500,
  categoryTitle: 20,
} as const;

/** Items of a page: syncs in the history; results of templates, queries and views. */
export const PAGE_SIZES = { history: 8, results: 20 } as const;

/** Longest texts and largest counts of what users store and ask, where the specification names none. */
export const BOUNDS = {
  /** Expression of a saved query, UTF-16 units: `$[state = "open"]`. As of a view: every saved query can become one. */
  queryExpression: LIMITS.viewQuery,
  /** Saved queries of a user, count. */
  queriesPerUser: 200,
  /** Saved queries of a page of their list, count. */
  queriesPage: 100,
  /** Expression of a live query over all rows (`POST /api/data/query`), UTF-16 units. */
  liveExpression: 10_000,
  /** Views of a user, count. */
  viewsPerUser: 200,
  /** Views that build on one another, count: 1 is a view upon a template, 10 the tenth view of a chain. */
  viewDepth: 10,
  /** Categories of a user, count. */
  categoriesPerUser: 50,
  /** Key or id in a query or a body, UTF-16 units: `gh-pulls`, a UUID. */
  key: 100,
  /** Text of a page of results, UTF-16 units: 16 MB of ASCII. Beyond it: `query-too-complex`. */
  pageText: 16 * 1024 * 1024,
  /**
   * Text of one download, bytes: 100,000 pull requests of 2 KB are 193 MB. Beyond it: `query-too-complex`.
   */
  downloadBytes: 256 * 1024 * 1024,
  /** Downloads of a user that are made or read at the same time, count. */
  downloadsPerUser: 2,
} as const;
