import { PLAN_LIMITS } from '@datadeck/contract';
import { defineEntity, type EntityDefinition } from '../../sdk/index.ts';
import { newestFirstReader } from '../lists/newest-first-reader.ts';
import { convertRepository } from '../records/repository-record.ts';
import { repositoryReading } from './content.ts';
import { repositorySearch } from './search.ts';
import { repositoryTable } from './table.ts';
import { repositoryTemplates } from './templates.ts';

/** The entity of the repositories that the account can see. */
export const ghRepos: EntityDefinition = defineEntity({
  id: 'gh-repos',
  title: 'Repositories',
  description:
    '<p>The repositories of the account, of its organizations, and those that others share with it, the last push first.</p>',
  dependsOn: [],
  multi: true,
  limits: PLAN_LIMITS['gh-pulls'],
  settings: [],
  scopeOf: () => 'all',
  table: repositoryTable,
  templates: repositoryTemplates,
  search: repositorySearch,
  reading: repositoryReading,
  globalIds: { newestBy: 'updated_at' },
  extraction: 1,
  convert: convertRepository,
  ...newestFirstReader({
    kind: 'repositories',
    path: '/user/repos',
    query: { sort: 'pushed', direction: 'desc' },
    many: 'repositories',
  }),
});
