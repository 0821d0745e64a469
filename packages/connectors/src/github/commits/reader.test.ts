import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nothingStored } from '../../../test-support/nothing-stored.ts';
import { type SmallServer, startSmallServer } from '../../sdk/conformance/small-server.ts';
import { ProviderClient, type ReadRequest, Scheduler } from '../../sdk/index.ts';
import { classifyGithub } from '../api/classify.ts';
import { commitReader } from './reader.ts';

const OLD = 'a'.repeat(40);
const HEAD = 'b'.repeat(40);

let server: SmallServer;
/** The body of an answer, or a status and a body. */
let answer: (url: URL) => unknown;
let link: string | undefined;
let requests: string[];

beforeEach(async () => {
  [requests, link] = [[], undefined];
  server = await startSmallServer((request, response) => {
    const url = new URL(request.url ?? '', server.url);
    requests.push(url.pathname);
    const headers = { 'content-type': 'application/json', ...(link && { link }) };
    response.writeHead(200, headers).end(JSON.stringify(answer(url)));
  });
});
afterEach(() => server.close());

function requestOf(more: Partial<ReadRequest> = {}): ReadRequest {
  const { signal } = new AbortController();
  const client = new ProviderClient({
    connector: { title: 'GitHub', apiUrl: server.url, classify: classifyGithub },
    scheduler: new Scheduler({ concurrency: 5, unitsPerMinute: Number.POSITIVE_INFINITY }),
    credentials: async () => ({ accessToken: 'secret', scopes: [] }),
    signal,
  });
  const settings = { owner: 'acme', repo: 'box' };
  return {
    ...{ client, settings, checkpoint: null, cursor: null, limit: 5000, signal, stored: nothingStored },
    ...more,
  };
}

async function run(more: Partial<ReadRequest> = {}): Promise<string[]> {
  const ids: string[] = [];
  for await (const page of commitReader.read(requestOf(more))) ids.push(...page.records.map(({ id }) => id));
  return ids;
}

function commit(number: number, sha = number.toString(16).padStart(40, '0')) {
  const date = '2026-10-01T00:00:00Z';
  return { sha, node_id: `C_${number}`, commit: { message: 'Change', committer: { date } } };
}

function commits(from: number, count: number) {
  return Array.from({ length: count }, (_, index) => commit(from + index));
}

const since = { cursor: { head: OLD, etag: null } };

/** Answers with the head, and pages of a comparison. */
function comparing(ahead_by: number, pageOf: (page: number) => unknown[]) {
  answer = ({ pathname, searchParams }) =>
    pathname.includes('/compare/')
      ? { status: 'ahead', ahead_by, commits: pageOf(Number(searchParams.get('page'))) }
      : [commit(0, HEAD)];
}

describe('changes of commits', () => {
  it.each([30, 100, 250])('have all commits in pages of %i', async (size) => {
    comparing(250, (page) => commits((page - 1) * size, Math.min(size, 250 - (page - 1) * size)));
    expect(await run(since)).toHaveLength(250);
  });

  it.each<[string, (page: number) => unknown[]]>([
    ['that is empty', () => []],
    ['that ends early', (page) => (page === 1 ? commits(0, 100) : [])],
    ['that repeats its first page', () => commits(0, 100)],
  ])('become a full run for a comparison %s', async (_name, pageOf) => {
    comparing(350, pageOf);
    await expect(run(since)).rejects.toMatchObject({ failure: 'cursor-expired' });
    expect(requests.length).toBeLessThan(6);
  });

  it.each([-1, 1e9, 1.5, 1e300])('become a full run when the branch is %d commits ahead', async (ahead) => {
    comparing(ahead, () => []);
    await expect(run(since)).rejects.toMatchObject({ failure: 'cursor-expired' });
    await expect(run({ ...since, limit: Number.POSITIVE_INFINITY })).rejects.toMatchObject({
      failure: 'cursor-expired',
    });
  });
});

describe('list of commits', () => {
  it.each([null, '', 'main', 'B'.repeat(40)])(
    'is not taken for an empty one with the hash %j',
    async (sha) => {
      answer = () => [{ ...commit(1), sha }];
      await expect(run()).rejects.toMatchObject({ failure: 'malformed' });
      await expect(run(since)).rejects.toMatchObject({ failure: 'malformed' });
    },
  );

  it('reads no further than the first page that is missing, however many the server names', async () => {
    const next = (page: number) => `<${server.url}/repositories/1/commits?page=${page}>`;
    answer = ({ searchParams }) => {
      const page = Number(searchParams.get('page'));
      link = page < 3 ? `${next(page + 1)}; rel="next", ${next(100_000_000)}; rel="last"` : '';
      return page <= 3 ? [commit(page, page === 1 ? HEAD : undefined)] : [];
    };
    const ids: string[] = [];
    for await (const some of commitReader.listIds(requestOf())) ids.push(...some);
    expect(ids).toEqual(['C_1', 'C_2', 'C_3']);
  });

  it('fails for a last page beyond any list', async () => {
    answer = () => [commit(1, HEAD)];
    link = `<${server.url}/repositories/1/commits?page=2>; rel="next", <${server.url}/repositories/1/commits?page=999999999999>; rel="last"`;
    await expect(run()).rejects.toMatchObject({ failure: 'malformed' });
  });
});
