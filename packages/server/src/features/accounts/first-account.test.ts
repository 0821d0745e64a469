import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createDatabase,
  createEmptyDatabase,
  type TestDatabase,
} from '../../../test-support/test-database.ts';
import type { Context } from '../../platform/context/index.ts';
import { type Database, openDatabase } from '../../platform/db/database.ts';
import { createSchemaOf, listKnownMigrations, migrateDatabase } from '../../platform/db/migrate.ts';
import { createLogger } from '../../platform/log.ts';
import { setAdministrator } from './administration.ts';
import { listAuditEntries, SHELL } from './audit-log.ts';
import { linkedUser } from './sign-in-link.ts';
import { exchangeSignInToken, issueLinkToken } from './sign-in-tokens.ts';
import { createDemoUser, deleteUser, findOrCreateUser, listUsers, type User } from './users.ts';

const JOURNAL = new URL('../../../migrations/meta/_journal.json', import.meta.url);
/** Number of migrations before the one of administrators. */
const FORMER = (
  JSON.parse(readFileSync(JOURNAL, 'utf8')) as { entries: { tag: string }[] }
).entries.findIndex(({ tag }) => tag.endsWith('_administrators'));
let database: TestDatabase;
let db: Database;

async function open(created: Promise<TestDatabase>): Promise<void> {
  database = await created;
  db = openDatabase({ connectionString: database.url }, createLogger('silent'), 20);
}
beforeEach(async () => {
  await open(createDatabase());
  // A database of TEST_DATABASE_URL has no tables yet.
  await migrateDatabase(db.$client);
});
afterEach(async () => {
  await db.$client.end();
  await database.drop();
});

function signIn(subject: string, isSandbox = false): Promise<User> {
  const identity = {
    issuer: 'https://issuer.example',
    subject,
    email: `${subject}@mail.example`,
    name: subject,
  };
  return findOrCreateUser({ db }, { ...identity, isSandbox }, 'google');
}

async function administrators(): Promise<string[]> {
  return (await listUsers(db)).filter(({ isAdministrator }) => isAdministrator).map(({ name }) => name);
}

describe('the first account of a fresh installation', () => {
  it('is the administrator, and no later one', async () => {
    const { id } = await signIn('one');
    await signIn('two');
    await signIn('one');
    expect(await administrators()).toEqual(['one']);
    const { results } = await listAuditEntries(db, 1);
    expect(results).toMatchObject([
      { actor: 'server', by: null, action: 'administrator-granted', account: { _id: id, name: 'one' } },
    ]);
  });

  it('is one of many that sign in at the same time', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, n) => signIn(`user ${n}`)));
    expect(await administrators()).toHaveLength(1);
    expect((await listAuditEntries(db, 1)).count).toBe(1);
  });

  it('is the first that is neither demo nor sandbox', async () => {
    await db.transaction((tx) => createDemoUser(tx));
    await signIn('sample', true);
    expect(await administrators()).toEqual([]);
    await signIn('real');
    await signIn('later');
    expect(await administrators()).toEqual(['real']);
  });

  it('is the one of a printed link when somebody opens it', async () => {
    const owner = await linkedUser(db, 'owner@localhost');
    const context = { db, broadcast: { publish: async () => undefined } } as unknown as Context;
    expect(await administrators()).toEqual([]);
    await exchangeSignInToken(context, await issueLinkToken(db, owner.id), '');
    await signIn('later');
    expect(await administrators()).toEqual(['owner']);
  });

  it('is another one if nobody opens the printed link', async () => {
    const owner = await linkedUser(db, 'owner@localhost');
    await signIn('real');
    const context = { db, broadcast: { publish: async () => undefined } } as unknown as Context;
    await exchangeSignInToken(context, await issueLinkToken(db, owner.id), '');
    expect(await administrators()).toEqual(['real']);
  });

  it('has no heir', async () => {
    const { id } = await signIn('one');
    await signIn('two');
    await deleteUser(db, id);
    await signIn('three');
    await signIn('one');
    expect(await administrators()).toEqual([]);
  });
});

describe('an upgrade', () => {
  beforeEach(async () => {
    await db.$client.end();
    await database.drop();
    await open(createEmptyDatabase());
  });

  /** Creates the schema from before there were administrators. */
  async function createFormerSchema(): Promise<void> {
    const client = await db.$client.connect();
    try {
      await createSchemaOf(client, listKnownMigrations().slice(0, FORMER));
    } finally {
      client.release();
    }
  }

  it('makes nobody an administrator until the shell does', async () => {
    await createFormerSchema();
    await db.$client.query(
      `insert into users (id, name, email, plan) values (gen_random_uuid(), 'former', 'former@mail.example', 'standard')`,
    );
    await migrateDatabase(db.$client);
    await signIn('new');
    expect(await administrators()).toEqual([]);
    const [former] = (await listUsers(db)).filter(({ name }) => name === 'former');
    await setAdministrator(db, { actor: SHELL, accountId: former?.id ?? '' }, true);
    expect(await administrators()).toEqual(['former']);
  });

  it('of an installation without accounts leaves it fresh', async () => {
    await createFormerSchema();
    await migrateDatabase(db.$client);
    await signIn('one');
    expect(await administrators()).toEqual(['one']);
  });
});
