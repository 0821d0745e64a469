import type { TokenScope } from '@datadeck/contract';

/** Names of the token scopes, and what each allows. */
export const SCOPE_WORDS: Readonly<Record<TokenScope, { title: string; meaning: string }>> = {
  read: { title: 'Read', meaning: 'Search and read records, queries, views and syncs.' },
  sync: { title: 'Sync', meaning: 'Also start, verify and cancel synchronizations.' },
  manage: { title: 'Manage', meaning: 'Also change connections, schedules, queries and views.' },
  view: {
    title: 'One view',
    meaning: 'Only the results of one view, up to a number of rows. Also as a feed or calendar.',
  },
  board: {
    title: 'One board',
    meaning: 'Only the views on one board, up to a number of rows.',
  },
};
