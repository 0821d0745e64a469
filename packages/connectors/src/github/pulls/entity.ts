import { readerOf } from '../lists/reader.ts';
import { pullRecord } from '../records/pull-record.ts';
import { repositoryEntity } from '../repository/repository-entity.ts';
import { pullReading } from './content.ts';
import { pullList } from './list.ts';
import { pullSearch } from './search.ts';
import { pullTable } from './table.ts';
import { pullTemplates } from './templates.ts';

/** The entity of the pull requests of repositories. */
export const ghPulls = repositoryEntity({
  id: 'gh-pulls',
  title: 'Pull Requests',
  description:
    '<p>Pull requests of <strong>one repository or many</strong>, open and closed, newest first. Those of several repositories live side by side.</p>',
  table: pullTable,
  templates: pullTemplates,
  search: pullSearch,
  reading: pullReading,
  globalIds: { newestBy: 'updated_at' },
  extraction: 2,
  convert(document, olderValues) {
    const { data, columns } = pullRecord(document, String(olderValues.repository ?? ''));
    return { data, columns };
  },
  ...readerOf(pullList),
});
