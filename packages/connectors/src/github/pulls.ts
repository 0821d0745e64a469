import { PLAN_LIMITS } from '@datadeck/contract';
import { defineEntity } from '../sdk/index.ts';
import { readerOf } from './lists/reader.ts';
import { pullReading } from './pull-content.ts';
import { pullList } from './pull-list.ts';
import { pullRecord } from './pull-record.ts';
import { pullSearch } from './pull-search.ts';
import { pullTable } from './pull-table.ts';
import { OWNER_PATTERN, REPOSITORY_PATTERN, repositoryOf } from './repository-names.ts';
import { repositoryScopes } from './repository-scopes.ts';
import { pullTemplates } from './templates.ts';

const setting = {
  type: 'text',
  required: true,
  disabled: false,
  isChecked: false,
  defaultValue: '',
} as const;

/** The entity of the pull requests of one repository. */
export const ghPulls = defineEntity({
  id: 'gh-pulls',
  title: 'Pull Requests',
  description:
    '<p>Pull requests of <strong>one repository or many</strong>, open and closed, newest first. Those of several repositories live side by side.</p>',
  dependsOn: [],
  multi: true,
  limits: PLAN_LIMITS['gh-pulls'],
  settings: [
    {
      ...setting,
      id: 'gh-pulls-owner',
      propKey: 'owner',
      pattern: OWNER_PATTERN,
      label: 'Repository owner username',
      placeholder: 'E.g. octocat',
      errorText: 'Please enter a valid username',
      tip: 'The user or organization in the address of the repository: github.com/<owner>/<name>.',
    },
    {
      ...setting,
      id: 'gh-pulls-repo',
      propKey: 'repo',
      pattern: REPOSITORY_PATTERN,
      label: 'Repository name',
      placeholder: 'E.g. hello-world',
      errorText: 'Please enter a valid repository name',
      tip: 'The last part of the address of the repository: github.com/<owner>/<name>.',
    },
  ],
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
  scopeOf: (settings) => repositoryOf(settings).name.toLowerCase(),
  scopes: repositoryScopes,
  ...readerOf(pullList),
});
