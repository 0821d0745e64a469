import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { queryOf } from '../requests/call.ts';
import type { CommitHistory, Comparison } from './commit-history.ts';
import { commitShape, fileShape } from './commit-shape.ts';
import { answerConditionally } from './conditional-answer.ts';
import { GithubError, githubNotFound } from './github-error.ts';
import type { GithubService } from './github-service.ts';
import { answerList, requestedPage } from './list-answer.ts';
import { keptSelection, timeIn } from './list-query.ts';
import type { EndpointAccess } from './permissions.ts';
import { linkHeader } from './pull-listing.ts';
import type { CommitFacts } from './record-facts.ts';
import { enterRepository, REPOSITORY_ROOTS } from './repository-entry.ts';
import type { RepositoryScene, Shape } from './repository-scene.ts';

const LIST: EndpointAccess = { anyOf: ['contents'], page: '/commits/commits#list-commits' };
const COMPARE: EndpointAccess = { anyOf: ['contents'], page: '/commits/commits#compare-two-commits' };

/** Most commits of a comparison without `page` and `per_page`, and most files. */
const MAX_COMMITS = 250;
const MAX_FILES = 300;

/** Registers the commits of a branch, and comparisons of two commits. */
export function registerCommits(scope: FastifyInstance, github: GithubService): void {
  for (const root of REPOSITORY_ROOTS) {
    scope.get(`${root}/commits`, async (request, reply) => listCommits(github, request, reply));
    scope.get(`${root}/compare/:basehead`, async (request, reply) => compare(github, request, reply));
  }
}

function listCommits(github: GithubService, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { repository } = enterRepository(github, request, reply, LIST);
  const { history } = repository.activity;
  const scene = repository.scene(github.links);
  const query = queryOf(request);
  if (!history.head) throw new GithubError(409, 'Git Repository is empty.', page(LIST));
  const from = history.find(query.get('sha') || 'main');
  if (!from) throw githubNotFound(LIST.page);
  return answerList(github, reply, {
    rows: selectCommits(history.log(from), query),
    text: (commit) => textOf(commit, scene),
    address: `${github.links.api}/repositories/${repository.id}/commits`,
  });
}

const page = (access: EndpointAccess) => ({ documentation: `https://docs.github.com/rest${access.page}` });

const texts = new WeakMap<CommitFacts, { scene: RepositoryScene; text: Buffer }>();

function textOf(commit: CommitFacts, scene: RepositoryScene): Buffer {
  const kept = texts.get(commit);
  if (kept?.scene === scene) return kept.text;
  const text = Buffer.from(JSON.stringify(commitShape(scene, commit)));
  texts.set(commit, { scene, text });
  return text;
}

/** Returns the commits that the query selects, the newest first. @throws GithubError 422 */
function selectCommits(log: readonly CommitFacts[], query: URLSearchParams): readonly CommitFacts[] {
  const names = { resource: 'Commit', page: LIST.page };
  const since = timeIn(query, 'since', names) ?? Number.NEGATIVE_INFINITY;
  const until = timeIn(query, 'until', names) ?? Number.POSITIVE_INFINITY;
  const people = [query.get('author') ?? '', query.get('committer') ?? ''] as const;
  return keptSelection(log, JSON.stringify([since, until, people]), () =>
    log.filter(({ author, committer }) => {
      if (committer.date < since || committer.date > until) return false;
      return [author, committer].every(({ login, email }, index) =>
        ['', login, email].includes(people[index] ?? ''),
      );
    }),
  );
}

function compare(github: GithubService, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { repository } = enterRepository(github, request, reply, COMPARE);
  const { history } = repository.activity;
  const { base, head, comparison } = compared(history, (request.params as { basehead: string }).basehead);
  const scene = repository.scene(github.links);
  const query = queryOf(request);
  const isPaged = query.has('page') || query.has('per_page');
  const { perPage, page } = isPaged ? requestedPage(query) : { perPage: MAX_COMMITS, page: 1 };
  const { ahead } = comparison;
  const shown = ahead.slice((page - 1) * perPage, page * perPage);
  const range = `${base.sha}...${head.sha}`;
  const address = `${github.links.api}/repositories/${repository.id}/compare/${range}`;
  const link = linkHeader(address, query, { page, last: Math.ceil(ahead.length / perPage) });
  const value: Shape = {
    url: `${scene.api}/compare/${range}`,
    html_url: `${scene.web}/compare/${range}`,
    permalink_url: `${scene.web}/compare/${range}`,
    diff_url: `${scene.web}/compare/${range}.diff`,
    patch_url: `${scene.web}/compare/${range}.patch`,
    base_commit: commitShape(scene, base),
    merge_base_commit: commitShape(scene, comparison.mergeBase),
    status: statusOf(comparison),
    ahead_by: ahead.length,
    behind_by: comparison.behind,
    total_commits: ahead.length,
    commits: shown.map((commit) => commitShape(scene, commit)),
    ...(page === 1 ? { files: filesOf(scene, ahead) } : {}),
  };
  return answerConditionally(github, reply, { value, link });
}

/** Finds the two commits of `base...head`. @throws GithubError 404 for an unknown commit, or without a common ancestor */
function compared(
  history: CommitHistory,
  basehead: string,
): { base: CommitFacts; head: CommitFacts; comparison: Comparison } {
  // A name may have the owner before it, as in comparisons across forks.
  const [base, head] = basehead.split('...').map((name) => history.find(name.replace(/^[^:]*:/, '')));
  const comparison = base && head && history.compare(base, head);
  if (!comparison) throw githubNotFound(COMPARE.page);
  return { base, head, comparison };
}

function statusOf({ ahead, behind }: Comparison): string {
  if (ahead.length === 0) return behind === 0 ? 'identical' : 'behind';
  return behind === 0 ? 'ahead' : 'diverged';
}

function filesOf(scene: RepositoryScene, commits: readonly CommitFacts[]): Shape[] {
  return commits
    .slice(0, MAX_FILES)
    .map((commit) => fileShape(scene, commit, `src/part-${Number.parseInt(commit.sha.slice(0, 4), 16)}.txt`));
}
