import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nothingStored } from '../../../test-support/nothing-stored.ts';
import { type SmallServer, startSmallServer } from '../../sdk/conformance/small-server.ts';
import { ProviderClient, type ReadRequest, Scheduler } from '../../sdk/index.ts';
import { classifyGithub } from '../api/classify.ts';
import { ghReleases } from '../releases/entity.ts';
import { ghRuns } from '../runs/entity.ts';

/** Answers that a broken list is noticed by. */
const MAX_REQUESTS = 40;

let server: SmallServer;
let requests: number;

beforeEach(async () => {
  requests = 0;
  // A list that continues at three cursors in a circle, with other items on each page.
  server = await startSmallServer((request, response) => {
    const url = new URL(request.url ?? '', server.url);
    const at = Number(url.searchParams.get('after') ?? 0);
    const link = `<${server.url}${url.pathname}?after=${(at % 3) + 1}>; rel="next"`;
    const items = [{ id: at + 1, created_at: new Date().toISOString(), updated_at: '2020-01-01T00:00:00Z' }];
    if (++requests > MAX_REQUESTS) return void response.destroy();
    response.writeHead(200, { 'content-type': 'application/json', link });
    response.end(JSON.stringify(url.pathname.endsWith('/runs') ? { workflow_runs: items } : items));
  });
});
afterEach(() => server.close());

function requestOf(more: Partial<ReadRequest>): ReadRequest {
  const { signal } = new AbortController();
  const client = new ProviderClient({
    connector: { title: 'GitHub', apiUrl: server.url, classify: classifyGithub },
    scheduler: new Scheduler({ concurrency: 1, unitsPerMinute: Number.POSITIVE_INFINITY }),
    credentials: async () => ({ accessToken: 'secret', scopes: [] }),
    signal,
  });
  const settings = { owner: 'acme', repo: 'box' };
  return {
    ...{ client, settings, checkpoint: null, cursor: null, limit: 5000, signal, stored: nothingStored },
    ...more,
  };
}

describe('list that GitHub orders newest first, whose cursors repeat', () => {
  it.each([
    ['all runs', ghRuns, {}],
    ['runs since a day', ghRuns, { since: '2026-01-01' }],
    ['changed runs', ghRuns, { cursor: { readUntil: 0, newest: '' } }],
    ['releases since a day', ghReleases, { since: '2026-01-01' }],
  ])('ends for %s', async (_name, entity, more) => {
    const read = async () => {
      for await (const _page of entity.read(requestOf(more)));
    };
    await expect(read()).rejects.toMatchObject({ failure: 'malformed' });
  });

  it('ends for the ids', async () => {
    const read = async () => {
      for await (const _ids of ghRuns.listIds(requestOf({})));
    };
    await expect(read()).rejects.toMatchObject({ failure: 'malformed' });
  });
});
