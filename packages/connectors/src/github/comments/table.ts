import type { TableDefinition } from '../../sdk/table.ts';
import { instantColumn, loginColumn } from '../records/fields.ts';

/**
 * The table of comments. `kind` is `issue`, `pull` (in the conversation of a pull request) or `review` (at a line of its
 * changes). `in_reply_to` and `review` are ids of records, the latter of `gh_reviews`.
 */
export const commentTable: TableDefinition = {
  name: 'gh_comments',
  title: 'title',
  columns: {
    kind: { type: 'text' },
    number: { type: 'integer' },
    // The start of its text.
    title: { type: 'text' },
    author: loginColumn('user'),
    is_bot: { type: 'boolean' },
    repository: { type: 'text' },
    path: { type: 'text', copies: ['path'] },
    line: { type: 'integer', copies: ['line'] },
    in_reply_to: { type: 'text' },
    review: { type: 'text' },
    created_at: instantColumn('created_at'),
    updated_at: instantColumn('updated_at'),
    reactions: { type: 'integer', copies: ['reactions', 'total_count'] },
  },
  groups: ["date_trunc('month', occurred_at at time zone 'UTC')"],
};
