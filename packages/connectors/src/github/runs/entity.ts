import type { EntityDefinition } from '../../sdk/index.ts';
import { newestFirstReader } from '../lists/newest-first-reader.ts';
import { convertRun } from '../records/run-record.ts';
import { repositoryEntity } from '../repository/repository-entity.ts';
import { runReading } from './content.ts';
import { runSearch } from './search.ts';
import { runTable } from './table.ts';
import { runTemplates } from './templates.ts';

const DAY_MS = 24 * 3600 * 1000;

/** The entity of the runs of GitHub Actions. */
export const ghRuns: EntityDefinition = repositoryEntity({
  id: 'gh-runs',
  title: 'Workflow Runs',
  description:
    '<p>Runs of GitHub Actions: workflow, branch, conclusion and duration, newest first. Each sync also reads the runs of the last three days and those that were not finished again.</p>',
  table: runTable,
  templates: runTemplates,
  search: runSearch,
  reading: runReading,
  globalIds: { newestBy: 'updated_at' },
  extraction: 1,
  convert: convertRun,
  ...newestFirstReader(
    { kind: 'runs', path: '/actions/runs', many: 'workflow runs' },
    {
      // People start failed runs again within days; GitHub allows it for thirty.
      changesFor: 3 * DAY_MS,
      // GitHub ends a run after 35 days.
      finishesWithin: 35 * DAY_MS,
      finishedColumns: ['status'],
      isFinished: ({ status }) => status === 'completed',
      createdColumn: 'created_at',
    },
  ),
});
