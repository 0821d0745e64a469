import type { FaultEntry } from './fault-entry.ts';

const DATA = ['gmail', 'github'] as const;
const ANY = /./;
const LISTS = /\/(messages|threads|pulls|issues|comments|runs|commits|releases)$/;

/** Changes that happen at a provider while it is being read. */
export const DATA_CHANGE_FAULTS = [
  {
    name: 'insert-between-pages',
    apis: DATA,
    path: LISTS,
    effect: 'options.count (1) new records appear before the page is read.',
  },
  {
    name: 'delete-between-pages',
    apis: DATA,
    path: LISTS,
    effect: 'options.count (1) of the newest records are deleted before the page is read.',
  },
  {
    name: 'update-between-pages',
    apis: DATA,
    path: LISTS,
    effect: 'options.count (1) of the oldest records change before the page is read.',
  },
  {
    name: 'page-token-expired',
    apis: ['gmail'],
    path: /\/(messages|threads|history)$/,
    effect: 'A page token is rejected with 400.',
  },
  {
    name: 'page-token-loop',
    apis: DATA,
    path: LISTS,
    effect: 'The next page token, or next link, repeats the one just used.',
  },
  {
    name: 'page-token-cycle',
    apis: ['gmail'],
    path: LISTS,
    effect: 'Later pages name the first one as the next.',
  },
  {
    name: 'short-page',
    apis: ['gmail'],
    path: /\/(messages|threads|history)$/,
    effect: 'A page holds at most options.count (2) records, even if more were requested.',
  },
  {
    name: 'empty-page-with-next',
    apis: DATA,
    path: LISTS,
    effect: 'A page has no records but a next page token.',
  },
  {
    name: 'history-gone',
    apis: ['gmail'],
    path: /\/history$/,
    effect: 'The start history id is out of range: 404.',
  },
  {
    name: 'history-repeats',
    apis: ['gmail'],
    path: /\/history$/,
    effect: 'History records are listed twice and in reverse order.',
  },
  {
    name: 'message-gone',
    apis: ['gmail'],
    path: /\/(messages|threads)\/[^/]+$/,
    effect: 'Reading a listed message fails with 404.',
  },
  {
    name: 'label-renamed',
    apis: ['gmail'],
    path: ANY,
    effect: 'The first user label is renamed before the response.',
  },
  {
    name: 'label-deleted',
    apis: ['gmail'],
    path: ANY,
    effect: 'The first user label is deleted before the response.',
  },
  {
    name: 'repo-renamed',
    apis: ['github'],
    path: /^\/repos\//,
    effect: 'The repository is renamed (options.name): afterwards 301 to its id.',
  },
  {
    name: 'repo-deleted',
    apis: ['github'],
    path: /^\/repos\//,
    effect: 'The repository is deleted: afterwards 404.',
  },
  {
    name: 'repo-private',
    apis: ['github'],
    path: /^\/repos\//,
    effect: 'The repository turns private and the account loses access: afterwards 404.',
  },
] as const satisfies readonly FaultEntry[];
