const TITLES: Readonly<Record<string, string>> = {
  sync: 'Synchronizations',
  schedule: 'Schedules',
  'scheduled-failure': 'Failures of schedules',
  'data-change': 'Changed records',
  'alert-check': 'Comparisons of alerts',
  'alert-delivery': 'Deliveries of alerts',
  webhook: 'Webhooks and mails',
  backfill: 'Conversion of records',
  'search-index': 'Search index',
  'sql-roles': 'Checks of SQL roles',
  housekeeping: 'Housekeeping',
  backup: 'Backups',
};

/** Returns what a queue of background work does, in words. */
export function queueTitle(queue: string): string {
  return TITLES[queue] ?? queue;
}
