import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client, startTestServer, type TestServer } from '../../test-support/test-server.ts';
import { ticketDocument } from '../../test-support/ticket-service.ts';
import { finishDeletedConnectors } from './deleted-connectors.ts';

const KEYS = { ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'), CONNECT_HOSTS: '127.0.0.1' };
/** An entity of a shipped connector, which an administrator had written before with other columns. */
const ENTITY = 'todoist-tasks';

let server: TestServer;
/** Processes of the later release. */
let later: TestServer | undefined;
let log = '';

async function startLater(): Promise<TestServer> {
  await later?.remove();
  log = '';
  const { DATABASE_URL = '' } = server.config;
  const write = (line: string) => {
    log += line;
  };
  later = await startTestServer({ ...KEYS, DATABASE_URL, LOG_LEVEL: 'error' }, { logTo: { write } });
  return later;
}

const query = (text: string, values: unknown[] = []) => server.product.context.db.$client.query(text, values);

describe('an entity of an administrator that a later release ships with other columns', () => {
  beforeAll(async () => {
    server = await startTestServer(KEYS);
    const document = JSON.stringify({ ...ticketDocument('https://desk.example.com'), key: 'todoist' })
      .replaceAll('helpdesk-tickets', ENTITY)
      .replaceAll('helpdesk-', 'todoist-');
    // As the earlier release left it.
    await query('drop table todoist_tasks cascade');
    await query('drop table todoist_projects cascade').catch(() => undefined);
    await query(`insert into connectors (key, version) values ('todoist', 1)`);
    await query(
      `insert into connector_versions (connector_key, version, document, stored_names, published_by)
        values ('todoist', 1, $1, '{}', gen_random_uuid())`,
      [document],
    );
    await query(
      `create table todoist_tasks (user_id uuid not null, connection_id uuid not null, id text not null, scopes text[] not null,
        occurred_at timestamptz not null, hash text not null, extraction integer not null, created_sync uuid not null,
        changed_sync uuid not null, subject text, points integer, updated_at timestamptz, priority text, content integer,
        data json not null, primary key (user_id, connection_id, id))`,
    );
    await query(`comment on table todoist_tasks is 'Records of a synchronised entity'`);
  });
  afterAll(async () => {
    await later?.remove();
    await server?.remove();
  });

  it('does not stop the start: the stored connector stays in use, and the log says what to do', async () => {
    const { product } = await startLater();
    expect(product.registry.connector('todoist').title).toBe('Help desk');
    expect(product.registry.all().map(({ key }) => key)).toContain('gitlab');
    expect(log).toMatch(/Todoist of this version is left out.*delete that connector with its data/);
    const jonas = await new Client(later as TestServer).signIn('jonas.weber@sandbox.example');
    expect((await jonas.call('GET', '/api/integrations/providers')).status).toBe(200);
    // Reading the connectors again changes nothing of that.
    await product.connectors.changed(product.background);
    expect(product.registry.connector('todoist').title).toBe('Help desk');
  });

  it('is that of the release at the next start after the stored connector was deleted', async () => {
    const { product } = await startLater();
    await query(`update connectors set deleted_at = now() where key = 'todoist'`);
    await product.connectors.reload(product.background);
    await finishDeletedConnectors(product);
    const { rows } = await query(`select to_regclass('todoist_tasks') as name`);
    expect(rows).toEqual([{ name: null }]);
    const again = await startLater();
    expect(again.product.registry.connector('todoist').title).toBe('Todoist');
    expect(log).not.toMatch(/left out/);
  });
});
