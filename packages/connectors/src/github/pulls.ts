import { z } from 'zod';
import {
  type Completion,
  defineEntity,
  orderedParallel,
  type Page,
  type ProviderAnswer,
  type ReadRequest,
} from '../sdk/index.ts';
import { pullPage } from './pull-record.ts';

const PAGE_SIZE = 100;
/** Pages drift and many pull requests share an `updated_at`: look back this far before the watermark. */
const OVERLAP_MS = 10 * 60_000;

const cursorSchema = z.object({ updatedUntil: z.string() });
const fullCheckpointSchema = z.object({
  nextPage: z.number().int(),
  lastPage: z.number().int(),
  startedAt: z.string(),
});

interface Repository {
  name: string;
  path: string;
}

function repositoryOf(settings: Readonly<Record<string, string>>): Repository {
  const owner = (settings.owner ?? '').trim();
  const repo = (settings.repo ?? '').trim();
  return {
    name: `${owner}/${repo}`,
    path: `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}/pulls`,
  };
}

/** The number behind rel="last" of a Link header (RFC 8288); 1 when there is none. */
export function lastPageOf(link: string | null): number {
  const target = link
    ?.split(',')
    .find((part) => /rel="?last"?/.test(part))
    ?.match(/[?&]page=(\d+)/);
  return target ? Number(target[1]) : 1;
}

function serverTime(answer: ProviderAnswer): string {
  const date = Date.parse(answer.headers.get('date') ?? '');
  return new Date(Number.isNaN(date) ? Date.now() : date).toISOString();
}

async function fetchPage(
  request: ReadRequest,
  repository: Repository,
  query: Record<string, string>,
): Promise<ProviderAnswer> {
  return request.client.get({
    path: repository.path,
    query: { state: 'all', per_page: String(PAGE_SIZE), ...query },
    headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
    units: 1,
  });
}

/**
 * The whole repository, newest first: ascending pages are stable, so they are walked from the last one down,
 * several at once, and yielded in order.
 */
async function* readAll(request: ReadRequest, repository: Repository): AsyncGenerator<Page, Completion> {
  const ascending = (page: number) =>
    fetchPage(request, repository, { sort: 'created', direction: 'asc', page: String(page) });
  const resumed = fullCheckpointSchema.nullable().parse(request.checkpoint);
  const first = resumed ? undefined : await ascending(1);
  const lastPage = resumed?.lastPage ?? lastPageOf(first?.headers.get('link') ?? null);
  const startedAt = resumed?.startedAt ?? serverTime(first as ProviderAnswer);
  const from = resumed?.nextPage ?? lastPage;
  const enough = Math.max(1, from - Math.ceil(request.limit / PAGE_SIZE));
  const numbers = Array.from({ length: Math.max(0, from - enough + 1) }, (_, index) => from - index);

  let left = request.limit;
  let page = from;
  const answers = orderedParallel(numbers, request.client.concurrency, async (number) =>
    number === 1 && first ? first : ascending(number),
  );
  for await (const answer of answers) {
    const { records } = pullPage(answer.body, repository.name);
    const newestFirst = records.reverse().slice(0, left);
    left -= newestFirst.length;
    page -= 1;
    const total = page + 1 === lastPage ? { total: (lastPage - 1) * PAGE_SIZE + records.length } : {};
    yield { records: newestFirst, checkpoint: { nextPage: page, lastPage, startedAt }, ...total };
    if (left <= 0) break;
  }
  return { cursor: { updatedUntil: startedAt }, truncated: left <= 0 && page >= 1 };
}

/** What changed since the watermark, most recently updated first. */
async function* readChanges(
  request: ReadRequest,
  repository: Repository,
  updatedUntil: string,
): AsyncGenerator<Page, Completion> {
  const horizon = new Date(Date.parse(updatedUntil) - OVERLAP_MS).toISOString();
  let startedAt: string | undefined;
  for (let number = 1; ; number++) {
    const answer = await fetchPage(request, repository, {
      sort: 'updated',
      direction: 'desc',
      page: String(number),
    });
    startedAt ??= serverTime(answer);
    const { records, oldestUpdate } = pullPage(answer.body, repository.name);
    const changed = records.filter(
      (record) => Date.parse(String(record.facets.updated)) >= Date.parse(horizon),
    );
    yield { records: changed, checkpoint: null };
    const reachedHorizon = oldestUpdate === null || Date.parse(oldestUpdate) < Date.parse(horizon);
    if (reachedHorizon || number >= lastPageOf(answer.headers.get('link'))) break;
  }
  return { cursor: { updatedUntil: startedAt }, truncated: false };
}

const NAME_PATTERN = '[A-Za-z0-9_\\-]+';
const setting = {
  type: 'text',
  required: true,
  disabled: false,
  isChecked: false,
  defaultValue: '',
  pattern: NAME_PATTERN,
} as const;

/** GitHub pull requests of one repository. */
export const ghPulls = defineEntity({
  id: 'gh-pulls',
  title: 'Pull Requests',
  description:
    '<p>Pull requests of <strong>one repository</strong>, open and closed, newest first. Several repositories can be synchronised one after the other; they live side by side.</p>',
  dependsOn: [],
  multi: true,
  settings: [
    {
      ...setting,
      id: 'gh-pulls-owner',
      propKey: 'owner',
      label: 'Repository owner username',
      placeholder: 'E.g. octocat',
      errorText: 'Please enter a valid username',
      tip: 'The user or organisation in the address of the repository: github.com/<owner>/<name>.',
    },
    {
      ...setting,
      id: 'gh-pulls-repo',
      propKey: 'repo',
      label: 'Repository name',
      placeholder: 'E.g. hello-world',
      errorText: 'Please enter a valid repository name',
      tip: 'The last part of the address of the repository: github.com/<owner>/<name>.',
    },
  ],
  scopeOf: (settings) => repositoryOf(settings).name.toLowerCase(),
  async *read(request) {
    const repository = repositoryOf(request.settings);
    const cursor = cursorSchema.nullable().parse(request.cursor);
    if (cursor) return yield* readChanges(request, repository, cursor.updatedUntil);
    return yield* readAll(request, repository);
  },
});
