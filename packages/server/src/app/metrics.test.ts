import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSync, SYNCS, startSync, until } from '../../test-support/syncing.ts';
import { Client, startTestServer, type TestServer } from '../../test-support/test-server.ts';

let server: TestServer;
let ada: Client;

beforeAll(async () => {
  server = await startTestServer({ BACKUP_SCHEDULE: '0 3 1 1 *', BACKUP_FOLDER: '/tmp' });
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await ada.connect('google', 'ada.nowak@sandbox.example');
});
afterAll(() => server?.remove());

const scrape = async () => (await fetch(`${server.url}/metrics`)).text();

/** Returns the value of a series, by its name and labels as they are exported. */
async function seriesValue(series: string): Promise<number> {
  const line = (await scrape()).split('\n').find((one) => one.startsWith(`${series} `));
  return Number(line?.split(' ').at(-1));
}

const ended = (entity: string, outcome: string) =>
  seriesValue(`datadeck_syncs_ended_total{provider="google",entity="${entity}",outcome="${outcome}"}`);

describe('the metrics', () => {
  it('count ended syncs by outcome, and requests to providers by status', async () => {
    await runSync(ada, 'gmail-labels');
    expect(await ended('gmail-labels', 'finished')).toBe(1);
    expect(
      await seriesValue('datadeck_provider_request_seconds_count{provider="google",outcome="2xx"}'),
    ).toBeGreaterThan(0);

    server.control.fault({ name: 'insufficient-scope', match: { api: 'gmail' }, times: 9 });
    expect((await runSync(ada, 'gmail-labels')).status).toBe('failed');
    server.control.reset();
    expect(await ended('gmail-labels', 'reauthorise')).toBe(1);
    expect(
      await seriesValue('datadeck_provider_request_seconds_count{provider="google",outcome="4xx"}'),
    ).toBeGreaterThan(0);
  });

  it('count cancelled syncs', async () => {
    await ada.connect('google', 'ada.nowak@sandbox.example');
    server.control.fault({ name: 'latency', match: { api: 'gmail' }, options: { milliseconds: 60_000 } });
    const { _id } = await startSync(ada, 'gmail-labels');
    await ada.post(`${SYNCS}/${_id}/cancel`);
    server.control.reset();
    expect(await ended('gmail-labels', 'cancelled')).toBe(1);
  });

  it('show the connections that each pool uses, and who waits', async () => {
    const pool = server.product.context.db.$client;
    expect(await seriesValue('datadeck_database_connections_max{pool="pages"}')).toBe(pool.options.max);
    expect(await seriesValue('datadeck_database_connections_used{pool="pages"}')).toBe(0);
    const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
    const waiting = pool.query('select 1');
    await until(() => pool.waitingCount === 1);
    expect(await seriesValue('datadeck_database_connections_used{pool="pages"}')).toBe(pool.options.max);
    expect(await seriesValue('datadeck_database_waiting{pool="pages"}')).toBe(1);
    for (const client of clients) client.release();
    await waiting;
    expect(await seriesValue('datadeck_database_waiting{pool="pages"}')).toBe(0);
  });

  it('have labels of closed lists only', async () => {
    const { rows } = await server.product.context.db.execute<{ id: string }>('select id from users');
    const text = await scrape();
    for (const { id } of rows) expect(text).not.toContain(id);
    expect(text).not.toContain('ada.nowak');
    expect(text).not.toMatch(/127\.0\.0\.1|\?/);
  });
});

/** Returns the names of all exported series, also of those without a value yet. */
async function exportedNames(): Promise<Set<string>> {
  const names = new Set(['up']);
  for (const [, name = '', type] of (await scrape()).matchAll(/^# TYPE (\w+) (\w+)$/gm))
    for (const suffix of type === 'histogram' ? ['_bucket', '_count', '_sum'] : [''])
      names.add(name + suffix);
  return names;
}

describe('the dashboard and the alert rules', () => {
  it.each(['grafana/datadeck.json', 'prometheus/alerts.yml'])(
    '%s uses exported metrics only',
    async (file) => {
      const text = readFileSync(new URL(`../../../../deploy/${file}`, import.meta.url), 'utf8');
      const used = text.match(/\b(?:datadeck|nodejs|process)_\w+/g) ?? [];
      expect(used.length).toBeGreaterThan(10);
      const exported = await exportedNames();
      const missing = [...new Set(used)].filter((name) => !exported.has(name));
      expect(missing).toEqual([]);
    },
  );
});
