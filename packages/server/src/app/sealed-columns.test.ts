import { readFileSync } from 'node:fs';
import type { Alerts, Profile, Provider } from '@datadeck/contract';
import { connectorDocumentSchema } from '@datadeck/contract/connector-document';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../test-support/shared-server.ts';
import { Client, type TestServer } from '../../test-support/test-server.ts';
import { ticketDocument } from '../../test-support/ticket-service.ts';
import { storeClient } from '../features/connectors/index.ts';
import { Keyring, keyFileOf } from '../platform/encryption.ts';
import { listSealingKeys, resealColumns } from '../platform/secrets/sealed-columns.ts';
import { SEALED_COLUMNS } from './sealed-columns.ts';

const HOOK = 'http://127.0.0.1:1/';
let server: TestServer;
let ada: Client;

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await ada.connect('github', 'ada-nowak');
  await ada.json('PUT', '/api/notifications/webhook', { url: HOOK });
  const pulls = { providerId: 'github', entityLabel: 'gh-pulls' };
  const view = { title: 'All', description: 'd', ...pulls, jsonNataQuery: '$', templateKey: 'pulls-all' };
  const { _id: viewId } = await ada.post<{ _id: string }>('/api/data/views', view);
  const alert = { kinds: ['appeared'], digest: 'each', bell: false, email: false, viewId, webhookUrl: HOOK };
  await ada.post('/api/data/alerts', alert);
  const { context } = server.product;
  const { _id: id } = await ada.get<Profile>('/api/accounts');
  await context.db.execute(sql`insert into connectors (key, draft) values ('desk', '{}')`);
  const client = { id: 'datadeck', secret: 'secret' };
  const url = 'https://desk.example.com';
  const authentication = {
    kind: 'oauth-code',
    authorizationUrl: `${url}/authorize`,
    tokenUrl: `${url}/token`,
  };
  const document = connectorDocumentSchema.parse({ ...ticketDocument(url), connect: {}, authentication });
  await storeClient(context, { key: 'desk', client, document, actor: { kind: 'account', id } });
});
afterAll(async () => {
  // The connectors of a server are no user's.
  for (const table of ['connector_clients', 'connectors'])
    await server?.product.context.db.execute(sql`delete from ${sql.identifier(table)}`);
  await server?.remove();
});

/** Finds the columns whose values look encrypted, as `table.column`. */
async function findSealed(): Promise<string[]> {
  const { db } = server.product.context;
  const { rows } = await db.execute<{ table: string; column: string }>(
    sql`select table_name as table, column_name as column from information_schema.columns
      where table_schema = 'public' and data_type = 'jsonb' order by 1, 2`,
  );
  const found: string[] = [];
  for (const { table, column } of rows) {
    const [name, value] = [sql.identifier(table), sql.identifier(column)];
    const { rowCount } = await db.execute(
      sql`select from ${name} where ${value} ?& array['key', 'iv', 'tag', 'text'] limit 1`,
    );
    if ((rowCount ?? 0) > 0) found.push(`${table}.${column}`);
  }
  return found;
}

describe('the encrypted columns', () => {
  it('are all listed', async () => {
    const listed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
    // Attempts to sign in live for minutes.
    const lasting = (await findSealed()).filter((name) => name !== 'auth_attempts.secrets');
    expect(lasting).toEqual(listed.toSorted());
  });

  it('are all encrypted again with another key', async () => {
    const { db, config } = server.product.context;
    const own = config.ENCRYPTION_KEY ?? readFileSync(keyFileOf(config.DATA_DIR), 'utf8').trim();
    const next = Buffer.alloc(32, 77).toString('base64');
    for (const keys of [`${next},${own}`, `${own},${next}`]) {
      const keyring = new Keyring(keys);
      expect(await resealColumns(db, keyring, SEALED_COLUMNS)).toEqual({ renewed: 4, unreadable: [] });
      expect(await listSealingKeys(db, SEALED_COLUMNS)).toEqual([keyring.encryptionKeyId]);
    }
    const alerts = await ada.get<Alerts>('/api/data/alerts');
    expect(alerts.results[0]?.webhookUrl).toBe(HOOK);
    expect(await ada.get('/api/notifications/webhook')).toMatchObject({ url: HOOK });
    const providers = await ada.get<Provider[]>('/api/integrations/providers');
    expect(providers.find(({ key }) => key === 'github')?.connection?.status).toBe('connected');
  });
});
