import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { queryOf } from '../requests/call.ts';
import { GithubError } from './github-error.ts';
import type { GithubService } from './github-service.ts';
import { answerList } from './list-answer.ts';
import { keptSelection } from './list-query.ts';
import type { EndpointAccess } from './permissions.ts';
import type { RunFacts } from './record-facts.ts';
import { enterRepository, REPOSITORY_ROOTS } from './repository-entry.ts';

const LIST: EndpointAccess = {
  anyOf: ['actions'],
  page: '/actions/workflow-runs#list-workflow-runs-for-a-repository',
};

/** Most results of a list with a filter. */
const MAX_FILTERED = 1000;
const FILTERS = ['actor', 'branch', 'check_suite_id', 'created', 'event', 'head_sha', 'status'];

/** Registers the runs of a repository's workflows. */
export function registerRuns(scope: FastifyInstance, github: GithubService): void {
  for (const root of REPOSITORY_ROOTS)
    scope.get(`${root}/actions/runs`, async (request, reply) => listRuns(github, request, reply));
}

function listRuns(github: GithubService, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { repository } = enterRepository(github, request, reply, LIST);
  const { runs } = repository.activity;
  const scene = repository.scene(github.links);
  const query = queryOf(request);
  const selected = selectRuns(runs.rows(), query);
  const isFiltered = FILTERS.some((name) => query.get(name));
  return answerList(github, reply, {
    rows: isFiltered ? selected.slice(0, MAX_FILTERED) : selected,
    text: (run) => runs.text(run, scene),
    address: `${github.links.api}/repositories/${repository.id}/actions/runs`,
    around: { before: `{"total_count":${selected.length},"workflow_runs":[`, after: ']}' },
  });
}

/** Returns the runs that the query selects, the newest first. @throws GithubError 422 */
function selectRuns(rows: readonly RunFacts[], query: URLSearchParams): readonly RunFacts[] {
  const [branch, event, status, actor, sha] = ['branch', 'event', 'status', 'actor', 'head_sha'].map(
    (name) => query.get(name) || undefined,
  );
  const created = query.get('created') || undefined;
  const isCreatedIn = created === undefined ? () => true : readRange(created);
  return keptSelection(rows, JSON.stringify([branch, event, status, actor, sha, created]), () =>
    rows
      .filter(
        (run) =>
          (branch === undefined || run.branch === branch) &&
          (event === undefined || run.event === event) &&
          (status === undefined || run.status === status || run.conclusion === status) &&
          (actor === undefined || run.actor === actor) &&
          (sha === undefined || run.sha === sha) &&
          isCreatedIn(run.createdAt),
      )
      .sort((one, other) => other.createdAt - one.createdAt || other.id - one.id),
  );
}

/** Reads a range of times in the syntax of GitHub's search: `2026-01-01..2026-02-01`, `>=2026-01-01`, `*..2026-02-01`. */
function readRange(text: string): (time: number) => boolean {
  const dots = text.lastIndexOf('..');
  if (dots > 0 && dots < text.length - 2) {
    const [from, to] = [text.slice(0, dots), text.slice(dots + 2)];
    const [start, end] = [from === '*' ? undefined : spanOf(from), to === '*' ? undefined : spanOf(to)];
    return (time) => time >= (start?.from ?? time) && time <= (end?.to ?? time);
  }
  const [, operator = '', value = ''] = /^(>=|<=|>|<)?(.+)$/.exec(text) ?? [];
  const span = spanOf(value);
  if (operator === '>=') return (time) => time >= span.from;
  if (operator === '>') return (time) => time > span.to;
  if (operator === '<=') return (time) => time <= span.to;
  if (operator === '<') return (time) => time < span.from;
  return (time) => time >= span.from && time <= span.to;
}

/** Returns the milliseconds that a date or a time covers. @throws GithubError 422 */
function spanOf(text: string): { from: number; to: number } {
  const time = Date.parse(text.replace(' ', '+'));
  if (!Number.isFinite(time)) {
    const errors = [{ resource: 'WorkflowRun', code: 'invalid', field: 'created', value: text }];
    throw new GithubError(422, 'Validation Failed', {
      documentation: `https://docs.github.com/rest${LIST.page}`,
      fields: { errors },
    });
  }
  return { from: time, to: time + (/^\d{4}-\d\d-\d\d$/.test(text) ? 86_399_999 : 999) };
}
