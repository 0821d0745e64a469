import { z } from 'zod';
import type { EntityDefinition } from '../../sdk/index.ts';
import { ProviderError } from '../../sdk/index.ts';
import { queryGraphql } from '../api/graphql.ts';
import { readerOf } from '../lists/reader.ts';
import type { CountRequest, RepositoryList } from '../lists/repository-list.ts';
import { convertIssue } from '../records/issue-record.ts';
import { repositoryEntity } from '../repository/repository-entity.ts';
import { settingsOf } from '../repository/repository-names.ts';
import { issueReading } from './content.ts';
import { issueSearch } from './search.ts';
import { issueTable } from './table.ts';
import { issueTemplates } from './templates.ts';

/** Number of issues, without pull requests: one point. */
const COUNT_QUERY = `
query IssueCount($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) { issues(first: 1) { totalCount } }
}`;
const countSchema = z.object({
  repository: z.object({ issues: z.object({ totalCount: z.number().int() }) }),
});

/** Counts issues without pull requests; null at a server without GraphQL, or a token that may not use it. */
async function countIssues(
  url: string,
  { request, repository, signal }: CountRequest,
): Promise<number | null> {
  const { owner, repo: name } = settingsOf(repository.name);
  try {
    const variables = { owner, name };
    const { data } = await queryGraphql(request.client, url, { query: COUNT_QUERY, variables, signal });
    return countSchema.safeParse(data).data?.repository.issues.totalCount ?? null;
  } catch (error) {
    if (error instanceof ProviderError && error.failure !== 'rate-limited') return null;
    throw error;
  }
}

/** Returns the list of issues, in which GitHub has pull requests, too. @param graphql address of GraphQL */
function issueList(graphql: string): RepositoryList {
  return {
    kind: 'issues',
    path: '/issues',
    query: { state: 'all' },
    many: 'issues',
    hasOthers: true,
    followsCursors: true,
    countOwn: (request) => countIssues(graphql, request),
    orderColumns: ['number'],
    orderOf: ({ columns }) => Number(columns.number),
  };
}

/** Declares the entity of the issues of repositories. @param graphql address of GraphQL */
export function ghIssues(graphql: string): EntityDefinition {
  return repositoryEntity({
    id: 'gh-issues',
    title: 'Issues',
    description:
      '<p>Issues of <strong>one repository or many</strong>, open and closed, newest first, without pull requests.</p>',
    table: issueTable,
    templates: issueTemplates,
    search: issueSearch,
    reading: issueReading,
    globalIds: { newestBy: 'updated_at' },
    extraction: 1,
    convert: convertIssue,
    ...readerOf(issueList(graphql)),
  });
}
