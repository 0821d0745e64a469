import type { FaultName } from '@datadeck/sandbox';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADA, type Collection, FaultStage, REPOSITORY } from '../../testing/fault-stage.ts';
import { runSync } from '../../testing/syncing.ts';

const FOR_LONG = Number.POSITIVE_INFINITY;
const SECOND_PAGE = { gmail: /messages\?.*pageToken/, github: /pulls\?.*page=2/ };
let stage: FaultStage;

beforeAll(async () => {
  stage = await FaultStage.open();
  // More than GitHub shows on a page.
  const { github } = stage.server.control;
  while (github.pullNumbers(REPOSITORY).length < 110) github.insertPull(REPOSITORY);
  // A plan that has room for the labels of people.
  await stage.server.product.context.db.execute(sql`update users set plan = 'pro'`);
});
afterAll(() => stage?.close());

/** Stored records that a condition on their document holds for, as `ids` names them. */
function changed(from: Collection): Promise<string[]> {
  return stage.stored(
    from,
    from.api === 'gmail'
      ? sql`facets->'labels' ? 'STARRED'`
      : sql`data->>'title' = 'Changed between two pages'`,
  );
}

function changedThere(from: Collection): string[] {
  const { gmail } = stage.server.control;
  if (from.api === 'gmail') return from.ids().filter((id) => gmail.messageIds(ADA, 'STARRED').includes(id));
  return ['1', '2'];
}

test('short-page: pages shorter than asked for are read to the end', async () => {
  await stage.clear(stage.gmail);
  stage.fault({ name: 'short-page', times: FOR_LONG });
  expect(await stage.run(stage.gmail)).toMatchObject({ status: 'finished' });
  expect(await stage.stored(stage.gmail)).toEqual(stage.gmail.ids());
});

test.each<[FaultName, 'gmail' | 'github']>([
  ['insert-between-pages', 'gmail'],
  ['delete-between-pages', 'gmail'],
  ['update-between-pages', 'gmail'],
  ['insert-between-pages', 'github'],
  ['delete-between-pages', 'github'],
  ['update-between-pages', 'github'],
])('%s at %s: the run finishes, and after the next one the store equals the provider', async (name, api) => {
  const from = stage[api];
  await stage.clear(from);
  stage.fault({ name: 'short-page', times: FOR_LONG });
  const before = from.ids();
  const drift = stage.fault({ name, match: { api, path: SECOND_PAGE[api] }, options: { count: 2 } });
  expect(await stage.run(from)).toMatchObject({ status: 'finished' });
  expect(drift.hits).toBe(1);
  expect(await stage.run(from)).toMatchObject({ status: 'finished' });
  expect(await stage.stored(from)).toEqual(from.ids());
  const difference = { insert: 2, delete: -2, update: 0 }[name.slice(0, 6) as 'insert'];
  expect(from.ids().length - before.length).toBe(difference);
  if (name === 'update-between-pages') expect(await changed(from)).toEqual(changedThere(from));
});

/** The next run is a full one. */
function forgetCursors(): Promise<unknown> {
  return stage.server.product.context.db.execute(sql`delete from sync_cursors`);
}

/** A full run of Gmail in several pages, on one of which something goes wrong. */
async function relist(name: FaultName, times: number) {
  const { gmail } = stage;
  await stage.clear(gmail);
  stage.fault({ name: 'short-page', times: FOR_LONG });
  expect(await stage.run(gmail)).toMatchObject({ status: 'finished' });
  gmail.insert();
  await forgetCursors();
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

test.each(LISTS)('%s at Gmail: the run goes on or begins anew, and finds everything', async (name) => {
  const { fault, ended, after } = await relist(name, 1);
  expect(fault.hits).toBe(1);
  expect(ended).toMatchObject({ status: 'finished' });
  expect(after).toEqual(stage.gmail.ids());
});

test.each(LISTS)('%s at Gmail for long: the run fails and says why; nothing stored is lost', async (name) => {
  const { before, ended, after } = await relist(name, FOR_LONG);
  expect(ended.status).toBe('failed');
  expect(ended.summary.errMessage).toMatch(/no longer knows the page|leads in a circle/);
  expect(ended.summary.errMessage).toMatch(/again/);
  expect(ended.summary.requests).toBeLessThan(400);
  expect(after).toEqual(expect.arrayContaining(before));
  stage.server.control.clearFaults();
  expect(await stage.run(stage.gmail)).toMatchObject({ status: 'finished' });
  expect(await stage.stored(stage.gmail)).toEqual(stage.gmail.ids());
});

test('page-token-loop at GitHub: pages are counted, so the run finds everything', async () => {
  await stage.clear(stage.github);
  const loop = stage.fault({ name: 'page-token-loop', match: { api: 'github' }, times: FOR_LONG });
  for (let run = 0; run < 2; run++) {
    expect(await stage.run(stage.github)).toMatchObject({ status: 'finished' });
    expect(await stage.stored(stage.github)).toEqual(stage.github.ids());
    stage.github.insert();
  }
  expect(loop.hits).toBeGreaterThan(0);
});

test('empty-page-with-next at GitHub is asked for again; for long the run fails and nothing stored is lost', async () => {
  const { github } = stage;
  await stage.clear(github);
  const empty = stage.fault({ name: 'empty-page-with-next', match: { api: 'github' } });
  expect(await stage.run(github)).toMatchObject({ status: 'finished' });
  expect(empty.hits).toBe(1);
  expect(await stage.stored(github)).toEqual(github.ids());
  for (const isFull of [true, false]) {
    if (isFull) await forgetCursors();
    github.insert();
    const before = await stage.stored(github);
    const lasting = stage.fault({ name: 'empty-page-with-next', match: { api: 'github' }, times: FOR_LONG });
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

test.each<[FaultName, boolean]>([
  ['history-gone', false],
  ['page-token-expired', false],
  ['history-repeats', true],
])('%s: the changes since the last run are stored all the same, once', async (name, incremental) => {
  const { gmail } = stage;
  await stage.clear(gmail);
  await stage.run(gmail);
  stage.server.control.gmail.remove(ADA, gmail.ids()[0] ?? '');
  for (let count = 0; count < 2; count++) gmail.insert();
  stage.fault({ name: 'short-page', times: name === 'page-token-expired' ? FOR_LONG : 0 });
  const fault = stage.fault({ name, match: { api: 'gmail', path: /history/ } });
  const ended = await stage.run(gmail);
  expect(ended).toMatchObject({ status: 'finished', summary: { added: 2, removed: 1, incremental } });
  expect(fault.hits).toBe(1);
  expect(await stage.stored(gmail)).toEqual(gmail.ids());
});

test('message-gone: the receipt counts the message as skipped, the others are stored', async () => {
  const { gmail } = stage;
  await stage.clear(gmail);
  const gone = stage.fault({ name: 'message-gone', times: 2 });
  expect(await stage.run(gmail)).toMatchObject({ status: 'finished', summary: { skipped: 2 } });
  expect(gone.hits).toBe(2);
  expect(await stage.stored(gmail)).toHaveLength(gmail.ids().length - 2);
});

test('label-renamed: the next run of labels shows the name, and runs of its messages go on by its id', async () => {
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
  expect(await stage.stored({ entity: 'gmail-labels' }, sql`facets->>'name' = 'Renamed'`)).toHaveLength(1);
});

test('label-deleted: it and its messages leave the store; a full run of its messages says so by name', async () => {
  const { client, gmail } = stage;
  await stage.clear(gmail);
  await runSync(client, 'gmail-labels');
  const isUser = sql`facets->>'type' = 'user'`;
  const [id = '', ...others] = await stage.stored({ entity: 'gmail-labels' }, isUser);
  const from = { ...gmail, settings: { labelIds: id } };
  expect(await stage.run(from)).toMatchObject({ status: 'finished' });
  expect((await stage.stored(gmail)).length).toBeGreaterThan(0);
  stage.fault({ name: 'label-deleted' });
  expect(await runSync(client, 'gmail-labels')).toMatchObject({ status: 'finished' });
  expect(await stage.stored({ entity: 'gmail-labels' }, isUser)).toEqual(others);
  expect(await stage.run(from)).toMatchObject({ status: 'finished', summary: { incremental: true } });
  expect(await stage.stored(gmail)).toEqual([]);
  await forgetCursors();
  expect(await stage.run(from)).toMatchObject({
    status: 'failed',
    summary: { errMessage: `Gmail does not know the label ${id}. Check the label IDs.` },
  });
});

test('repo-renamed: the runs follow it, and no record is doubled', async () => {
  const { github } = stage;
  await stage.clear(github);
  await stage.run(github);
  const before = await stage.stored(github);
  stage.fault({ name: 'repo-renamed', options: { name: 'dots' } });
  for (let run = 0; run < 2; run++) {
    expect(await stage.run(github)).toMatchObject({ status: 'finished' });
    expect(await stage.stored(github)).toEqual(before);
    await forgetCursors();
  }
  stage.server.control.github.renameRepository('ada-nowak/dots', 'dotfiles');
});

test.each<FaultName>(['repo-private', 'repo-deleted'])(
  '%s: the run fails and says what to check; what is stored stays',
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
          errMessage:
            'This repository does not exist, or the connected account cannot see it. Check owner and name.',
        },
      });
      expect(await stage.stored(github)).toEqual(before);
      expect(await stage.connection(github)).toBe('connected');
      await forgetCursors();
    }
    if (name === 'repo-private') stage.server.control.github.setVisibility(REPOSITORY, 'public');
  },
);
