import { orderedParallel, type ProviderClient } from '../sdk/index.ts';
import { fetchPage, mayGoOn, pullThread, type Repository } from './pull-pages.ts';

function idsOf({ records }: Awaited<ReturnType<typeof fetchPage>>): string[] {
  return records.map(({ id }) => id);
}

/**
 * The ids of a repository's pull requests, the oldest first: their pages do not move when others are opened, so that
 * several are asked for at once. GitHub has no list of ids alone.
 */
export async function* listPullIds(client: ProviderClient, repository: Repository): AsyncGenerator<string[]> {
  const reader = pullThread.open();
  const fetchAt = (page: number, signal: AbortSignal) =>
    fetchPage(
      { request: { client }, repository, signal, reader },
      { sort: 'created', direction: 'asc', page: String(page) },
    );
  try {
    // The client's own signal ends this one.
    let last = await fetchAt(1, new AbortController().signal);
    yield idsOf(last);
    for (let from = 2; mayGoOn(last) && from <= (last.lastPage ?? from); ) {
      const pages = Array.from({ length: (last.lastPage ?? from) - from + 1 }, (_, index) => from + index);
      from += pages.length;
      for await (const page of orderedParallel(pages, () => client.ahead, fetchAt)) {
        // A server that knows no pages sends the first one for ever.
        if (page.records[0]?.id === last.records[0]?.id) return;
        yield idsOf(page);
        last = page;
      }
    }
  } finally {
    reader.close();
  }
}
