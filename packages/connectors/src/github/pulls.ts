import { readerOf } from './lists/reader.ts';
import { pullReading } from './pull-content.ts';
import { pullList } from './pull-list.ts';
import { pullRecord } from './pull-record.ts';
import { pullSearch } from './pull-search.ts';
import { pullTable } from './pull-table.ts';
import { repositoryEntity } from './repository-entity.ts';
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
