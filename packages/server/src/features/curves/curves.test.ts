import type { Curve, CurvePoint } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jobsOf } from '../../../test-support/jobs.ts';
import { shareServer } from '../../../test-support/shared-server.ts';
import { awaitEnd, SYNCS, startSync, until } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';
import { thinCurve } from './add-point.ts';

const DOTFILES = { owner: 'ada-nowak', repo: 'dotfiles' };
const NAME = 'ada-nowak/dotfiles';
const VIEW = { title: 'Open', description: 'd', providerId: 'github', entityLabel: 'gh-pulls' };
let server: TestServer;
let ada: Client;

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await ada.connect('github', 'ada-nowak');
  await sync();
});
afterAll(() => server?.remove());

/** Waits until the points of all changes are stored. */
async function settle(): Promise<void> {
  await until(async () => {
    for (const queue of ['data-change', 'curve-point'])
      if ((await jobsOf(server, queue)).length > 0) return false;
    return true;
  });
}

/** Runs a sync of the pull requests to its end. @returns its id */
async function sync(): Promise<string> {
  const { _id } = await awaitEnd(ada, (await startSync(ada, 'gh-pulls', DOTFILES))._id);
  await settle();
  return _id;
}

async function createView(jsonNataQuery: string, more: object = {}): Promise<string> {
  const body = { ...VIEW, jsonNataQuery, templateKey: 'pulls-all', ...more };
  return (await ada.post<{ _id: string }>('/api/data/views', body))._id;
}

const pathOf = (viewId: string) => `/api/data/views/curve/${viewId}`;
const read = (viewId: string) => ada.get<Curve>(pathOf(viewId));

/** Creates a view and keeps its curve. @returns its id */
async function keep(jsonNataQuery: string, more: object = {}): Promise<string> {
  const viewId = await createView(jsonNataQuery);
  await ada.json('PUT', pathOf(viewId), { isKept: true, ...more });
  await settle();
  return viewId;
}

const numbers = (points: readonly CurvePoint[]) => points.map(({ values }) => values['']);

describe('a curve', () => {
  it('has a point from its beginning, and one for each run and undo; the undone run is marked', async () => {
    const { github } = server.control;
    const viewId = await keep('$count($)');
    const [first = 0] = numbers((await read(viewId)).points);
    expect(first).toBeGreaterThan(0);
    github.insertPull(NAME);
    await sync();
    github.insertPull(NAME);
    const last = await sync();
    await ada.json('DELETE', `${SYNCS}/${last}`);
    await settle();

    const { points, ...curve } = await read(viewId);
    expect(curve).toMatchObject({ isKept: true, kind: 'number', problem: null, count: 4 });
    expect(numbers(points)).toEqual([first, first + 1, first + 2, first + 1]);
    expect(points.map(({ cause, isUndone }) => [cause, isUndone])).toEqual([
      ['start', false],
      ['run', false],
      ['run', true],
      ['undo', false],
    ]);
    expect(points[2]?.sync?._id).toBe(last);
    await sync();
  });

  it('has a number for each group', async () => {
    const viewId = await keep('{ "open": $count($[state = "open"]), "all": $count($) }');
    const { kind, points } = await read(viewId);
    expect(kind).toBe('groups');
    expect(Object.keys(points[0]?.values ?? {})).toEqual(['open', 'all']);
  });

  it('draws groups with huge numbers and hostile names', async () => {
    const viewId = await keep('{"a\\u0000": 1e308, "b\\ud800": 1e308, "constructor": -1}');
    const { points } = await read(viewId);
    expect(Object.entries(points[0]?.values ?? {})).toEqual([
      ['a\ufffd', 1e308],
      ['b\ufffd', 1e308],
      ['constructor', -1],
    ]);
  });

  it('says why it has no point, until the view yields a number again', async () => {
    const viewId = await keep('"no number"');
    expect(await read(viewId)).toMatchObject({ count: 0, kind: null });
    expect((await read(viewId)).problem).toContain('no number');
    await ada.json('PUT', `/api/data/views/${viewId}`, {
      title: VIEW.title,
      description: 'd',
      jsonNataQuery: '$count($)',
    });
    await sync();
    expect(await read(viewId)).toMatchObject({ count: 1, kind: 'number', problem: null });
  });

  it('stores a problem whose text the database cannot take as it is', async () => {
    const viewId = await keep('$error("left\\u0000right")');
    expect((await read(viewId)).problem).toMatch(/left.right/);
  });

  it('marks the first point after its expression changed', async () => {
    const viewId = await keep('$count($)');
    await ada.json('PUT', `/api/data/views/${viewId}`, {
      title: VIEW.title,
      description: 'd',
      jsonNataQuery: '$count($) * 2',
    });
    await sync();
    await sync();
    const { points } = await read(viewId);
    expect(points.map(({ isRedefined }) => isRedefined)).toEqual([false, true, false]);
  });

  it('lists its points newest first, and is exported', async () => {
    const viewId = await keep('$count($)');
    await sync();
    const { results, count } = await ada.get<{ results: CurvePoint[]; count: number }>(
      `${pathOf(viewId)}/points`,
    );
    expect(count).toBe(2);
    expect(results.map(({ cause }) => cause)).toEqual(['run', 'start']);
    const text = await (await ada.call('GET', `${pathOf(viewId)}/download?format=ndjson`)).text();
    const rows = text.trim().split('\n');
    expect(rows.map((row) => JSON.parse(row))).toMatchObject([
      { cause: 'start', sync: null, group: '' },
      { cause: 'run', group: '' },
    ]);
    const csv = await (await ada.call('GET', `${pathOf(viewId)}/download`)).text();
    expect(csv.trim().split('\n')).toHaveLength(3);
  });

  it('begins again for other values, and is deleted with its view and on request', async () => {
    const stored = async () => {
      const { rows } = await server.product.context.db.execute(
        sql`select view_id from curves union all select view_id from curve_points`,
      );
      return rows.map((row) => row.view_id);
    };
    const viewId = await keep('$count($)');
    await ada.json('PUT', pathOf(viewId), { isKept: true });
    await settle();
    expect((await read(viewId)).count).toBe(1);
    await ada.json('PUT', pathOf(viewId), { isKept: false });
    expect(await read(viewId)).toMatchObject({ isKept: false, count: 0 });
    await ada.json('PUT', pathOf(viewId), { isKept: true });
    await settle();
    expect(await stored()).toContain(viewId);
    await ada.json('DELETE', `/api/data/views/${viewId}`);
    expect(await stored()).not.toContain(viewId);
  });

  it('is thinned to half, but the first, last, least and greatest numbers', async () => {
    const { db } = server.product.context;
    const viewId = await keep('$count($)');
    const { rows } = await db.execute<{ user_id: string }>(
      sql`select user_id from curves where view_id = ${viewId}`,
    );
    const userId = rows[0]?.user_id ?? '';
    await db.execute(sql`delete from curve_points where view_id = ${viewId}`);
    await db.execute(sql`insert into curve_points (user_id, view_id, place, at, cause, values)
      select ${userId}::uuid, ${viewId}::uuid, n, now(), 'run', json_build_object('',
        case n when 40 then -7 when 60 then 1000 else n end) from generate_series(1, 102) n`);
    await thinCurve(db, { userId, viewId, most: 102 });
    expect((await read(viewId)).count).toBe(102);
    await thinCurve(db, { userId, viewId, most: 101 });
    const { points } = await read(viewId);
    const kept = numbers(points);
    expect(kept).toHaveLength(54);
    for (const number of [1, -7, 1000, 102]) expect(kept).toContain(number);
    expect(kept).not.toContain(42);
  });

  it('draws at most 400 of 10,000 points, with the first, last, least and greatest', async () => {
    const { db } = server.product.context;
    const viewId = await keep('$count($)');
    const { rows } = await db.execute<{ user_id: string }>(
      sql`select user_id from curves where view_id = ${viewId}`,
    );
    await db.execute(sql`delete from curve_points where view_id = ${viewId}`);
    await db.execute(sql`insert into curve_points (user_id, view_id, place, at, cause, values)
      select ${rows[0]?.user_id}::uuid, ${viewId}::uuid, n, now(), 'run', json_build_object('',
        case n when 4001 then -7 when 6007 then 99999 else n end) from generate_series(1, 10000) n`);
    const { points, count } = await read(viewId);
    expect(count).toBe(10_000);
    expect(points.length).toBeLessThanOrEqual(400);
    expect(points.length).toBeGreaterThan(390);
    for (const number of [1, -7, 99_999, 10_000]) expect(numbers(points)).toContain(number);
  });
});
