import type { ChartData, View } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import { awaitEnd, startSync } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';

const ENTITY = { providerId: 'github', entityLabel: 'gh-pulls' };
const QUERY = { entryCollection: 'gh-pulls', templateKey: 'pulls-all', timeZone: 'UTC' };

let server: TestServer;
let user: Client;
let view: View;
let syncId: string;
/** The states of all pull requests. */
let states: string[];

beforeAll(async () => {
  server = await shareServer();
  user = await new Client(server).signIn('jonas.weber@sandbox.example');
  await user.connect('github', 'jonas-weber');
  syncId = (await startSync(user, 'gh-pulls', { owner: 'aurora-labs', repo: 'harbor' }))._id;
  await awaitEnd(user, syncId);
  view = await user.post<View>('/api/data/views', {
    title: 'States',
    description: 'x',
    jsonNataQuery: '$[number >= $from].{ "state": state, "number": number }',
    templateKey: 'pulls-all',
    parameters: [{ name: 'from', type: 'number', default: 0 }],
    ...ENTITY,
  });
  states = await user
    .get<string[]>(`/api/data/views/download/${view._id}`)
    .then((rows) => (rows as unknown as { state: string }[]).map(({ state }) => state));
});
afterAll(() => server?.remove());

const CHART = { kind: 'bars', x: 'state', measure: 'count' };
const countOf = ({ series }: ChartData) =>
  series.flatMap(({ values }) => values).reduce<number>((sum, value) => sum + (value ?? 0), 0);

describe('the chart of a view', () => {
  it('counts all rows, not those of a page', async () => {
    expect(states.length).toBeGreaterThan(20);
    const data = await user.post<ChartData>(`/api/data/views/chart/${view._id}`, {
      chart: CHART,
      timeZone: 'UTC',
    });
    const open = data.groups.indexOf('open');
    expect(data.series[0]?.values[open]).toBe(states.filter((state) => state === 'open').length);
    expect(data.rows).toBe(states.length);
    expect(countOf(data)).toBe(states.length);
  });

  it('is proposed when nothing is asked for, and takes parameters and a filter', async () => {
    const path = `/api/data/views/chart/${view._id}`;
    const proposed = await user.post<ChartData>(path, { timeZone: 'UTC' });
    expect(proposed.chart).toEqual(proposed.proposed);
    expect(proposed.columns.map(({ name }) => name)).toEqual(['state', 'number']);
    const none = await user.post<ChartData>(path, {
      chart: CHART,
      timeZone: 'UTC',
      parameters: { from: 1e9 },
    });
    expect(none).toMatchObject({ problem: 'no-rows', rows: 0 });
    const filtered = await user.post<ChartData>(path, {
      chart: CHART,
      timeZone: 'UTC',
      jsonNataQuery: '$[state = "open"]',
    });
    expect(filtered.groups).toEqual(['open']);
  });

  it('is stored with the view', async () => {
    const display = { mode: 'chart', columns: [], chart: { ...CHART, top: 5, unit: 'pulls' } };
    const { title, description, jsonNataQuery } = view;
    await user.json('PUT', `/api/data/views/${view._id}`, { title, description, jsonNataQuery, display });
    const [stored] = await user.get<View[]>('/api/data/views');
    expect(stored?.display).toEqual(display);
  });

  it.each([
    ['a time zone that does not exist', { timeZone: 'Mars/Olympus' }],
    ['a field that cannot be named', { timeZone: 'UTC', chart: { ...CHART, x: '-a' } }],
    ['an unknown kind', { timeZone: 'UTC', chart: { ...CHART, kind: 'pie' } }],
    ['too many groups', { timeZone: 'UTC', chart: { ...CHART, top: 61 } }],
  ])('is refused for %s', async (_name, body) => {
    const response = await user.call('POST', `/api/data/views/chart/${view._id}`, body);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ error: { code: 'validation-failed' } });
  });
});

describe('the chart of a query', () => {
  it('draws the result of the expression over all rows of the template', async () => {
    const data = await user.post<ChartData>('/api/data/query/chart', {
      ...QUERY,
      jsonNataQuery: '$[state = "open"].user.login',
      chart: { kind: 'bars', x: '$', measure: 'count' },
    });
    expect(data).toMatchObject({ axis: 'groups', problem: null });
    expect(countOf(data)).toBe(data.rows);
  });

  it('fails as the query does', async () => {
    const response = await user.call('POST', '/api/data/query/chart', { ...QUERY, jsonNataQuery: '$[' });
    expect(await response.json()).toMatchObject({ error: { code: 'expression-invalid' } });
  });

  it('draws several charts at once', async () => {
    const charts = await Promise.all(
      ['state', 'user.login', 'draft', 'state'].map((x) =>
        user.post<ChartData>('/api/data/query/chart', {
          ...QUERY,
          jsonNataQuery: '$',
          chart: { kind: 'bars', x, measure: 'count' },
        }),
      ),
    );
    expect(new Set(charts.map(({ rows }) => rows)).size).toBe(1);
    expect(charts[3]).toEqual(charts[0]);
  });

  it('has no rows after they were undone', async () => {
    await user.json('DELETE', `/api/integrations/synchronizations/${syncId}`);
    const chart = await user.post<ChartData>('/api/data/query/chart', { ...QUERY, jsonNataQuery: '$' });
    expect(chart).toMatchObject({ problem: 'no-rows', rows: 0 });
  });
});
