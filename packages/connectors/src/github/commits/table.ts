import type { TableDefinition } from '../../sdk/table.ts';
import { instantColumn } from '../records/fields.ts';

/** The table of commits. `author` and `committer` are logins, or the names in the commit for people without an account. */
export const commitTable: TableDefinition = {
  name: 'gh_commits',
  title: 'title',
  columns: {
    sha: { type: 'text', copies: ['sha'] },
    // The first line of its message.
    title: { type: 'text' },
    author: { type: 'text' },
    author_name: { type: 'text', copies: ['commit', 'author', 'name'] },
    author_email: { type: 'text', copies: ['commit', 'author', 'email'] },
    committer: { type: 'text' },
    committer_name: { type: 'text', copies: ['commit', 'committer', 'name'] },
    committer_email: { type: 'text', copies: ['commit', 'committer', 'email'] },
    is_bot: { type: 'boolean' },
    authored_at: instantColumn('commit', 'author', 'date'),
    committed_at: instantColumn('commit', 'committer', 'date'),
    repository: { type: 'text' },
    verified: { type: 'boolean', copies: ['commit', 'verification', 'verified'] },
    is_merge: { type: 'boolean' },
  },
  groups: ["date_trunc('month', occurred_at at time zone 'UTC')"],
};
