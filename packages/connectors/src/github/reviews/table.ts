import type { TableDefinition } from '../../sdk/table.ts';
import { instantColumn, loginColumn } from '../records/fields.ts';

/**
 * The table of reviews. `state` is GitHub's: `APPROVED`, `CHANGES_REQUESTED`, `COMMENTED`, `DISMISSED` or `PENDING`.
 * `pull_state` is `open`, `closed` or `merged`.
 */
export const reviewTable: TableDefinition = {
  name: 'gh_reviews',
  title: 'title',
  // Runs read reviews by pull request, the newest pull request first.
  listedBy: 'pull_opened_at',
  columns: {
    number: { type: 'integer', copies: ['pull_request', 'number'], standIns: [0] },
    title: { type: 'text', copies: ['pull_request', 'title'], standIns: [''] },
    state: { type: 'text', copies: ['state'] },
    author: loginColumn('user'),
    is_bot: { type: 'boolean' },
    pull_author: loginColumn('pull_request', 'user'),
    pull_is_bot: { type: 'boolean' },
    pull_opened_at: instantColumn('pull_request', 'created_at'),
    pull_state: { type: 'text' },
    submitted_at: instantColumn('submitted_at'),
    updated_at: instantColumn('updated_at'),
    repository: { type: 'text' },
  },
};
