import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nothingStored } from '../../../test-support/nothing-stored.ts';
import { type SmallServer, startSmallServer } from '../../sdk/conformance/small-server.ts';
import { PageCheck, ProviderClient, type ReadRequest, Scheduler } from '../../sdk/index.ts';
import { classifyGithub } from '../api/classify.ts';
import { reviewReader } from './reader.ts';
import { reviewTable } from './table.ts';

interface Variables {
  first?: number;
  after: string | null;
  id?: string;
}

let server: SmallServer;
/** Returns the answer to a query. */
let answer: (variables: Variables) => unknown;
let asked: Variables[];

beforeEach(async () => {
  asked = [];
  server = await startSmallServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const { variables } = JSON.parse(Buffer.concat(pieces).toString()) as { variables: Variables };
    asked.push(variables);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer(variables)));
  });
});
afterEach(() => server.close());

let now = Date.parse('2026-11-01T00:00:00Z');
/** A clock that a pause moves forward. */
const quiet = {
  now: () => now,
  pause: async (ms: number) => {
    now += ms;
  },
};

const date = '2026-10-01T00:00:00Z';
const end = { hasNextPage: false, endCursor: null };
const next = (endCursor: string) => ({ hasNextPage: true, endCursor });

function review(id: number) {
  return { id: `R_${id}`, fullDatabaseId: String(id), state: 'APPROVED', submittedAt: date, updatedAt: date };
}

function pull(number: number, reviews: unknown) {
  return { id: `P_${number}`, number, createdAt: date, updatedAt: date, reviews };
}

function list(pageInfo: unknown, nodes: unknown[], errors?: unknown[]) {
  const repository = { nameWithOwner: 'acme/box', pullRequests: { totalCount: 1, pageInfo, nodes } };
  return { data: { repository }, ...(errors && { errors }) };
}

function requestOf(more: Partial<ReadRequest>): ReadRequest {
  const { signal } = new AbortController();
  const client = new ProviderClient({
    connector: { title: 'GitHub', apiUrl: server.url, classify: classifyGithub },
    scheduler: new Scheduler({ concurrency: 1, unitsPerMinute: Number.POSITIVE_INFINITY }, quiet),
    clock: quiet,
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
  const request = requestOf(more);
  const check = new PageCheck(request, reviewTable);
  const ids: string[] = [];
  for await (const page of reviewReader(`${server.url}/graphql`).read(request))
    ids.push(...check.check(page).records.map(({ id }) => id));
  return ids;
}

const updated = { cursor: { readUntil: Date.parse(date) } };

describe('reading of reviews', () => {
  it.each([
    ['pull requests', { cursor: null }],
    ['updated pull requests', updated],
  ])('ends for cursors of %s that repeat', async (_name, more) => {
    answer = ({ after }) => list(next(after === 'a' ? 'b' : after === 'b' ? 'c' : 'a'), [pull(1, null)]);
    await expect(run(more)).rejects.toMatchObject({ failure: 'malformed' });
    expect(asked.length).toBeLessThan(20);
  });

  it('ends for cursors of reviews that repeat', async () => {
    const more = (after: string) => ({ pageInfo: next(after), nodes: [review(1)] });
    answer = ({ id, after }) =>
      id ? { data: { node: { reviews: more(after === 'a' ? 'b' : 'a') } } } : list(end, [pull(1, more('a'))]);
    await expect(run()).rejects.toMatchObject({ failure: 'malformed' });
    expect(asked.length).toBeLessThan(10);
  });

  it('fails for pull requests that the token may not read', async () => {
    const message = 'Resource not accessible by personal access token';
    const path = ['repository', 'pullRequests', 'nodes', 0];
    answer = () => list(end, [null], [{ type: 'FORBIDDEN', message, path }]);
    await expect(run()).rejects.toMatchObject({ failure: 'forbidden' });
    await expect(run(updated)).rejects.toMatchObject({ failure: 'forbidden' });
  });

  it('reads reviews without a commit that the token may not read', async () => {
    const path = ['repository', 'pullRequests', 'nodes', 0, 'reviews', 'nodes', 0, 'commit'];
    const reviews = { pageInfo: end, nodes: [{ ...review(7), commit: null }] };
    answer = () => list(end, [pull(1, reviews)], [{ type: 'FORBIDDEN', message: 'No', path }]);
    expect(await run()).toEqual(['pullrequestreview-7']);
  });

  it('reads a page that needs too much of GitHub in smaller ones', async () => {
    const tooLarge = { data: { repository: null }, errors: [{ type: 'RESOURCE_LIMITS_EXCEEDED' }] };
    const reviews = (id: number) => ({ pageInfo: end, nodes: [review(id)] });
    answer = ({ first, after }) => {
      if (first === 50 && after === null) return tooLarge;
      return after === null ? list(next('a'), [pull(1, reviews(1))]) : list(end, [pull(2, reviews(2))]);
    };
    expect(await run()).toEqual(['pullrequestreview-1', 'pullrequestreview-2']);
    expect(asked.map(({ first }) => first)).toEqual([50, 5, 50]);
  });

  it.each([
    ['all', {}],
    ['changed', updated],
  ])('yields %s reviews in pages that can be stored', async (_name, more) => {
    const nodes = Array.from({ length: 6000 }, (_, index) => review(index + 1));
    answer = () => list(end, [pull(1, { pageInfo: end, nodes })]);
    const ids = await run({ ...more, limit: Number.POSITIVE_INFINITY });
    expect(new Set(ids).size).toBe(6000);
    expect(ids).toHaveLength(6000);
  });

  it('estimates without pull requests that cannot be read', async () => {
    const counted = { updatedAt: date, reviews: { totalCount: 3 } };
    answer = () => list(end, [null, counted, { updatedAt: date, reviews: null }]);
    const estimate = reviewReader(`${server.url}/graphql`).estimate;
    expect(await estimate(requestOf({}))).toMatchObject({ total: 3, records: 3 });
  });
});
