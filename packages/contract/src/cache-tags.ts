// Imported by itself where the login screen needs it, so without zod.

/** Names of the browser's cached lists. A request provides a tag, and a change invalidates it: `Views`. */
export const CACHE_TAGS = [
  'Providers',
  'Synchronizations',
  'Entities',
  'Templates',
  'Aggregation',
  'Views',
  'View',
  'ViewsCategories',
  'JnataQueries',
  'User',
  'Schedules',
  'Notifications',
  'Webhook',
  'Changes',
] as const;
export type CacheTag = (typeof CACHE_TAGS)[number];

/** Tells whether a text is a cache tag; a server of another version may send unknown ones. */
export function isCacheTag(text: string): text is CacheTag {
  return CACHE_TAGS.some((tag) => tag === text);
}

const ROWS: readonly CacheTag[] = ['Entities', 'Aggregation', 'View'];
const RECORDS: readonly CacheTag[] = [...ROWS, 'Synchronizations', 'Changes'];

/** The tags that a change makes out of date, by what changed. Server and browser use the same lists. */
export const STALE_TAGS = {
  /** Stored records, where their sync comes as an event of its own. */
  rows: ROWS,
  /** Stored records and the syncs that brought them. */
  records: RECORDS,
  /** A connection to a provider. */
  connection: ['Providers', 'Synchronizations', 'Entities', 'Schedules'],
  /** All that one provider brought. */
  providerData: [...RECORDS, 'Providers', 'Schedules'],
  /** Everything that 'Delete all data' removes. */
  allData: [
    ...RECORDS,
    'Providers',
    'Schedules',
    'Views',
    'ViewsCategories',
    'JnataQueries',
    'Notifications',
  ],
  /** Everything that events may have changed while they were missed: all but the shipped templates. */
  missedEvents: CACHE_TAGS.filter((tag) => tag !== 'Templates'),
} as const satisfies Record<string, readonly CacheTag[]>;
