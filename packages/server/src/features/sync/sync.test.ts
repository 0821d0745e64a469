import type { Sync, UserEntity } from '@datadeck/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import { awaitEnd, readSync, runSync, SYNCS, startSync, until } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';

let server: TestServer;
let ada: Client;
const HARBOR = { owner: 'aurora-labs', repo: 'harbor' };
/** A latency fault that blocks matching requests until it is removed. */
const BLOCKED = {
  name: 'latency',
  times: Number.POSITIVE_INFINITY,
  options: { milliseconds: 600_000 },
} as const;
const DOTFILES = { owner: 'ada-nowak', repo: 'dotfiles' };

beforeAll(async () => {
  server = await shareServer();
});
afterAll(() => server?.remove());
beforeEach(async () => {
  server.control.reset();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await ada.json('DELETE', '/api/accounts/delete-account');
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await ada.connect('google', 'ada.nowak@sandbox.example');
  await ada.connect('github', 'ada-nowak');
});

async function countOf(entity: string, template: string): Promise<number> {
  return (await ada.get<{ count: number }>(`/api/integrations/entities/aggregation/${entity}/${template}`))
    .count;
}

async function usageOf(entity: string): Promise<number | undefined> {
  const entities = await ada.get<UserEntity[]>('/api/integrations/entities');
  return entities.find((one) => one.id === entity)?.usage.used;
}

async function failure(
  body: object,
): Promise<{ status: number; error: { code: string; fields?: Record<string, string> } }> {
  const response = await ada.call('POST', SYNCS, body);
  return { status: response.status, ...((await response.json()) as { error: { code: string } }) };
}

describe('a sync', () => {
  // @covers 3.summary-finished-sync 9.sync-keeps-up
  it('stores records up to the cap and reports them in its receipt', async () => {
    const ended = await runSync(ada, 'gmail-labels');
    expect(ended).toMatchObject({ status: 'finished', number: 1, isLast: true, progress: null });
    expect(ended.summary).toMatchObject({
      entitiesSynced: 10,
      added: 10,
      updated: 0,
      removed: 0,
      unchanged: 0,
    });
    // Labels have no date, so the receipt has no `keptBackTo`.
    expect(ended.summary.keptBackTo).toBeUndefined();
    expect(await countOf('gmail-labels', 'labels-all')).toBe(10);
    expect(await usageOf('gmail-labels')).toBe(1);
  });

  it('keeps the records of another repository', async () => {
    const one = await runSync(ada, 'gh-pulls', DOTFILES);
    const two = await runSync(ada, 'gh-pulls', HARBOR);
    const total = (one.summary.entitiesSynced ?? 0) + (two.summary.entitiesSynced ?? 0);
    expect(two.summary.entitiesSynced).toBe(260);
    expect(await countOf('gh-pulls', 'pulls-all')).toBe(total);
  });

  // @covers 5.hundred-label-ids
  it('accepts 100 labels and is incremental for the same set', async () => {
    const email = 'ada.nowak@sandbox.example';
    const made = Array.from({ length: 99 }, (_, n) => server.control.gmail.createLabel(email, `Label ${n}`));
    const first = await runSync(ada, 'gmail-messages', { labelIds: ['STARRED', ...made].join(',') });
    expect(first).toMatchObject({ status: 'finished', summary: { incremental: false } });
    // The same set in another order is the same scope.
    const second = await runSync(ada, 'gmail-messages', { labelIds: [...made, 'STARRED'].join(',') });
    expect(second).toMatchObject({ status: 'finished', summary: { incremental: true } });
  });

  // @covers 5.server-asks-settings
  it('is refused with invalid settings or an unknown provider', async () => {
    const base = { providerId: 'github', entityLabel: 'gh-pulls' };
    expect(await failure({ ...base, entitySettings: { owner: '', repo: 'a b' } })).toMatchObject({
      status: 422,
      error: {
        code: 'validation-failed',
        fields: { owner: 'Required', repo: 'Please enter a valid repository name' },
      },
    });
    expect(await failure({ providerId: 'google', entityLabel: 'gmail-messages' })).toMatchObject({
      status: 422,
    });
    expect(await failure({ ...base, providerId: 'nobody' })).toMatchObject({
      status: 404,
      error: { code: 'not-found' },
    });
    expect(await usageOf('gh-pulls')).toBe(0);
  });

  it('is refused while another one runs or with an outdated prevSyncId', async () => {
    const slow = server.control.fault({ ...BLOCKED, match: { api: 'gmail' } });
    const first = await startSync(ada, 'gmail-messages', { labelIds: 'INBOX' });
    const body = {
      providerId: 'google',
      entityLabel: 'gmail-messages',
      entitySettings: { labelIds: 'INBOX' },
    };

    expect(await failure(body)).toMatchObject({ status: 409, error: { code: 'sync-running' } });

    slow.remove();
    await awaitEnd(ada, first._id);
    expect(await failure({ ...body, prevSyncId: '' })).toMatchObject({
      status: 409,
      error: { code: 'sync-outdated' },
    });

    const second = await ada.post<Sync>(SYNCS, { ...body, prevSyncId: first._id });
    expect(await awaitEnd(ada, second._id)).toMatchObject({
      status: 'finished',
      summary: { incremental: true, requests: 2 },
    });
  });

  it('keeps committed records after a cancel', async () => {
    // Blocks every request after the first page.
    const match = { api: 'gmail', path: /(messages|threads)\/\w/ } as const;
    const blocked = server.control.fault({ ...BLOCKED, match, afterRequests: 100 });
    const { _id } = await startSync(ada, 'gmail-messages', { labelIds: 'INBOX' });
    await until(async () => ((await readSync(ada, _id)).progress?.records ?? 0) >= 100);
    expect(blocked.hits).toBeGreaterThan(0);

    const cancelled = await ada.post<Sync>(`${SYNCS}/${_id}/cancel`);
    expect(cancelled).toMatchObject({ status: 'failed', summary: { errMessage: 'Cancelled by user' } });
    const kept = await countOf('gmail-messages', 'messages-all');
    expect(kept).toBeGreaterThanOrEqual(100);

    server.control.clearFaults();
    await new Promise((wait) => setTimeout(wait, 500));
    expect(await countOf('gmail-messages', 'messages-all')).toBe(kept);
    expect((await ada.call('POST', `${SYNCS}/${_id}/cancel`)).status).toBe(409);
  });

  it('does not count when it fails before its first record', async () => {
    const ended = await runSync(ada, 'gh-pulls', { owner: 'nobody', repo: 'nothing' });
    expect(ended.status).toBe('failed');
    expect(ended.summary.errMessage).toContain('Check owner and name');
    expect(await usageOf('gh-pulls')).toBe(0);
    expect(await runSync(ada, 'gmail-messages', { labelIds: 'NOPE' })).toMatchObject({
      status: 'failed',
      summary: { errMessage: 'Gmail does not know the label NOPE. Check the label IDs.' },
    });
  });

  // @covers 9.monthly-limit-ends
  it('is refused beyond the monthly limit of the plan', async () => {
    const { db } = server.product.context;
    await db.$client.query(
      "insert into sync_usage (user_id, entity, month, runs) select id, 'gh-pulls', to_char(now() at time zone 'UTC', 'YYYY-MM'), 50 from users where email = 'ada.nowak@sandbox.example'",
    );
    expect(
      await failure({ providerId: 'github', entityLabel: 'gh-pulls', entitySettings: DOTFILES }),
    ).toMatchObject({
      status: 403,
      error: { code: 'usage-exhausted' },
    });
    expect(await usageOf('gh-pulls')).toBe(50);
  });
});

describe('deleting the last sync', () => {
  // @covers 4.deleting-last-sync
  it('restores the records before it', async () => {
    await runSync(ada, 'gh-pulls', DOTFILES);
    const path = '/api/integrations/entities/aggregation/gh-pulls/pulls-all';
    const before = await ada.get(path);
    const second = await runSync(ada, 'gh-pulls', HARBOR);
    expect(await ada.get(path)).not.toEqual(before);

    await ada.json('DELETE', `${SYNCS}/${second._id}`);
    expect(await ada.get(path)).toEqual(before);
    const [last] = await ada.get<Sync[]>(`${SYNCS}?providers=github`);
    expect(last).toMatchObject({ number: 1, isLast: true });
    expect((await ada.call('DELETE', `${SYNCS}/${second._id}`)).status).toBe(404);
  });

  it('is refused for an older one', async () => {
    const first = await runSync(ada, 'gh-pulls', DOTFILES);
    await runSync(ada, 'gh-pulls', DOTFILES);
    const response = await ada.call('DELETE', `${SYNCS}/${first._id}`);
    expect(response.status).toBe(409);
  });
});

/** Number of races of each kind; more in the second tier. */
const RACES = Number(process.env.RACES ?? 3);

describe('a sync started during a deletion', () => {
  // @covers 4.sync-started-data
  it.each([
    [
      "a provider's data",
      () => ada.call('POST', '/api/integrations/entities/delete-all-data?provider=github'),
    ],
    ['all data', () => ada.call('DELETE', '/api/accounts/delete-data')],
    ['the last sync', (last: string) => ada.call('DELETE', `${SYNCS}/${last}`)],
  ])('either stores everything or is deleted itself: %s', async (_deleted, remove) => {
    const body = { providerId: 'github', entityLabel: 'gh-pulls', entitySettings: HARBOR };
    for (let time = 0; time < RACES; time++) {
      const last = await runSync(ada, 'gh-pulls', HARBOR);
      await Promise.all([remove(last._id), ada.call('POST', SYNCS, body)]);
      const [newest] = await ada.get<Sync[]>(`${SYNCS}?providers=github`);
      if (newest?.status === 'started') await awaitEnd(ada, newest._id);
      expect(await countOf('gh-pulls', 'pulls-all')).toBe(newest ? 260 : 0);
      // The next run is complete, regardless of which request came first.
      await runSync(ada, 'gh-pulls', HARBOR);
      expect(await countOf('gh-pulls', 'pulls-all')).toBe(260);
    }
  });
});

describe('disconnecting a provider', () => {
  // @covers 1.provider-can-disconnected 6.server-refuses-disconnect
  it('is refused for the sign-in provider; reconnecting others returns their data', async () => {
    await runSync(ada, 'gh-pulls', DOTFILES);
    const rows = await countOf('gh-pulls', 'pulls-all');

    expect((await ada.call('POST', '/api/integrations/providers/disconnect?provider=google')).status).toBe(
      403,
    );

    await ada.post('/api/integrations/providers/disconnect?provider=github');
    expect(
      await failure({ providerId: 'github', entityLabel: 'gh-pulls', entitySettings: DOTFILES }),
    ).toMatchObject({
      status: 409,
      error: { code: 'not-connected' },
    });

    await ada.connect('github', 'jonas-weber');
    expect(await countOf('gh-pulls', 'pulls-all')).toBe(0);
    await ada.connect('github', 'ada-nowak');
    expect(await countOf('gh-pulls', 'pulls-all')).toBe(rows);
  });

  // @covers 1.deleting-provider-data
  it('affects each of its accounts, as does deleting its data', async () => {
    await runSync(ada, 'gh-pulls', DOTFILES);
    await ada.connect('github', 'jonas-weber');
    await ada.post('/api/integrations/entities/delete-all-data?provider=github');
    await ada.post('/api/integrations/providers/disconnect?provider=github');

    const { rows } = await server.product.context.db.$client.query(
      "select status, credentials from connections where provider = 'github'",
    );
    expect(rows).toEqual(Array(2).fill({ status: 'disconnected', credentials: null }));

    await ada.connect('github', 'ada-nowak');
    expect(await countOf('gh-pulls', 'pulls-all')).toBe(0);
    expect(await ada.get(`${SYNCS}/history`)).toEqual({ results: [], count: 0 });
  });
});

describe('a refused access token', () => {
  // @covers authorisation.refresh-token-github
  it('fails its sync, asks to connect again and is not sent again', async () => {
    await runSync(ada, 'gh-pulls', DOTFILES);
    const rows = await countOf('gh-pulls', 'pulls-all');
    server.control.github.expireAccessTokens();

    const ended = await runSync(ada, 'gh-pulls', HARBOR);
    expect(ended).toMatchObject({ status: 'failed' });
    expect(ended.summary.errMessage).toContain('Connect GitHub again');
    const [, github] = await ada.get<{ connection: { status: string } }[]>('/api/integrations/providers');
    expect(github?.connection.status).toBe('reconnect-needed');

    server.control.resetCounters();
    const body = { providerId: 'github', entityLabel: 'gh-pulls', entitySettings: HARBOR };
    expect(await failure(body)).toMatchObject({ status: 409, error: { code: 'reconnect-needed' } });
    expect(await countOf('gh-pulls', 'pulls-all')).toBe(rows);

    await ada.connect('github', 'ada-nowak');
    expect(await runSync(ada, 'gh-pulls', HARBOR)).toMatchObject({ status: 'finished' });
  });
});
