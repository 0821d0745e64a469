import {
  type AdminAccountDetail,
  type AdminAccounts,
  type AdminFindings,
  type AdminHealth,
  type AdminPlans,
  type AuditLog,
  type CreateToken,
  ENDPOINTS,
  type Endpoint,
  type Profile,
  TOKEN_SCOPES,
  type TokenScope,
} from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUser } from '../../../test-support/new-user.ts';
import { shareServer } from '../../../test-support/shared-server.ts';
import { awaitEnd, startSync, until } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';
import {
  deleteOldAuditEntries,
  findUser,
  recordAction,
  SHELL,
  setAdministrator,
} from '../../features/accounts/index.ts';
import { deleteAccount } from '../../features/deletion/index.ts';

const ACCOUNTS = '/api/admin/accounts';
const AUDIT = '/api/admin/audit';
const PULLS = { providerId: 'github', entityLabel: 'gh-pulls' };
let server: TestServer;
let root: Client;
let ada: Client;
let adaId: string;

const db = () => server.product.context.db;
const idOf = async (client: Client) => (await client.get<Profile>('/api/accounts'))._id;

async function newAdministrator(name: string): Promise<Client> {
  const client = await newUser(server, name);
  await setAdministrator(db(), { actor: SHELL, accountId: await idOf(client) }, true);
  return client;
}

beforeAll(async () => {
  server = await shareServer();
  root = await newAdministrator('root');
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  adaId = await idOf(ada);
});
afterAll(() => server?.remove());

const ENDPOINTS_OF_ADMINISTRATORS = Object.entries(ENDPOINTS as Record<string, Endpoint>).filter(
  ([, { path }]) => path.startsWith('/api/admin/'),
);
const BODIES: Record<string, unknown> = {
  adminChangePlan: { plan: 'pro' },
  adminSetAdministrator: { isAdministrator: true },
  adminDeleteAccount: { confirmation: 'ada.nowak@sandbox.example' },
  connectorStart: { from: 'document', text: '{}' },
  connectorSave: { document: '{}', changedAt: null },
  connectorTry: { document: '{}', entity: 'nothing' },
  connectorProve: { document: '{}' },
  connectorClient: { id: 'datadeck', secret: 'secret' },
  connectorPublish: { changedAt: '2026-11-20T08:50:00.000Z' },
  connectorRestore: { version: 1 },
  connectorWithdraw: { isWithdrawn: true },
  connectorDelete: { confirmation: 'nothing' },
};

/** Calls an endpoint of administrators, for Ada's account where it names one. */
function callAbout(client: Client, name: string): Promise<Response> {
  const { method, path } = ENDPOINTS[name as 'adminAccounts'] as Endpoint;
  const query = name === 'connectorDiscard' ? '?changedAt=2026-11-20T08:50:00.000Z' : '';
  return client.call(method, path.replace('{id}', adaId).replace('{key}', 'nothing') + query, BODIES[name]);
}

async function audited(): Promise<AuditLog> {
  return root.get<AuditLog>(AUDIT);
}

describe('each endpoint of administrators', () => {
  it.each(ENDPOINTS_OF_ADMINISTRATORS)(
    'is refused to other accounts and without a session: %s',
    async (name) => {
      const demo = await new Client(server).demo();
      const { count } = await audited();
      for (const client of [ada, demo]) {
        const response = await callAbout(client, name);
        expect(response.status).toBe(403);
        expect(await response.json()).toEqual({
          error: {
            code: 'administrator-only',
            message: 'Only an administrator of this server may do this.',
          },
        });
      }
      expect((await callAbout(new Client(server), name)).status).toBe(401);
      expect((await audited()).count).toBe(count);
      expect(await findUser(db(), adaId)).toMatchObject({ plan: 'standard', isAdministrator: false });
    },
  );

  it.each(TOKEN_SCOPES)("is refused to an administrator's token of the scope %s", async (scope) => {
    const token = { name: 't', scope, expiresInDays: 1, ...(await readingFields(scope)) };
    const client = new Client(server);
    client.token = (await root.post<{ token: string }>('/api/accounts/tokens', token)).token;
    const { count } = await audited();
    for (const [name] of ENDPOINTS_OF_ADMINISTRATORS) {
      const response = await callAbout(client, name);
      expect(response.status, name).toBe(403);
      expect(await response.text(), name).toContain('token-forbids');
    }
    expect((await audited()).count).toBe(count);
  });

  it('is refused to a demo account, even if it is marked as an administrator', async () => {
    const demo = await new Client(server).demo();
    await db().$client.query('update users set is_administrator = true where id = $1', [await idOf(demo)]);
    expect(await demo.get<Profile>('/api/accounts')).not.toHaveProperty('isAdministrator');
    for (const [name] of ENDPOINTS_OF_ADMINISTRATORS)
      expect((await callAbout(demo, name)).status, name).toBe(403);
  });
});

/** Returns what a token for one view or board needs. */
async function readingFields(scope: TokenScope): Promise<Partial<CreateToken>> {
  if (scope === 'view') return { viewId: await createView(root), rowBudget: 10 };
  if (scope !== 'board') return {};
  const { _id } = await root.post<{ _id: string }>('/api/data/boards', { title: 'Salaries' });
  return { boardId: _id, rowBudget: 10 };
}

async function createView(client: Client): Promise<string> {
  const view = {
    title: 'Salaries',
    description: 'x',
    jsonNataQuery: '$',
    templateKey: 'pulls-all',
    ...PULLS,
  };
  return (await client.post<{ _id: string }>('/api/data/views', view))._id;
}

describe('the accounts', () => {
  it('are found by name, address or id, without demo accounts, 20 per page', async () => {
    await new Client(server).demo();
    for (let n = 0; n < 21; n++) await newUser(server, `Paged ${n}`);
    const search = (text: string, page = 1) =>
      root.get<AdminAccounts>(`${ACCOUNTS}?${new URLSearchParams({ search: text, page: String(page) })}`);
    const [first, second] = [await search('pAgEd '), await search('pAgEd ', 2)];
    expect([first.count, first.results.length, second.results.length]).toEqual([21, 20, 1]);
    expect((await search('NOWAK@sandbox')).results).toMatchObject([
      { _id: adaId, signInMethods: ['Google'] },
    ]);
    expect((await search(adaId)).results).toMatchObject([{ _id: adaId }]);
    expect((await search('%')).count).toBe(0);
    expect((await search('demo@datadeck.example')).count).toBe(0);
    expect((await root.call('GET', `${ACCOUNTS}?search=${'x'.repeat(255)}`)).status).toBe(422);
  });

  it('show what they count as their users see it, and nothing that they hold', async () => {
    await ada.connect('github', 'ada-nowak');
    await awaitEnd(ada, (await startSync(ada, 'gh-pulls', { owner: 'ada-nowak', repo: 'dotfiles' }))._id);
    await createView(ada);
    const { token } = await ada.post<{ token: string }>('/api/accounts/tokens', {
      name: 'Payroll robot',
      scope: 'read',
      expiresInDays: 1,
    });
    const found = await root.get<AdminAccountDetail>(`${ACCOUNTS}/${adaId}`);
    const use = await ada.get<{ entities: unknown }>('/api/accounts/disk-use');
    await db().$client.query(
      `insert into passkeys (user_id, id, credential_id, public_key, counter, transports, name, is_backed_up)
        values ($1, gen_random_uuid(), 'secret-credential', '', 0, '{}', 'Office safe', false)`,
      [adaId],
    );
    expect((await root.get<AdminAccountDetail>(`${ACCOUNTS}/${adaId}`)).signInMethods).toEqual([
      'Google',
      'Passkey',
    ]);
    expect(found).toMatchObject({ providers: ['GitHub'], sessions: 1, tokens: 1, entities: use.entities });
    expect(found.runs).toContainEqual({ entity: 'gh-pulls', title: 'Pull Requests', used: 1, allowed: 50 });
    await callAbout(root, 'adminSignOut');
    ada = await new Client(server).signIn('ada.nowak@sandbox.example');

    const texts: string[] = [];
    for (const [name] of ENDPOINTS_OF_ADMINISTRATORS.filter(([, { method }]) => method === 'GET'))
      texts.push(await (await callAbout(root, name)).text());
    const { results } = await ada.get<{ results: { title: string }[] }>('/api/data/search');
    expect(results.length).toBeGreaterThan(5);
    const secrets = [
      ...results.map(({ title }) => title),
      token,
      ada.token,
      'Payroll robot',
      'Salaries',
      'Office safe',
    ];
    for (const secret of [...secrets, 'dotfiles', 'ada-nowak'])
      expect(
        texts.filter((text) => text.includes(secret)),
        secret,
      ).toEqual([]);
  });

  it('are 404 when they do not exist or are demo accounts', async () => {
    const demo = await idOf(await new Client(server).demo());
    for (const id of [crypto.randomUUID(), demo])
      for (const [name, { method, path }] of ENDPOINTS_OF_ADMINISTRATORS.filter(([, { path }]) =>
        path.includes('{id}'),
      ))
        expect((await root.call(method, path.replace('{id}', id), BODIES[name])).status, name).toBe(404);
    const ofConnectors = ENDPOINTS_OF_ADMINISTRATORS.filter(([, { path }]) => path.includes('{key}'));
    // Saving creates the connector.
    for (const [name] of ofConnectors.filter(([one]) => one !== 'connectorSave'))
      expect((await callAbout(root, name)).status, name).toBe(404);
  });
});

/** Lets each change of a table fail, during `work`. */
async function withFailing(table: string, event: string, work: () => Promise<void>): Promise<void> {
  const { $client: client } = db();
  await client.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
     create trigger refuse before ${event} on ${table} for each row execute function refuse()`,
  );
  try {
    await work();
  } finally {
    await client.query(`drop trigger refuse on ${table}; drop function refuse()`);
  }
}

/** What administrators do with an account. */
const ACTIONS = [
  ['plan-changed', 'PUT', 'plan', { plan: 'pro' }, ['users', 'update']],
  ['administrator-granted', 'PUT', 'administrator', { isAdministrator: true }, ['users', 'update']],
  ['administrator-revoked', 'PUT', 'administrator', { isAdministrator: false }, ['users', 'update']],
  ['signed-out', 'POST', 'sign-out', undefined, ['sessions', 'delete']],
  ['account-deleted', 'POST', 'delete', { confirmation: 'target@test.example' }, ['users', 'delete']],
] as const;

describe('each action', () => {
  it('adds one entry with its administrator, none when it fails, and does nothing without its entry', async () => {
    const target = await newUser(server, 'target');
    const id = await idOf(target);
    const rootId = await idOf(root);
    for (const [action, method, path, body, [table, event]] of ACTIONS) {
      const call = () => root.call(method, `${ACCOUNTS}/${id}/${path}`, body);
      const before = await audited();
      const user = await findUser(db(), id);
      await withFailing(table, event, async () => expect((await call()).status, action).toBe(500));
      await withFailing('audit_entries', 'insert', async () =>
        expect((await call()).status, action).toBe(500),
      );
      expect(await findUser(db(), id), action).toEqual(user);
      expect(await target.get<Profile>('/api/accounts'), action).toMatchObject({ _id: id });
      expect((await audited()).count, action).toBe(before.count);
      expect((await call()).status, action).toBe(200);
      const { results, count } = await audited();
      expect(count, action).toBe(before.count + 1);
      expect(results[0]).toMatchObject({
        ...{ actor: 'account', action, by: { _id: rootId, name: 'root' } },
        account: { _id: id },
      });
      if (action === 'signed-out') {
        expect((await target.call('GET', '/api/accounts')).status).toBe(401);
        Object.assign(target, { token: (await newUser(server, 'target')).token });
      }
    }
    const { results } = await audited();
    expect(results[0]?.account).toEqual({ _id: id });
    expect(results.map(({ detail }) => detail)).toContain('standard → pro');
    expect(await findUser(db(), id)).toBeUndefined();
  });

  it('adds nothing when it changes nothing', async () => {
    const { count } = await audited();
    await root.json('PUT', `${ACCOUNTS}/${adaId}/plan`, { plan: 'standard' });
    await root.json('PUT', `${ACCOUNTS}/${adaId}/administrator`, { isAdministrator: false });
    expect((await audited()).count).toBe(count);
  });

  it('cannot give the plan demo', async () => {
    expect((await root.call('PUT', `${ACCOUNTS}/${adaId}/plan`, { plan: 'demo' })).status).toBe(422);
  });
});

describe('the deletion of an account', () => {
  it('needs its address, in any case of letters', async () => {
    const id = await idOf(await newUser(server, 'leaving'));
    const refused = await root.call('POST', `${ACCOUNTS}/${id}/delete`, { confirmation: 'leaving' });
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({
      error: { fields: { confirmation: 'Must be leaving@test.example' } },
    });
    expect(await findUser(db(), id)).toBeDefined();
    await root.post(`${ACCOUNTS}/${id}/delete`, { confirmation: 'LEAVING@test.example' });
    expect(await findUser(db(), id)).toBeUndefined();
  });

  it('is refused for administrators, also for oneself', async () => {
    const second = await newAdministrator('second');
    for (const [client, name] of [
      [second, 'second'],
      [root, 'root'],
    ] as const) {
      const id = await idOf(client);
      const body = { confirmation: `${name}@test.example` };
      const response = await root.call('POST', `${ACCOUNTS}/${id}/delete`, body);
      expect(response.status).toBe(409);
      expect(await response.text()).toContain('administrator-account');
      expect(await findUser(db(), id)).toBeDefined();
    }
    await root.json('PUT', `${ACCOUNTS}/${await idOf(second)}/administrator`, { isAdministrator: false });
  });

  it('leaves the connections of an account that becomes an administrator in the meantime', async () => {
    const client = await new Client(server).signIn('mei.tanaka@sandbox.example');
    const id = await idOf(client);
    await client.connect('github', 'jonas-weber');
    const refuse = () => Promise.reject(new Error('an administrator now'));
    await expect(deleteAccount(server.product, id, refuse)).rejects.toThrow('an administrator now');
    expect(await root.get<AdminAccountDetail>(`${ACCOUNTS}/${id}`)).toMatchObject({ providers: ['GitHub'] });
  });

  it('removes what the account stores, as its own does', async () => {
    const client = await newUser(server, 'stored');
    const id = await idOf(client);
    await createView(client);
    await root.post(`${ACCOUNTS}/${id}/delete`, { confirmation: 'stored@test.example' });
    await until(
      async () => (await db().$client.query('select from views where user_id = $1', [id])).rows.length === 0,
    );
    expect((await client.call('GET', '/api/accounts')).status).toBe(401);
  });
});

describe('the last administrator', () => {
  it('ends by the shell alone', async () => {
    const id = await idOf(root);
    const path = `${ACCOUNTS}/${id}/administrator`;
    const refused = await root.call('PUT', path, { isAdministrator: false });
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain('datadeck users --no-admin');
    await setAdministrator(db(), { actor: SHELL, accountId: id }, false);
    expect((await root.call('GET', AUDIT)).status).toBe(403);
    await setAdministrator(db(), { actor: SHELL, accountId: id }, true);
  });

  it('stays when two administrators end each other at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const other = await newAdministrator(`other ${round}`);
      const ids = [await idOf(root), await idOf(other)] as const;
      const end = (client: Client, id: string) =>
        client.call('PUT', `${ACCOUNTS}/${id}/administrator`, { isAdministrator: false });
      await Promise.all([end(root, ids[1]), end(other, ids[0])]);
      const { rows } = await db().$client.query(
        'select id from users where is_administrator and plan <> $1',
        ['demo'],
      );
      expect(rows).toHaveLength(1);
      await setAdministrator(db(), { actor: SHELL, accountId: ids[0] }, true);
      await setAdministrator(db(), { actor: SHELL, accountId: ids[1] }, false);
    }
  });
});

describe('the audit log', () => {
  it('has pages of 20 and keeps the newest entries', async () => {
    for (let n = 0; n < 25; n++)
      await recordAction(db(), { actor: SHELL, action: 'link-created', accountId: adaId, detail: String(n) });
    const { results } = await audited();
    expect(results).toHaveLength(20);
    expect(results[0]).toMatchObject({ actor: 'shell', by: null, detail: '24', account: { _id: adaId } });
    const second = await root.get<AuditLog>(`${AUDIT}?page=2`);
    expect(second.results.slice(0, 5).map(({ detail }) => detail)).toEqual(['4', '3', '2', '1', '0']);
    await deleteOldAuditEntries(db(), 10);
    const { count, results: kept } = await audited();
    expect(count).toBe(10);
    expect(kept.at(-1)?.detail).toBe('15');
  });
});

describe('the overviews', () => {
  it('show plans with the limits that hold', async () => {
    const plans = await root.get<AdminPlans>('/api/admin/plans');
    const { rows } = await db().$client.query<{ plan: string; n: number }>(
      'select plan, count(*)::int as n from users group by plan',
    );
    for (const { plan, n } of rows) expect(plans.accounts).toHaveProperty(plan, n);
    expect(plans.source).toBe('product');
    expect(plans.entities.find(({ entity }) => entity === 'gh-pulls')?.limits).toEqual({
      demo: { cap: 10, monthlyRuns: 50, scopes: 1 },
      standard: { cap: 500, monthlyRuns: 50, scopes: 100 },
      pro: { cap: 5000, monthlyRuns: 300, scopes: 1000 },
    });
  });

  it('show the health of the server', async () => {
    const health = await root.get<AdminHealth>('/api/admin/health');
    expect(health.checks[0]).toEqual({ state: 'ok', text: 'The database answers and can be written.' });
    expect(health).toMatchObject({ version: server.product.version, node: process.versions.node });
    expect(health.database?.bytes).toBeGreaterThan(1_000_000);
    expect(health.disk?.free).toBeGreaterThan(0);
    expect(health.jobs.map(({ queue }) => queue)).toContain('housekeeping');
    expect(health.tables.map(({ entity }) => entity)).toContain('gh-pulls');
  });

  it("show the doctor's findings, which several ask for at once", async () => {
    const all = await Promise.all([1, 2, 3].map(() => root.post<AdminFindings>('/api/admin/doctor')));
    for (const { findings } of all) {
      expect(findings.map(({ text }) => text)).toContain('The tables are those of this version.');
      expect(findings.filter(({ state }) => state === 'problem')).toEqual([]);
    }
  });
});
