import type { EntityDefinition } from '../../sdk/index.ts';
import { mergedList } from '../lists/reader.ts';
import type { RepositoryList } from '../lists/repository-list.ts';
import { readerOfBoth } from '../lists/two-lists.ts';
import { convertComment } from '../records/comment-record.ts';
import { repositoryEntity } from '../repository/repository-entity.ts';
import { commentReading } from './content.ts';
import { commentSearch } from './search.ts';
import { commentTable } from './table.ts';
import { commentTemplates } from './templates.ts';

/** Returns the number in a record's id if it has a start, else 0: `issuecomment-123`. */
function numberAfter(start: string, id: string): number {
  return id.startsWith(start) ? Number(id.slice(start.length)) : 0;
}

/** Comments on issues, and those on pull requests that are not about a line. */
const issueComments: RepositoryList = {
  kind: 'issue-comments',
  path: '/issues/comments',
  query: {},
  many: 'comments',
  hasOthers: false,
  followsCursors: true,
  orderColumns: [],
  orderOf: ({ id }) => numberAfter('issuecomment-', id),
};
/** Comments on lines of pull requests. */
const reviewComments: RepositoryList = {
  ...issueComments,
  kind: 'review-comments',
  path: '/pulls/comments',
  orderOf: ({ id }) => numberAfter('discussion_r', id),
};

/** The entity of the comments on issues and pull requests. */
export const ghComments: EntityDefinition = repositoryEntity({
  id: 'gh-comments',
  title: 'Comments',
  description:
    '<p>Comments on issues and pull requests, and review comments with the file and line that they are about, newest first.</p>',
  table: commentTable,
  templates: commentTemplates,
  search: commentSearch,
  reading: commentReading,
  globalIds: { newestBy: 'updated_at' },
  extraction: 1,
  convert: convertComment,
  ...readerOfBoth(mergedList(issueComments), mergedList(reviewComments)),
});
