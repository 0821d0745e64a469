/** Longest texts by the specification, point 9, UTF-16 units. */
export const LIMITS = {
  queryTitle: 20,
  viewTitle: 50,
  viewDescription: 300,
  viewQuery: 1500,
  categoryTitle: 20,
} as const;

/** Items per page: syncs in the history; results of templates, queries and views. */
export const PAGE_SIZES = { history: 8, results: 20 } as const;

/** Limits on stored data and requests that the specification does not define. */
export const BOUNDS = {
  /** Expression of a saved query, UTF-16 units; equal to the limit of views, since a saved query can become a view. */
  queryExpression: LIMITS.viewQuery,
  /** Saved queries per user. */
  queriesPerUser: 200,
  /** Saved queries per page of their list. */
  queriesPage: 100,
  /** Expression of a live query over all rows (`POST /api/data/query`), UTF-16 units. */
  liveExpression: 10_000,
  /** Views per user. */
  viewsPerUser: 200,
  /** Views per page of the list of all views. */
  viewsPage: 100,
  /** Length of a chain of views: 1 is a view on a template, 10 the tenth view of the chain. */
  viewDepth: 10,
  /** Bases of a view. */
  viewBases: 5,
  /** Views and templates from which a view is computed, directly or indirectly, when one of them has several bases. */
  viewSources: 25,
  /** Categories per user. */
  categoriesPerUser: 50,
  /** Boards per user. */
  boardsPerUser: 50,
  /** Tiles per board. */
  tilesPerBoard: 24,
  /** Key or id in a query or body, UTF-16 units, e.g. `gh-pulls` or a UUID. */
  key: 100,
  /** Name of an account at a provider, UTF-16 units, e.g. `ada@example.org`. */
  accountName: 320,
  /** Name of an account by its user, UTF-16 units, e.g. `Work`. */
  accountTitle: 50,
  /** Accounts per user and provider, with disconnected ones. */
  accountsPerProvider: 50,
  /** JSON text of a page of results, UTF-16 units (16 MB of ASCII); a larger one fails with `query-too-complex`. */
  pageText: 16 * 1024 * 1024,
  /**
   * Size of one download, bytes (100,000 pull requests of 2 KB are 193 MB); a larger one fails with `query-too-complex`.
   */
  downloadBytes: 256 * 1024 * 1024,
  /** Concurrent downloads per user. */
  downloadsPerUser: 2,
  /** Largest attachment that is fetched from a provider, bytes (25 MiB); a larger one fails with `attachment-too-large`. */
  attachmentBytes: 25 * 1024 * 1024,
  /** Attachments of a record that a reading lists. */
  attachments: 200,
} as const;
