import type { TableDefinition } from '../../sdk/table.ts';
import { instantColumn, loginColumn } from '../records/fields.ts';

/**
 * The table of workflow runs. A run that was started again is one row with its last attempt; `started_at` and
 * `duration_seconds` are of that attempt, and null until it has completed.
 */
export const runTable: TableDefinition = {
  name: 'gh_runs',
  title: 'title',
  columns: {
    number: { type: 'integer', copies: ['run_number'], standIns: [0] },
    title: { type: 'text', copies: ['display_title'], standIns: [''] },
    workflow: { type: 'text' },
    workflow_id: { type: 'bigint', copies: ['workflow_id'] },
    branch: { type: 'text', copies: ['head_branch'] },
    event: { type: 'text', copies: ['event'] },
    status: { type: 'text', copies: ['status'] },
    conclusion: { type: 'text', copies: ['conclusion'] },
    attempt: { type: 'integer', copies: ['run_attempt'] },
    actor: loginColumn('actor'),
    is_bot: { type: 'boolean' },
    sha: { type: 'text', copies: ['head_sha'] },
    duration_seconds: { type: 'integer' },
    started_at: instantColumn('run_started_at'),
    created_at: instantColumn('created_at'),
    updated_at: instantColumn('updated_at'),
    repository: { type: 'text' },
    pulls: { type: 'text[]' },
  },
  groups: ["date_trunc('month', occurred_at at time zone 'UTC')"],
};
