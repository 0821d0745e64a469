import type { RepositoryList } from '../lists/repository-list.ts';

/** The list of pull requests. */
export const pullList: RepositoryList = {
  kind: 'pulls',
  path: '/pulls',
  query: { state: 'all' },
  many: 'pull requests',
  hasOthers: false,
  followsCursors: false,
  orderColumns: ['number'],
  orderOf: ({ columns }) => Number(columns.number),
};
