import { PLAN_LIMITS } from '@datadeck/contract';
import { defineEntity, parseSaved } from '../sdk/index.ts';
import { readChanges } from './pull-changes.ts';
import { pullReading } from './pull-content.ts';
import { fetchCount } from './pull-count.ts';
import { listPullIds, readAll } from './pull-listing.ts';
import { fetchPage, PAGE_SIZE } from './pull-pages.ts';
import { pullRecord } from './pull-record.ts';
import { pullSearch } from './pull-search.ts';
import { pullTable } from './pull-table.ts';
import { OWNER_PATTERN, REPOSITORY_PATTERN, repositoryOf } from './repository-names.ts';
import { repositoryScopes } from './repository-scopes.ts';
import { pullTemplates } from './templates.ts';
import { cursorSchema } from './watermark.ts';

/** A signal that never aborts; the client's own signal ends the requests. */
const NEVER = new AbortController().signal;
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
    '<p>Pull requests of <strong>one repository</strong>, open and closed, newest first. Several repositories can be synchronized one after the other; they live side by side.</p>',
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
  async *read(request) {
    const repository = repositoryOf(request.settings);
    const cursor = parseSaved(cursorSchema, request.cursor);
    if (cursor) return yield* readChanges(request, repository, cursor);
    return yield* readAll(request, repository);
  },
  /** Counts the changes since a cursor on the first page only: more than one page of changes is underestimated. */
  async estimate(request) {
    const { settings, cursor, limit } = request;
    const source = { request, repository: repositoryOf(settings), signal: NEVER };
    const count = await fetchCount(source);
    // Such a list is counted only by reading it, so the limit is all that is known.
    if (!count) {
      const most = Math.ceil(limit / PAGE_SIZE);
      return { total: null, records: limit, requests: most + 1, units: most + 1 };
    }
    const { total, pageSize } = count;
    const since = parseSaved(cursorSchema, cursor);
    const pages = Math.ceil(Math.min(total, limit) / pageSize);
    const full = { total, records: Math.min(total, limit), requests: pages + 1, units: pages + 1 };
    if (!since || (since.total ?? 0) > total) return full;
    const { records } = await fetchPage(source, { sort: 'updated', direction: 'desc', page: '1' });
    const changed = records.filter(({ updatedAt }) => updatedAt > Date.parse(since.updatedUntil)).length;
    return { total, records: changed, requests: 2, units: 2 };
  },
  listIds: (request) => listPullIds(request, repositoryOf(request.settings)),
});
