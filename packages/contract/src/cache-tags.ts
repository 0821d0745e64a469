// The login screen imports this file separately, so it must not import zod.

/** Names of the browser's cache entries, e.g. `Views`. A request provides tags; a change invalidates them. */
export const CACHE_TAGS = [
  'Providers',
  'Synchronizations',
  'Entities',
  'Templates',
  'Aggregation',
  'Views',
  'View',
  'ViewsCategories',
  'Boards',
  'JnataQueries',
  'User',
  'Schedules',
  'Notifications',
  'Webhook',
  'Alerts',
  'Curves',
  'Changes',
  'Tokens',
  'Shares',
  'Administration',
] as const;
export type CacheTag = (typeof CACHE_TAGS)[number];

/** Returns whether a text is a known cache tag; a server of another version may send unknown ones. */
export function isCacheTag(text: string): text is CacheTag {
  return CACHE_TAGS.some((tag) => tag === text);
}

const ROW_TAGS: readonly CacheTag[] = ['Entities', 'Aggregation', 'View'];
const RECORD_TAGS: readonly CacheTag[] = [...ROW_TAGS, 'Synchronizations', 'Changes'];

/** Tags to invalidate, by kind of change. Server and browser use the same lists. */
export const STALE_TAGS = {
  /** Stored records changed; the sync itself is sent as a separate event. */
  rows: ROW_TAGS,
  /** Stored records and their syncs changed. */
  records: RECORD_TAGS,
  /** A connection to a provider changed. */
  connection: ['Providers', 'Synchronizations', 'Entities', 'Schedules'],
  /** The data of one provider was deleted. */
  providerData: [...RECORD_TAGS, 'Providers', 'Schedules', 'Alerts', 'Curves'],
  /** All data that 'Delete all data' removes. */
  allData: [
    ...RECORD_TAGS,
    'Providers',
    'Schedules',
    'Views',
    'ViewsCategories',
    'Boards',
    'Shares',
    'JnataQueries',
    'Notifications',
    'Alerts',
    'Curves',
  ],
  /** Everything that missed events may have changed: all except the built-in templates. */
  missedEvents: CACHE_TAGS.filter((tag) => tag !== 'Templates'),
} as const satisfies Record<string, readonly CacheTag[]>;
