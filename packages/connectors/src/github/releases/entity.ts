import type { EntityDefinition } from '../../sdk/index.ts';
import { newestFirstReader } from '../lists/newest-first-reader.ts';
import { convertRelease } from '../records/release-record.ts';
import { repositoryEntity } from '../repository/repository-entity.ts';
import { releaseReading } from './content.ts';
import { releaseSearch } from './search.ts';
import { releaseTable } from './table.ts';
import { releaseTemplates } from './templates.ts';

/** The entity of the releases of repositories. */
export const ghReleases: EntityDefinition = repositoryEntity({
  id: 'gh-releases',
  title: 'Releases',
  description: '<p>Releases with their notes and the downloads of their files, newest first.</p>',
  table: releaseTable,
  templates: releaseTemplates,
  search: releaseSearch,
  reading: releaseReading,
  globalIds: { newestBy: 'published_at' },
  extraction: 1,
  convert: convertRelease,
  ...newestFirstReader({ kind: 'releases', path: '/releases', many: 'releases' }),
});
