import type { TableDefinition } from '../../sdk/table.ts';
import { instantColumn, loginColumn, UNKNOWN_STATE } from '../records/fields.ts';

/** The table of issues. Their labels and assignees are lists. */
export const issueTable: TableDefinition = {
  name: 'gh_issues',
  title: 'title',
  columns: {
    number: { type: 'integer', copies: ['number'], standIns: [0] },
    title: { type: 'text', copies: ['title'], standIns: [''] },
    state: { type: 'text', copies: ['state'], standIns: [UNKNOWN_STATE] },
    state_reason: { type: 'text', copies: ['state_reason'] },
    author: loginColumn('user'),
    is_bot: { type: 'boolean' },
    repository: { type: 'text' },
    created_at: instantColumn('created_at'),
    updated_at: instantColumn('updated_at'),
    closed_at: instantColumn('closed_at'),
    closed_by: { type: 'text', copies: ['closed_by', 'login'] },
    labels: { type: 'text[]' },
    assignees: { type: 'text[]' },
    milestone: { type: 'text', copies: ['milestone', 'title'] },
    comments: { type: 'integer', copies: ['comments'] },
    reactions: { type: 'integer', copies: ['reactions', 'total_count'] },
  },
  groups: [
    "date_trunc('month', occurred_at at time zone 'UTC')",
    "date_trunc('month', closed_at at time zone 'UTC')",
  ],
};
