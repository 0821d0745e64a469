import type { TableDefinition } from '../../sdk/table.ts';
import { instantColumn, loginColumn } from '../records/fields.ts';

/** The table of repositories. `open_issues` counts open pull requests, too, as GitHub does. */
export const repositoryTable: TableDefinition = {
  name: 'gh_repos',
  title: 'full_name',
  listedBy: 'pushed_at',
  columns: {
    name: { type: 'text', copies: ['name'], standIns: [''] },
    full_name: { type: 'text', copies: ['full_name'], standIns: [''] },
    // Not `owner`, which is a variable of the triggers that index records.
    owner_login: loginColumn('owner'),
    language: { type: 'text', copies: ['language'] },
    topics: { type: 'text[]' },
    stars: { type: 'integer', copies: ['stargazers_count'] },
    forks: { type: 'integer', copies: ['forks_count'] },
    open_issues: { type: 'integer', copies: ['open_issues_count'] },
    pushed_at: instantColumn('pushed_at'),
    created_at: instantColumn('created_at'),
    updated_at: instantColumn('updated_at'),
    archived: { type: 'boolean', copies: ['archived'] },
    private: { type: 'boolean', copies: ['private'] },
    is_fork: { type: 'boolean', copies: ['fork'] },
    description: { type: 'text', copies: ['description'] },
  },
};
