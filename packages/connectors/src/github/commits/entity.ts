import type { EntityDefinition } from '../../sdk/index.ts';
import { convertCommit } from '../records/commit-record.ts';
import { repositoryEntity } from '../repository/repository-entity.ts';
import { commitReading } from './content.ts';
import { commitReader } from './reader.ts';
import { commitSearch } from './search.ts';
import { commitTable } from './table.ts';
import { commitTemplates } from './templates.ts';

/** The entity of the commits of the default branches of repositories. */
export const ghCommits: EntityDefinition = repositoryEntity({
  id: 'gh-commits',
  title: 'Commits',
  description:
    '<p>Commits of the <strong>default branch</strong> of one repository or many, with their authors and messages, newest first.</p>',
  table: commitTable,
  templates: commitTemplates,
  search: commitSearch,
  reading: commitReading,
  globalIds: { newestBy: 'committed_at' },
  extraction: 1,
  convert: convertCommit,
  ...commitReader,
});
