import type { Sync } from '@datadeck/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { shareServer } from '../../test-support/shared-server.ts';
import { runSync, SYNCS, until } from '../../test-support/syncing.ts';
import { Client, type TestServer } from '../../test-support/test-server.ts';

const EMAIL = 'ada.nowak@sandbox.example';
let server: TestServer;
let ada: Client;

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn(EMAIL);
  await ada.connect('google', EMAIL);
  await ada.connect('github', 'ada-nowak');
});
afterAll(() => server?.remove());
beforeEach(() => server.control.reset());

async function plan(entityLabel: string, entitySettings: Record<string, string>) {
  const providerId = entityLabel.startsWith('gh-') ? 'github' : 'google';
  const answer = await ada.call('POST', `${SYNCS}/plan`, { providerId, entityLabel, entitySettings });
  return { status: answer.status, body: (await answer.json()) as unknown };
}

const manyLabels = (count: number) => Array.from({ length: count }, (_, index) => `Label_${index}`).join(',');

describe('POST /api/integrations/synchronizations/plan', () => {
  it('refuses an unknown repository by its name, at its field', async () => {
    const message =
      'ada-nowak/nope: The repository does not exist, or the connected account cannot see it. Check owner and name. If it is private, connect GitHub again with “Also private repositories”, or use a token that may read it.';
    expect(await plan('gh-pulls', { owner: 'ada-nowak', repo: 'nope' })).toEqual({
      status: 422,
      body: { error: { code: 'validation-failed', message, fields: { repo: message } } },
    });
  });

  it('refuses an unknown label by its name, at its field', async () => {
    const message = 'Gmail does not know the label Label_404. Check the label IDs.';
    expect(await plan('gmail-messages', { labelIds: 'INBOX,Label_404' })).toEqual({
      status: 422,
      body: { error: { code: 'validation-failed', message, fields: { labelIds: message } } },
    });
  });

  // @covers 5.more-label-ids
  it.each([
    ['101 labels', manyLabels(101)],
    ['80,000 labels', manyLabels(80_000)],
    ['a label of 101 characters', 'L'.repeat(101)],
  ])('refuses %s without a request to Gmail', async (_, labelIds) => {
    server.control.resetCounters();
    expect((await plan('gmail-messages', { labelIds })).status).toBe(422);
    expect(server.control.counters().requests).toEqual({});
  });

  // @covers 5.repository-names-may
  it.each(['next.js', 'vuejs.org', '.github', 'a..b', '_x-y.z'])(
    'accepts the repository name %s',
    async (repo) => {
      expect(await plan('gh-pulls', { owner: 'ada-nowak', repo })).toMatchObject({
        body: {
          error: { message: expect.stringContaining(`ada-nowak/${repo}: The repository does not exist`) },
        },
      });
    },
  );

  it.each(['.', '..', 'a/b', 'a b', 'a%2e', 'ä', 'x'.repeat(101)])(
    'refuses the repository name %s',
    async (repo) => {
      expect(await plan('gh-pulls', { owner: 'ada-nowak', repo })).toMatchObject({
        status: 422,
        body: { error: { fields: { repo: 'Please enter a valid repository name' } } },
      });
    },
  );

  it('allows twenty concurrent plans per user, and ends them on disconnect', async () => {
    const fault = server.control.fault({ name: 'latency', times: 1000, match: { api: 'gmail' } });
    const body = JSON.stringify({
      providerId: 'google',
      entityLabel: 'gmail-messages',
      entitySettings: { labelIds: 'INBOX' },
    });
    const headers = { authorization: ada.token, 'content-type': 'application/json' };
    const ends = Array.from({ length: 20 }, () => new AbortController());
    const asked = ends.map(({ signal }) =>
      fetch(`${server.url}${SYNCS}/plan`, { method: 'POST', headers, body, signal }).catch(() => undefined),
    );

    await until(() => fault.hits > 0);
    await until(async () => (await plan('gmail-messages', { labelIds: 'INBOX,A B' })).status === 429);
    expect((await plan('gmail-messages', { labelIds: 'INBOX' })).status).toBe(429);

    for (const end of ends) end.abort();
    await Promise.all(asked);
    server.control.clearFaults();
    // Of GitHub: the quota of Gmail is used up.
    await until(
      async () => (await plan('gh-pulls', { owner: 'ada-nowak', repo: 'dotfiles' })).status === 200,
    );
  });
});

describe('a sync of labels', () => {
  it.each(['TRASH', 'SPAM'])('stores the messages of %s', async (labelIds) => {
    const { summary } = await runSync(ada, 'gmail-messages', { labelIds });
    expect(summary.entitiesSynced).toBeGreaterThan(0);
  });

  it('fails with the name of an unknown label', async () => {
    const ended = await runSync(ada, 'gmail-messages', { labelIds: 'INBOX,Label_gone' });
    expect(ended).toMatchObject({
      status: 'failed',
      summary: { errMessage: 'Gmail does not know the label Label_gone. Check the label IDs.' },
    });
  });
});

describe('GET /api/integrations/synchronizations', () => {
  it('returns pages of 50 syncs with a link to the next page', async () => {
    const last = await runSync(ada, 'gh-pulls', { owner: 'ada-nowak', repo: 'dotfiles' });
    await server.product.context.db.$client.query(
      `insert into syncs select (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(), 'number', s.number + n))).*
       from syncs s, generate_series(1, 60) n where s.id = $1`,
      [last._id],
    );

    const numbers = new Set<number>();
    let address: string | undefined = `${SYNCS}?providers=github`;
    let pages = 0;
    while (address !== undefined) {
      const answer = await ada.call('GET', address);
      const syncs = (await answer.json()) as Sync[];
      expect(syncs.length).toBeLessThanOrEqual(50);
      for (const { number } of syncs) numbers.add(number);
      address = answer.headers.get('link')?.match(/^<([^>]+)>; rel="next"$/)?.[1];
      pages++;
    }

    expect([pages, numbers.size]).toEqual([2, 61]);
  });
});
