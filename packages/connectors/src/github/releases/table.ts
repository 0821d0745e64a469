import type { TableDefinition } from '../../sdk/table.ts';
import { instantColumn, loginColumn } from '../records/fields.ts';

/** The table of releases. `title` is the name, or the tag of a release without one; `downloads` counts all its files. */
export const releaseTable: TableDefinition = {
  name: 'gh_releases',
  title: 'title',
  listedBy: 'created_at',
  columns: {
    title: { type: 'text' },
    tag: { type: 'text', copies: ['tag_name'] },
    author: loginColumn('author'),
    is_bot: { type: 'boolean' },
    draft: { type: 'boolean', copies: ['draft'] },
    prerelease: { type: 'boolean', copies: ['prerelease'] },
    created_at: instantColumn('created_at'),
    published_at: instantColumn('published_at'),
    updated_at: instantColumn('updated_at'),
    downloads: { type: 'bigint' },
    files: { type: 'integer' },
    repository: { type: 'text' },
  },
};
