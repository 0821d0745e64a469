import { z } from 'zod';
import { ProviderError, ScopeBatches, type ScopeChoice, type ScopeListRequest } from '../../sdk/index.ts';
import { linkTo } from '../../sdk/link-header.ts';
import { isRepositoryName, ownerOf } from './repository-names.ts';

const PAGE_SIZE = 100;
/** Pages of one list; more than the largest number of choices. */
const MAX_PAGES = 120;

const repositorySchema = z.object({
  full_name: z.string(),
  owner: z.object({ login: z.string() }),
  private: z.boolean().nullish(),
  fork: z.boolean().nullish(),
  archived: z.boolean().nullish(),
  pushed_at: z.string().nullish(),
});
const listSchema = z.array(z.unknown());

/** Returns the choice of a listed repository; undefined for one that cannot be read or whose name fits no address. */
function choiceOf(raw: unknown): ScopeChoice | undefined {
  const parsed = repositorySchema.safeParse(raw);
  if (!parsed.success || !isRepositoryName(parsed.data.full_name)) return undefined;
  const { full_name: name, owner, pushed_at: pushedAt, ...flags } = parsed.data;
  const pushed = Date.parse(pushedAt ?? '');
  return {
    name,
    title: name,
    group: owner.login,
    isPrivate: flags.private ?? false,
    isFork: flags.fork ?? false,
    isArchived: flags.archived ?? false,
    isTrash: false,
    count: null,
    changedAt: Number.isNaN(pushed) ? null : new Date(pushed).toISOString(),
  };
}

/** Yields the pages of one list of repositories, the last push first. */
async function* listPages({ client, signal }: ScopeListRequest, path: string): AsyncGenerator<ScopeChoice[]> {
  for (let page = 1; page <= MAX_PAGES; page++) {
    const answer = await client.get({
      path,
      query: { per_page: String(PAGE_SIZE), sort: 'pushed', direction: 'desc', page: String(page) },
      headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
      units: 1,
      signal,
    });
    const list = listSchema.safeParse(answer.body);
    if (!list.success)
      throw new ProviderError('malformed', 'GitHub sent a list of repositories that cannot be read.', {
        cause: list.error,
      });
    yield list.data.flatMap((raw) => choiceOf(raw) ?? []);
    const link = answer.headers.get('link');
    // Without the header the page is the only one, unless a proxy has removed it.
    if (link === null ? list.data.length < PAGE_SIZE : linkTo(link, 'next') === undefined) return;
  }
}

/** Yields the pages of an owner's public repositories; none if there is no such owner. */
async function* listOwned(request: ScopeListRequest, owner: string): AsyncGenerator<ScopeChoice[]> {
  try {
    yield* listPages(request, `/users/${encodeURIComponent(owner)}/repos`);
  } catch (error) {
    if (!(error instanceof ProviderError && error.failure === 'not-found')) throw error;
  }
}

/**
 * Yields the repositories that the account owns or has access to, and for a pattern those of its owner, to which public
 * ones belong that GitHub does not list for the account. `/users/{owner}/repos` lists those of organisations, too.
 */
export async function* listRepositories(request: ScopeListRequest): AsyncGenerator<ScopeChoice[]> {
  const owner = request.pattern === undefined ? undefined : ownerOf(request.pattern);
  const batches = new ScopeBatches();
  const lists = [
    listPages(request, '/user/repos'),
    ...(owner === undefined ? [] : [listOwned(request, owner)]),
  ];
  for (const list of lists) {
    for await (const choices of list) {
      const wanted = choices.filter(
        ({ group }) => owner === undefined || group.toLowerCase() === owner.toLowerCase(),
      );
      const batch = batches.add(wanted);
      if (batch.length > 0) yield batch;
      if (batches.isFull) return;
    }
  }
}
