import type { Sync, UserEntity } from '@datadeck/contract';
import type { FaultName } from '@datadeck/test-sandbox';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ADA, type Collection, FaultStage, REPOSITORY } from '../../../test-support/fault-stage.ts';
import { awaitEnd, readSync, runSync, SYNCS, startSync, until } from '../../../test-support/syncing.ts';

const UNTIL_REMOVED = Number.POSITIVE_INFINITY;
/** Tables with records, and with the state of syncs. */
const DATA_TABLES = 'syncs gh_pulls gmail_messages record_undo record_added sync_seen sync_cursors'.split(
  ' ',
);
const BOTH = ['gmail', 'github'] as const;
let stage: FaultStage;

beforeAll(async () => {
  stage = await FaultStage.open();
});
afterAll(() => stage?.close());

describe('a running sync', () => {
  const UNTIL_CLEARED = {
    name: 'latency',
    options: { milliseconds: 600_000 },
    times: UNTIL_REMOVED,
  } as const;
  /** Collections large enough that a run commits one page while it reads the next. */
  let large: { gmail: Collection; github: Collection };

  beforeAll(() => {
    large = { gmail: stage.label('Many', 110), github: stage.repository('aurora-labs', 'harbor') };
  });
  beforeEach(() => stage.enter());

  /** Returns the number of syncs running in this process. */
  async function running(): Promise<number> {
    const { values } = await stage.server.product.context.metrics.runningSyncs.get();
    return values[0]?.value ?? 0;
  }

  /** Starts a run and waits until it has committed its first records and is blocked in its next request. */
  async function startAndBlock(from: Collection): Promise<Sync> {
    // Blocks the second page: messages after the first hundred, the next page of pull requests.
    const [path, afterRequests] = from.api === 'gmail' ? [/messages\/\w/, 100] : [/pulls\?/, 2];
    stage.fault({ ...UNTIL_CLEARED, match: { api: from.api, path }, afterRequests });
    const sync = await stage.start(from);
    await until(async () => ((await readSync(stage.client, sync._id)).progress?.records ?? 0) > 0);
    expect(await running()).toBe(1);
    return sync;
  }

  /** Counts the user's rows in every table. */
  async function countRows(userId: string): Promise<Record<string, number>> {
    const { db } = stage.server.product.context;
    const { rows: tables } = await db.execute<{ name: string }>(
      sql`select table_name as name from information_schema.columns where column_name = 'user_id' and table_schema = 'public'`,
    );
    const counts: Record<string, number> = {};
    for (const { name } of tables) {
      const { rows } = await db.execute<{ n: number }>(
        sql`select count(*)::int as n from ${sql.identifier(name)} where user_id = ${userId}`,
      );
      if (rows[0]?.n) counts[name] = rows[0].n;
    }
    return counts;
  }

  async function userId(): Promise<string> {
    return (await stage.client.get<{ _id: string }>('/api/accounts'))._id;
  }

  // @covers life.disconnect-during-sync
  it('is cancelled and writes nothing more when its provider is disconnected', async () => {
    const { github } = large;
    const { _id } = await startAndBlock(github);

    await stage.client.post('/api/integrations/providers/disconnect?provider=github');
    const kept = await stage.stored(github);
    expect(kept.length).toBeGreaterThan(0);
    expect(await stage.connection(github)).toBeNull();
    await until(async () => (await running()) === 0);
    expect(await stage.stored(github)).toEqual(kept);

    stage.server.control.clearFaults();
    await stage.reconnect(github);
    expect(await readSync(stage.client, _id)).toMatchObject({
      status: 'failed',
      summary: { errMessage: 'Cancelled: the provider was disconnected' },
    });
    expect(await stage.connection(github)).toBe('connected');
    expect(await stage.run(github)).toMatchObject({ status: 'finished' });
    expect(await stage.stored(github)).toEqual(github.ids());
  });

  // @covers life.data-deletion-during
  it.each(BOTH)('is deleted and writes nothing more when the data of %s is deleted', async (api) => {
    const from = large[api];
    await startAndBlock(from);
    await stage.client.post(`/api/integrations/entities/delete-all-data?provider=${from.provider}`);
    expect(await stage.stored(from)).toEqual([]);
    await until(async () => (await running()) === 0);
    expect(await stage.stored(from)).toEqual([]);
    expect(await stage.client.get<Sync[]>(`${SYNCS}?providers=google,github`)).toEqual([]);
    const tables = Object.keys(await countRows(await userId()));
    for (const table of DATA_TABLES) expect(tables).not.toContain(table);
  });

  // @covers life.account-deletion-during
  it.each(BOTH)('leaves no rows when the account is deleted during a run of %s', async (api) => {
    const id = await userId();
    await startAndBlock(large[api]);
    await stage.client.json('DELETE', '/api/accounts/delete-account');
    expect(await countRows(id)).toEqual({});
    await until(async () => (await running()) === 0);
    expect(await countRows(id)).toEqual({});
  });

  // @covers life.two-syncs-once
  it('makes concurrent starts of its entity fail, and counts as one run', async () => {
    const { github } = large;
    const { provider, entity, settings } = github;
    const body = { providerId: provider, entityLabel: entity, entitySettings: settings };
    const slow = stage.fault(UNTIL_CLEARED);
    const answers = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const response = await stage.client.call('POST', SYNCS, body);
        return { http: response.status, ...((await response.json()) as { _id?: string; error?: object }) };
      }),
    );

    const started = answers.filter(({ http }) => http < 300);
    const refused = answers.filter(({ http }) => http === 409);
    expect([started.length, refused.length]).toEqual([1, 5]);
    for (const { error } of refused) expect(error).toMatchObject({ code: 'sync-running' });

    slow.remove();
    expect(await awaitEnd(stage.client, started[0]?._id ?? '')).toMatchObject({ status: 'finished' });
    expect(await stage.stored(github)).toEqual(github.ids());
    const entities = await stage.client.get<UserEntity[]>('/api/integrations/entities');
    expect(entities.find(({ id }) => id === entity)?.usage.used).toBe(1);
  });

  // @covers life.two-syncs-once-entities
  it('finishes with all of its records next to runs of other entities', async () => {
    const labels = startSync(stage.client, 'gmail-labels');
    const others = [large.gmail, large.github].map((from) => stage.start(from));
    for (const { _id } of await Promise.all([labels, ...others]))
      expect(await awaitEnd(stage.client, _id)).toMatchObject({ status: 'finished' });
    for (const from of [large.gmail, large.github]) expect(await stage.stored(from)).toEqual(from.ids());
  });
});

describe('a sync of changing data', () => {
  /** Requests for the second page of a list. */
  const SECOND_PAGE = { gmail: /messages\?.*pageToken/, github: /pulls\?.*page=2/ };

  /** Number of records that change between pages. */
  const DRIFT = 2;

  beforeAll(async () => {
    await stage.enter();
    // More than one page of GitHub.
    while (stage.github.ids().length < 110) stage.github.insert();
    // The plan's cap allows all labels of the account.
    await stage.server.product.context.db.execute(sql`update users set plan = 'pro'`);
  });

  /** Returns the ids of stored records with the change. */
  function changed(from: Collection): Promise<string[]> {
    return stage.stored(
      from,
      from.api === 'gmail' ? sql`'STARRED' = any(labels)` : sql`data->>'title' = 'Changed between two pages'`,
    );
  }

  /** Returns the ids of records changed at the provider: starred messages, or the oldest pull requests with a new title. */
  function changedAtProvider(from: Collection): string[] {
    const { gmail } = stage.server.control;
    if (from.api === 'gmail') return from.ids().filter((id) => gmail.messageIds(ADA, 'STARRED').includes(id));
    const oldestFirst = from.ids().sort((a, b) => Number(a) - Number(b));
    return oldestFirst.slice(0, DRIFT).sort();
  }

  // @covers drift.pages-shorter-asked
  it('reads pages shorter than requested to the end (short-page)', async () => {
    await stage.clear(stage.gmail);
    stage.fault({ name: 'short-page', times: UNTIL_REMOVED });
    expect(await stage.run(stage.gmail)).toMatchObject({ status: 'finished' });
    expect(await stage.stored(stage.gmail)).toEqual(stage.gmail.ids());
  });

  // @covers drift.inserts-between-pages drift.deletes-between-pages drift.updates-between-pages
  it.each<[FaultName, 'gmail' | 'github']>([
    ['insert-between-pages', 'gmail'],
    ['delete-between-pages', 'gmail'],
    ['update-between-pages', 'gmail'],
    ['insert-between-pages', 'github'],
    ['delete-between-pages', 'github'],
    ['update-between-pages', 'github'],
  ])('equals the provider one run after %s at %s', async (name, api) => {
    const from = stage[api];
    await stage.clear(from);
    stage.fault({ name: 'short-page', times: UNTIL_REMOVED });
    const before = from.ids();

    const drift = stage.fault({ name, match: { api, path: SECOND_PAGE[api] }, options: { count: DRIFT } });

    expect(await stage.run(from)).toMatchObject({ status: 'finished' });
    expect(drift.hits).toBe(1);
    expect(await stage.run(from)).toMatchObject({ status: 'finished' });
    expect(await stage.stored(from)).toEqual(from.ids());
    const difference = { insert: DRIFT, delete: -DRIFT, update: 0 }[name.slice(0, 6) as 'insert'];
    expect(from.ids().length - before.length).toBe(difference);
    if (name === 'update-between-pages') expect(await changed(from)).toEqual(changedAtProvider(from));
  });

  /** Deletes the cursors, so that the next run is a full one. */
  function deleteCursors(): Promise<unknown> {
    return stage.server.product.context.db.execute(sql`delete from sync_cursors`);
  }

  /** Runs a full sync of Gmail in several pages with a fault on one of them. */
  async function relist(name: FaultName, times: number) {
    const { gmail } = stage;
    await stage.clear(gmail);
    stage.fault({ name: 'short-page', times: UNTIL_REMOVED });
    expect(await stage.run(gmail)).toMatchObject({ status: 'finished' });
    gmail.insert();
    await deleteCursors();
    const before = await stage.stored(gmail);
    const fault = stage.fault({ name, match: { api: 'gmail', path: /messages\?/ }, times });
    const ended = await stage.run(gmail);
    return { before, fault, ended, after: await stage.stored(gmail) };
  }

  const LISTS: FaultName[] = [
    'page-token-expired',
    'page-token-loop',
    'page-token-cycle',
    'empty-page-with-next',
  ];

  // @covers drift.page-token-expired (continues or restarts on page-token-expired at Gmail, and finds everything)
  // @covers drift.token-loop-gmail (continues or restarts on page-token-loop at Gmail, and finds everything)
  // @covers drift.token-loop-over (continues or restarts on page-token-cycle at Gmail, and finds everything)
  // @covers drift.empty-page-next (continues or restarts on empty-page-with-next at Gmail, and finds everything)
  it.each(LISTS)('continues or restarts on %s at Gmail, and finds everything', async (name) => {
    const { fault, ended, after } = await relist(name, 1);
    expect(fault.hits).toBe(1);
    expect(ended).toMatchObject({ status: 'finished' });
    expect(after).toEqual(stage.gmail.ids());
  });

  // @covers drift.page-token-expired (fails on a lasting page-token-expired at Gmail with the cause, and keeps the records)
  // @covers drift.token-loop-gmail (fails on a lasting page-token-loop at Gmail with the cause, and keeps the records)
  // @covers drift.token-loop-over (fails on a lasting page-token-cycle at Gmail with the cause, and keeps the records)
  // @covers drift.empty-page-next (fails on a lasting empty-page-with-next at Gmail with the cause, and keeps the records)
  it.each(LISTS)('fails on a lasting %s at Gmail with the cause, and keeps the records', async (name) => {
    const { before, ended, after } = await relist(name, UNTIL_REMOVED);
    expect(ended.status).toBe('failed');
    expect(ended.summary.errMessage).toMatch(/no longer accepts the page token|repeats its pages endlessly/);
    expect(ended.summary.errMessage).toMatch(/again/);
    expect(ended.summary.requests).toBeLessThan(400);
    expect(after).toEqual(expect.arrayContaining(before));
    stage.server.control.clearFaults();
    expect(await stage.run(stage.gmail)).toMatchObject({ status: 'finished' });
    expect(await stage.stored(stage.gmail)).toEqual(stage.gmail.ids());
  });

  // @covers drift.token-loop-github
  it('finds everything despite page-token-loop at GitHub by counting pages', async () => {
    await stage.clear(stage.github);
    const loop = stage.fault({ name: 'page-token-loop', match: { api: 'github' }, times: UNTIL_REMOVED });
    for (let run = 0; run < 2; run++) {
      expect(await stage.run(stage.github)).toMatchObject({ status: 'finished' });
      expect(await stage.stored(stage.github)).toEqual(stage.github.ids());
      stage.github.insert();
    }
    expect(loop.hits).toBeGreaterThan(0);
  });

  // @covers drift.empty-page-next-github
  it('retries empty-page-with-next at GitHub, and fails if the fault lasts', async () => {
    const { github } = stage;
    await stage.clear(github);
    const path = /per_page=100/;
    const empty = stage.fault({ name: 'empty-page-with-next', match: { api: 'github', path } });
    expect(await stage.run(github)).toMatchObject({ status: 'finished' });
    expect(empty.hits).toBe(1);
    expect(await stage.stored(github)).toEqual(github.ids());

    for (const isFull of [true, false]) {
      if (isFull) await deleteCursors();
      github.insert();
      const before = await stage.stored(github);
      const lasting = stage.fault({
        name: 'empty-page-with-next',
        match: { api: 'github' },
        times: UNTIL_REMOVED,
      });
      const ended = await stage.run(github);
      lasting.remove();
      expect(ended).toMatchObject({
        status: 'failed',
        summary: { errMessage: 'GitHub sent an empty page where pull requests should be. Try again later.' },
      });
      expect(await stage.stored(github)).toEqual(before);
      expect(await stage.run(github)).toMatchObject({ status: 'finished' });
      expect(await stage.stored(github)).toEqual(github.ids());
    }
  });

  // @covers drift.page-token-history (stores the changes since the last run once despite page-token-expired)
  // @covers drift.history-404 (stores the changes since the last run once despite history-gone)
  // @covers drift.history-repeats-reorders (stores the changes since the last run once despite history-repeats)
  it.each<[FaultName, boolean]>([
    ['history-gone', false],
    ['page-token-expired', false],
    ['history-repeats', true],
  ])('stores the changes since the last run once despite %s', async (name, incremental) => {
    const { gmail } = stage;
    await stage.clear(gmail);
    await stage.run(gmail);
    stage.server.control.gmail.remove(ADA, gmail.ids()[0] ?? '');
    for (let count = 0; count < 2; count++) gmail.insert();

    stage.fault({ name: 'short-page', times: name === 'page-token-expired' ? UNTIL_REMOVED : 0 });
    const fault = stage.fault({ name, match: { api: 'gmail', path: /history/ } });
    const ended = await stage.run(gmail);

    expect(ended).toMatchObject({ status: 'finished', summary: { added: 2, removed: 1, incremental } });
    expect(fault.hits).toBe(1);
    expect(await stage.stored(gmail)).toEqual(gmail.ids());
  });

  // @covers drift.message-gone-between
  it('counts a vanished message as skipped and stores the others (message-gone)', async () => {
    const { gmail } = stage;
    await stage.clear(gmail);
    const gone = stage.fault({ name: 'message-gone', times: 2 });
    expect(await stage.run(gmail)).toMatchObject({
      status: 'finished',
      summary: { skipped: 2, skippedReasons: { vanished: 2 } },
    });
    expect(gone.hits).toBe(2);
    expect(await stage.stored(gmail)).toHaveLength(gmail.ids().length - 2);
  });

  // @covers drift.label-renamed
  it('stores a new label name, and syncs messages by label id (label-renamed)', async () => {
    const { client, gmail } = stage;
    await stage.clear(gmail);
    await runSync(client, 'gmail-labels');
    expect(await stage.run(gmail)).toMatchObject({ status: 'finished' });

    stage.fault({ name: 'label-renamed', options: { name: 'Renamed' } });
    expect(await runSync(client, 'gmail-labels')).toMatchObject({ status: 'finished' });
    gmail.insert();
    expect(await stage.run(gmail)).toMatchObject({ status: 'finished' });

    expect(await stage.stored(gmail)).toEqual(gmail.ids());
    expect(await runSync(client, 'gmail-labels')).toMatchObject({ status: 'finished' });
    expect(await stage.stored({ entity: 'gmail-labels' }, sql`name = 'Renamed'`)).toHaveLength(1);
  });

  // @covers drift.label-deleted
  it('removes a deleted label but keeps its messages (label-deleted)', async () => {
    const { client, gmail } = stage;
    await stage.clear(gmail);
    await runSync(client, 'gmail-labels');
    const isUser = sql`type = 'user'`;
    const [id = '', ...others] = await stage.stored({ entity: 'gmail-labels' }, isUser);
    const from = { ...gmail, settings: { labelIds: id } };
    expect(await stage.run(from)).toMatchObject({ status: 'finished' });
    expect((await stage.stored(gmail)).length).toBeGreaterThan(0);

    stage.fault({ name: 'label-deleted' });
    expect(await runSync(client, 'gmail-labels')).toMatchObject({ status: 'finished' });
    expect(await stage.stored({ entity: 'gmail-labels' }, isUser)).toEqual(others);

    const kept = await stage.stored(gmail);
    const errMessage = `Gmail does not know the label ${id}. Check the label IDs.`;
    const failed = { status: 'failed', summary: { errMessage } };
    expect(await stage.run(from)).toMatchObject(failed);
    await deleteCursors();
    expect(await stage.run(from)).toMatchObject(failed);
    expect(await stage.stored(gmail)).toEqual(kept);
  });

  // @covers drift.repository-renamed-301
  it('follows a renamed repository without duplicate records (repo-renamed)', async () => {
    const { github } = stage;
    await stage.clear(github);
    await stage.run(github);
    const before = await stage.stored(github);
    stage.fault({ name: 'repo-renamed', options: { name: 'dots' } });
    for (let run = 0; run < 2; run++) {
      expect(await stage.run(github)).toMatchObject({ status: 'finished' });
      expect(await stage.stored(github)).toEqual(before);
      await deleteCursors();
    }
    stage.server.control.github.renameRepository('ada-nowak/dots', 'dotfiles');
  });

  // @covers drift.repository-deleted (fails on repo-deleted, says what to check, and keeps the records)
  // @covers drift.repository-made-private (fails on repo-private, says what to check, and keeps the records)
  it.each<FaultName>(['repo-private', 'repo-deleted'])(
    'fails on %s, says what to check, and keeps the records',
    async (name) => {
      const { github } = stage;
      await stage.clear(github);
      await stage.run(github);
      const before = await stage.stored(github);
      stage.fault({ name });
      for (let run = 0; run < 2; run++) {
        expect(await stage.run(github)).toMatchObject({
          status: 'failed',
          summary: {
            errMessage: /^\S+\/\S+: The repository does not exist, or the connected account cannot see it\. /,
          },
        });
        expect(await stage.stored(github)).toEqual(before);
        expect(await stage.connection(github)).toBe('connected');
        await deleteCursors();
      }
      if (name === 'repo-private') stage.server.control.github.setVisibility(REPOSITORY, 'public');
    },
  );
});
