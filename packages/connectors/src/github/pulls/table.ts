import type { TableDefinition } from '../../sdk/table.ts';
import { GHOST, UNKNOWN_STATE } from '../records/fields.ts';

/** The table of pull requests. `state` is GitHub's: a merged pull request is "closed" and has `merged_at`. */
export const pullTable: TableDefinition = {
  name: 'gh_pulls',
  title: 'title',
  columns: {
    number: { type: 'integer', copies: ['number'], standIns: [0] },
    title: { type: 'text', copies: ['title'], standIns: [''] },
    state: { type: 'text', copies: ['state'], standIns: [UNKNOWN_STATE] },
    author: { type: 'text', copies: ['user', 'login'], standIns: [GHOST] },
    repository: { type: 'text' },
    draft: { type: 'boolean', copies: ['draft'] },
    created_at: { type: 'timestamptz', copies: ['created_at'], fractionDigits: 0 },
    updated_at: { type: 'timestamptz', copies: ['updated_at'], fractionDigits: 0 },
    // Any valid instant; templates treat a pull request with one as merged.
    merged_at: { type: 'timestamptz' },
    closed_at: { type: 'timestamptz', copies: ['closed_at'], fractionDigits: 0 },
    labels: { type: 'text[]' },
    reviewers: { type: 'text[]' },
    // GitHub sends these four only with single pull requests.
    additions: { type: 'integer', copies: ['additions'] },
    deletions: { type: 'integer', copies: ['deletions'] },
    changed_files: { type: 'integer', copies: ['changed_files'] },
    comments: { type: 'integer', copies: ['comments'] },
  },
  groups: [
    "date_trunc('month', occurred_at at time zone 'UTC')",
    "date_trunc('month', merged_at at time zone 'UTC')",
    "case when merged_at is null then state else 'merged' end",
  ],
};
