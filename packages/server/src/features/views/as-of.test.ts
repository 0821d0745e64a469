import { AS_OF_LIMITS, type ViewDifference, type ViewResults, type ViewRuns } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import { awaitEnd, startSync } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';

const DOTFILES = { owner: 'ada-nowak', repo: 'dotfiles' };
const NAME = 'ada-nowak/dotfiles';
const ENTITY = { providerId: 'github', entityLabel: 'gh-pulls' };
const VIEW = { title: 'Pulls', description: 'd', ...ENTITY };
let server: TestServer;
let ada: Client;
/** The runs, oldest first. */
const runs: string[] = [];

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await ada.connect('github', 'ada-nowak');
  runs.push(await sync());
});
afterAll(() => server?.remove());

/** Runs a sync of the pull requests to its end. @returns its id */
async function sync(): Promise<string> {
  return (await awaitEnd(ada, (await startSync(ada, 'gh-pulls', DOTFILES))._id))._id;
}

async function createView(jsonNataQuery: string, more: object = {}): Promise<string> {
  const body = { ...VIEW, jsonNataQuery, templateKey: 'pulls-all', ...more };
  return (await ada.post<{ _id: string }>('/api/data/views', body))._id;
}

const pathOf = (viewId: string) => `/api/data/views/as-of/${viewId}`;
const read = (viewId: string, run = runs[0], more = '') =>
  ada.get<ViewResults>(`${pathOf(viewId)}?run=${run}${more}`);
const now = async (viewId: string) => {
  const { pushedDown, ...results } = await ada.get<ViewResults>(`/api/data/views/aggregate/${viewId}`);
  return results;
};

describe('a view as of a run', () => {
  it('shows the rows of that time, and how they changed since then', async () => {
    const { github } = server.control;
    const titles = await createView('$.{"id": id, "number": number, "title": title}');
    const count = await createView('$count($)', { basedOn: titles, templateKey: undefined });
    const byState = await createView('$', { templateKey: 'pulls-by-author' });
    const joined = await createView('{"all": $count($all), "groups": $count($groups)}', {
      bases: [
        { ...ENTITY, name: 'all', templateKey: 'pulls-all' },
        { ...ENTITY, name: 'groups', basedOn: byState },
      ],
    });
    const before = await Promise.all([titles, count, byState, joined].map(now));
    const [changed = 0, gone = 0] = github.pullNumbers(NAME);
    github.changePull(NAME, changed, { title: 'Another title' });
    github.removePull(NAME, gone);
    github.insertPull(NAME);
    github.insertPull(NAME);
    runs.push(await sync());
    expect((await now(count)).results).toEqual([Number(before[1]?.results[0]) + 1]);

    expect(await Promise.all([titles, count, byState, joined].map((view) => read(view)))).toMatchObject(
      before,
    );
    expect(await read(titles, runs[1])).toMatchObject(await now(titles));
    const difference = await ada.get<ViewDifference>(`${pathOf(titles)}/difference?run=${runs[0]}`);
    expect(difference).toMatchObject({ appeared: 2, disappeared: 1, changed: 1 });
    expect(difference.rows.find(({ kind }) => kind === 'changed')).toMatchObject({
      row: { title: 'Another title' },
    });
    const none = await ada.get<ViewDifference>(`${pathOf(titles)}/difference?run=${runs[1]}`);
    expect(none).toEqual({ appeared: 0, disappeared: 0, changed: 0, rows: [] });
  });

  it('is sorted, has pages and takes parameters like the view', async () => {
    const parameters = [{ name: 'least', type: 'number', default: 0 }];
    const view = await createView('$[number >= $least].{"number": number}', { parameters });
    const sorted = await read(view, runs[0], '&sort=-number&parameters={"least":2}');
    const numbers = sorted.results.map((row) => (row as { number: number }).number);
    expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
    expect(numbers).not.toContain(1);
    expect((await read(view, runs[0], '&page=2')).results).toHaveLength(0);
  });

  it('lists the runs that can be chosen, and refuses one that is too old or of another user', async () => {
    const view = await createView('$');
    const list = () => ada.get<ViewRuns>(`${pathOf(view)}/runs`);
    expect((await list()).results.map(({ _id }) => _id)).toEqual(runs.toReversed());
    expect(await list()).toMatchObject({ count: 2, isCut: false });
    const jonas = await new Client(server).signIn('jonas.weber@sandbox.example');
    for (const path of ['', '/runs', '/difference'])
      expect((await jonas.call('GET', `${pathOf(view)}${path}?run=${runs[0]}`)).status).toBe(404);
    const mark = (undoable: boolean) =>
      server.product.context.db.execute(sql`update syncs set undoable = ${undoable} where id = ${runs[1]}`);
    await mark(false);
    expect((await list()).results.map(({ _id }) => _id)).toEqual([runs[1]]);
    const refused = await ada.call('GET', `${pathOf(view)}?run=${runs[0]}`);
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain('too old');
    await mark(true);
  });

  it('selects by a search what it found then, also of one of several bases', async () => {
    const found = await createView('$.title', { search: 'subject:"another title"' });
    const joined = await createView('$count($found) & " of " & $count($all)', {
      bases: [
        { ...ENTITY, name: 'all', templateKey: 'pulls-all' },
        { ...ENTITY, name: 'found', templateKey: 'pulls-all', search: '-subject:"another title"' },
      ],
    });
    const all = Number((await read(await createView('$count($)'))).results[0]);
    expect((await ada.get<ViewRuns>(`${pathOf(found)}/runs`)).count).toBe(2);
    expect((await read(found, runs[1])).results).toEqual(['Another title']);
    expect((await read(found)).results).toEqual([]);
    expect((await read(joined)).results).toEqual([`${all} of ${all}`]);
    expect((await read(joined, runs[1])).results).toEqual([`${all} of ${all + 1}`]);
    const difference = await ada.get<ViewDifference>(`${pathOf(found)}/difference?run=${runs[0]}`);
    expect(difference).toMatchObject({ appeared: 1, disappeared: 0 });
  });

  it('counts the ages of a search from the end of the run', async () => {
    const { db } = server.product.context;
    const move = (years: number) =>
      db.execute(
        sql`update syncs set updated_at = updated_at + make_interval(years => ${years}) where id = ${runs[0]}`,
      );
    const count = async () =>
      Number((await read(await createView('$count($)', { search: 'older_than:1d' }))).results[0]);
    expect(await count()).toBeGreaterThan(0);
    await move(-50);
    expect(await count()).toBe(0);
    await move(50);
  });

  it('is refused for a search of more changed records than it computes again', async () => {
    const { db } = server.product.context;
    const view = await createView('$', { search: 'is:open' });
    await db.execute(sql`
      insert into record_undo (user_id, sync_id, entity, id, connection_id, row, hash, created_sync, changed_sync, extraction)
      select user_id, sync_id, entity, 'copy ' || i, connection_id, row, hash, created_sync, changed_sync, extraction
      from (select * from record_undo where sync_id = ${runs[1]} limit 1) u, generate_series(1, ${AS_OF_LIMITS.searchedChanges}) i`);
    const refused = await ada.call('GET', `${pathOf(view)}?run=${runs[0]}`);
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain('Choose a newer run.');
    expect((await read(view, runs[1])).count).toBeGreaterThan(0);
    await db.execute(sql`delete from record_undo where sync_id = ${runs[1]} and id like 'copy %'`);
  });

  it('waits until pre-images are extracted by the current version', async () => {
    const { db } = server.product.context;
    const view = await createView('$count($)');
    const [before] = (await read(view)).results;
    const { rowCount } = await db.execute(
      sql`update record_undo set extraction = extraction - 1 where sync_id = ${runs[1]}`,
    );
    expect(rowCount).toBeGreaterThan(0);
    const answer = await ada.call('GET', `${pathOf(await createView('$count($) + 0'))}?run=${runs[0]}`);
    expect(answer.status).toBe(503);
    await db.execute(sql`update record_undo set extraction = extraction + 1 where sync_id = ${runs[1]}`);
    expect((await read(view)).results).toEqual([before]);
  });
});
