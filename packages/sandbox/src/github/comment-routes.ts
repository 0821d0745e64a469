import type { FastifyInstance, FastifyReply } from 'fastify';
import { queryOf } from '../requests/call.ts';
import type { GithubService } from './github-service.ts';
import { answerList } from './list-answer.ts';
import { keptSelection, oneOf, timeIn } from './list-query.ts';
import type { EndpointAccess } from './permissions.ts';
import type { PullRepository } from './pull-repository.ts';
import type { RecordFacts } from './record-facts.ts';
import type { RecordTable } from './record-table.ts';
import { enterRepository, REPOSITORY_ROOTS } from './repository-entry.ts';

interface CommentNames extends EndpointAccess {
  path: string;
  resource: string;
}

const ISSUES: CommentNames = {
  path: 'issues/comments',
  resource: 'IssueComment',
  anyOf: ['issues', 'pull_requests'],
  page: '/issues/comments#list-issue-comments-for-a-repository',
};

const PULLS: CommentNames = {
  path: 'pulls/comments',
  resource: 'PullRequestReviewComment',
  anyOf: ['pull_requests'],
  page: '/pulls/comments#list-review-comments-in-a-repository',
};

/** Registers the lists of all comments of a repository. */
export function registerComments(scope: FastifyInstance, github: GithubService): void {
  for (const root of REPOSITORY_ROOTS) {
    scope.get(`${root}/issues/comments`, async (request, reply) => {
      const { repository } = enterRepository(github, request, reply, ISSUES);
      return answerComments(github, reply, repository, repository.activity.issueComments, ISSUES);
    });
    scope.get(`${root}/pulls/comments`, async (request, reply) => {
      const { repository } = enterRepository(github, request, reply, PULLS);
      return answerComments(github, reply, repository, repository.activity.reviewComments, PULLS);
    });
  }
}

function answerComments<Facts extends RecordFacts>(
  github: GithubService,
  reply: FastifyReply,
  repository: PullRepository,
  table: RecordTable<Facts>,
  names: CommentNames,
): FastifyReply {
  const scene = repository.scene(github.links);
  return answerList(github, reply, {
    rows: selectComments(table.rows(), queryOf(reply.request), names),
    text: (row) => table.text(row, scene),
    address: `${github.links.api}/repositories/${repository.id}/${names.path}`,
  });
}

/** Returns the comments that the query selects. Without `sort`, the oldest come first. @throws GithubError 422 */
function selectComments<Facts extends RecordFacts>(
  rows: readonly Facts[],
  query: URLSearchParams,
  names: { resource: string; page: string },
): readonly Facts[] {
  const sort = oneOf(query, 'sort', ['created', 'updated', 'created_at'], names);
  const direction = oneOf(query, 'direction', ['asc', 'desc'], names);
  const since = timeIn(query, 'since', names);
  const sign = direction === 'desc' && query.has('sort') ? -1 : 1;
  const field = sort === 'updated' ? 'updatedAt' : 'createdAt';
  return keptSelection(rows, JSON.stringify([field, sign, since]), () =>
    rows
      .filter(({ updatedAt }) => since === undefined || updatedAt >= since)
      .sort((one, other) => sign * (one[field] - other[field]) || sign * (one.id - other.id)),
  );
}
