import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nothingStored } from '../../../test-support/nothing-stored.ts';
import { type SmallServer, startSmallServer } from '../../sdk/conformance/small-server.ts';
import { type Completion, type Json, ProviderClient, type ReadRequest, Scheduler } from '../../sdk/index.ts';
import { classifyGithub } from '../api/classify.ts';
import { ghComments } from '../comments/entity.ts';
import { ghIssues } from '../issues/entity.ts';

let server: SmallServer;
/** Whether the repository has no issues. */
let isOff: boolean;

beforeEach(async () => {
  isOff = true;
  server = await startSmallServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', server.url);
    const isRefused = isOff && pathname.includes('/issues');
    response.writeHead(isRefused ? 410 : 200, { 'content-type': 'application/json' });
    const id = pathname.includes('/issues') ? 1 : 2;
    const date = '2026-10-01T00:00:00Z';
    const items = [{ id, number: id, created_at: date, updated_at: date }];
    const isCount = pathname === '/graphql';
    const body = isCount ? { data: { repository: { issues: { totalCount: 1 } } } } : items;
    response.end(JSON.stringify(isRefused ? { message: 'Issues are disabled for this repo' } : body));
  });
});
afterEach(() => server.close());

const entities = () => [ghIssues(`${server.url}/graphql`), ghComments] as const;

function requestOf(cursor: Json, isConditional: boolean): ReadRequest {
  const { signal } = new AbortController();
  const client = new ProviderClient({
    connector: { title: 'GitHub', apiUrl: server.url, classify: classifyGithub },
    scheduler: new Scheduler({ concurrency: 5, unitsPerMinute: Number.POSITIVE_INFINITY }),
    credentials: async () => ({ accessToken: 'secret', scopes: [] }),
    signal,
  });
  const settings = { owner: 'acme', repo: 'box' };
  return {
    client,
    settings,
    checkpoint: null,
    cursor,
    limit: 50,
    signal,
    stored: nothingStored,
    isConditional,
  };
}

async function run(index: 0 | 1, cursor: Json, isConditional: boolean) {
  const ids = new Set<string>();
  const pages = entities()[index].read(requestOf(cursor, isConditional));
  let next = await pages.next();
  for (; !next.done; next = await pages.next()) for (const { id } of next.value.records) ids.add(id);
  return { ids: [...ids].sort(), ...(next.value as Completion) };
}

describe('repository whose issues are switched off', () => {
  it.each([true, false])('has no issues, and all once they are switched on (conditional: %s)', async (is) => {
    const none = await run(0, null, is);
    expect(none).toMatchObject({ ids: [], truncated: false, isListPartial: true });
    expect(await run(0, none.cursor, is)).toMatchObject({ ids: [], cursor: none.cursor });
    isOff = false;
    expect(await run(0, none.cursor, is)).toMatchObject({ ids: ['1'], truncated: false });
  });

  it.each([true, false])('has review comments (conditional: %s)', async (is) => {
    const some = await run(1, null, is);
    expect(some).toMatchObject({ ids: ['discussion_r2'], truncated: false, isListPartial: true });
    expect((await run(1, some.cursor, is)).truncated).toBe(false);
    isOff = false;
    expect((await run(1, some.cursor, is)).ids).toContain('issuecomment-1');
  });

  it('is estimated and listed without issues', async () => {
    const listed: string[][] = [];
    for (const entity of entities()) {
      expect((await entity.estimate(requestOf(null, false))).records).toBe(entity === ghComments ? 1 : 0);
      for await (const ids of entity.listIds(requestOf(null, false))) listed.push(ids);
    }
    expect(listed.flat()).toEqual(['discussion_r2']);
  });
});
