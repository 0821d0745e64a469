import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { queryOf } from '../requests/call.ts';
import { answerConditionally } from './conditional-answer.ts';
import { githubNotFound } from './github-error.ts';
import type { GithubService } from './github-service.ts';
import { answerList } from './list-answer.ts';
import { oneOf, timeIn } from './list-query.ts';
import { commentsOf, pullIssueShape, pullIssueText } from './pull-issue-texts.ts';
import type { PullRepository, PullRow } from './pull-repository.ts';
import type { IssueFacts } from './record-facts.ts';
import { enterRepository, REPOSITORY_ROOTS } from './repository-entry.ts';
import type { Shape } from './repository-scene.ts';

const LIST = '/issues/issues#list-repository-issues';
const SINGLE = '/issues/issues#get-an-issue';

/** An issue, or a pull request in the list of issues. */
type Listed = { issue: IssueFacts } | { pull: PullRow };

/** Registers the list of issues and pull requests, and single ones. */
export function registerIssues(scope: FastifyInstance, github: GithubService): void {
  for (const root of REPOSITORY_ROOTS) {
    scope.get(`${root}/issues`, async (request, reply) => listIssues(github, request, reply));
    scope.get(`${root}/issues/:number`, async (request, reply) => getIssue(github, request, reply));
  }
}

function listIssues(github: GithubService, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { repository } = enterRepository(github, request, reply, { anyOf: ['issues'], page: LIST });
  const { activity } = repository;
  const scene = repository.scene(github.links);
  const shapeOf = (listed: Listed) => shapeIn(repository, github, listed);
  return answerList(github, reply, {
    rows: selectIssues(repository, queryOf(request), shapeOf),
    text: (listed) =>
      'issue' in listed
        ? activity.issues.text(listed.issue, scene)
        : pullIssueText(repository, listed.pull, github.links),
    address: `${github.links.api}/repositories/${repository.id}/issues`,
  });
}

function getIssue(github: GithubService, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { repository } = enterRepository(github, request, reply, { anyOf: ['issues'], page: SINGLE });
  const { number = '' } = request.params as { number?: string };
  const issue = /^\d+$/.test(number) ? repository.activity.issue(Number(number)) : undefined;
  const pull = /^\d+$/.test(number) && !issue ? repository.row(Number(number)) : undefined;
  const listed = issue ? { issue } : pull && { pull };
  if (!listed) throw githubNotFound(SINGLE);
  return answerConditionally(github, reply, { value: shapeIn(repository, github, listed) });
}

function shapeIn(repository: PullRepository, github: GithubService, listed: Listed): Shape {
  return 'issue' in listed
    ? repository.activity.issues.shape(listed.issue, repository.scene(github.links))
    : pullIssueShape(repository, listed.pull, github.links);
}

const factsOf = (listed: Listed) => ('issue' in listed ? listed.issue : listed.pull);

/** Returns the issues and pull requests that the query selects, in its order. @throws GithubError 422 */
function selectIssues(
  repository: PullRepository,
  query: URLSearchParams,
  shapeOf: (listed: Listed) => Shape,
): Listed[] {
  const names = { resource: 'Issue', page: LIST };
  const state = oneOf(query, 'state', ['open', 'closed', 'all'], names);
  const sort = oneOf(query, 'sort', ['created', 'updated', 'comments'], names);
  const sign = oneOf(query, 'direction', ['desc', 'asc'], names) === 'asc' ? 1 : -1;
  const since = timeIn(query, 'since', names) ?? Number.NEGATIVE_INFINITY;
  const all: Listed[] = [
    ...repository.activity.issues.rows().map((issue) => ({ issue })),
    ...repository.rows().map((pull) => ({ pull })),
  ];
  const fits = contentFilter(query);
  const kept = all.filter((listed) => {
    const { state: own, updatedAt } = factsOf(listed);
    if (state !== 'all' && own !== state) return false;
    return updatedAt >= since && (fits === undefined || fits(shapeOf(listed)));
  });
  const value = (listed: Listed) => {
    const { createdAt, updatedAt } = factsOf(listed);
    if (sort !== 'comments') return sort === 'created' ? createdAt : updatedAt;
    return 'issue' in listed ? listed.issue.comments : commentsOf(repository, listed.pull);
  };
  return kept.sort(
    (one, other) =>
      sign * (value(one) - value(other)) || sign * (factsOf(one).number - factsOf(other).number),
  );
}

/** Returns the filter by labels and people; undefined if the query has none. */
function contentFilter(query: URLSearchParams): ((shape: Shape) => boolean) | undefined {
  const labels = (query.get('labels') ?? '').split(',').filter((name) => name !== '');
  const [creator, assignee, milestone, mentioned] = ['creator', 'assignee', 'milestone', 'mentioned'].map(
    (name) => query.get(name) ?? undefined,
  );
  if (labels.length === 0 && ![creator, assignee, milestone, mentioned].some(Boolean)) return undefined;
  return (shape) => {
    const named = (shape.labels ?? []) as { name: string }[];
    const assignees = (shape.assignees ?? []) as { login: string }[];
    return (
      labels.every((label) => named.some(({ name }) => name.toLowerCase() === label.toLowerCase())) &&
      (!creator || (shape.user as { login: string } | null)?.login === creator) &&
      (!mentioned || String(shape.body).includes(`@${mentioned}`)) &&
      isOneOf(assignee, assignees, (login) => assignees.some((each) => each.login === login)) &&
      isOneOf(milestone, shape.milestone ? [shape.milestone] : [], (number) => {
        return (shape.milestone as { number: number } | null)?.number === Number(number);
      })
    );
  };
}

/** Treats `*` as any and `none` as none. */
function isOneOf(
  wanted: string | undefined,
  present: readonly unknown[],
  matches: (wanted: string) => boolean,
): boolean {
  if (!wanted) return true;
  if (wanted === '*') return present.length > 0;
  return wanted === 'none' ? present.length === 0 : matches(wanted);
}
