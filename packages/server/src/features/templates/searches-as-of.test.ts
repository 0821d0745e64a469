import type { ConnectorRecord, EntityDefinition } from '@datadeck/connectors';
import { pullRecord } from '@datadeck/connectors/github';
import { messageRecord } from '@datadeck/connectors/google';
import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PRODUCT_ENTITIES, PRODUCT_REGISTRY } from '../../../test-support/product-entities.ts';
import { pick } from '../../../test-support/random-records.ts';
import { seededRandom } from '../../../test-support/seeded-random.ts';
import { openTestDatabase } from '../../../test-support/test-database.ts';
import type { Context } from '../../platform/context/index.ts';
import { readBounded } from '../../platform/db/bounded-read.ts';
import { type Database, inBulkTransaction } from '../../platform/db/database.ts';
import {
  isRecordIn,
  prepareRecordTables,
  recordSetOf,
  removeRecords,
  undoSync,
  withRecordsBefore,
  writeRecords,
} from '../records/index.ts';
import { compileRecordSearch, pastEntries, prepareSearch } from '../search/index.ts';
import { requireReach, runsAfter } from '../sync/index.ts';
import { NO_NESTED_LOOPS } from './as-of.ts';

const RUNS = Number(process.env.SEARCHED_RUNS ?? 20);
const IDS = 50;
const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 1);
type Random = () => number;

const WORDS = ['harbor', 'invoices', 'Größe', 'quarterly report', 'reply to the harbor master', '請求書'];
const PEOPLE = [
  'Ada Nowak <ada@example.org>',
  'Ben <ben@example.com>',
  '"Carla, Müller" <carla@example.org>',
];

/** Returns a mail: its words, labels, sender, size and attachments differ from run to run. */
function randomMail(random: Random, id: number): ConnectorRecord {
  const text = `${pick(random, WORDS)} and ${pick(random, WORDS)}`;
  const body = { mimeType: 'text/plain', body: { data: Buffer.from(text).toString('base64url') } };
  const file = { filename: 'plan.pdf', mimeType: 'application/pdf', body: { attachmentId: 'a', size: 9 } };
  return messageRecord({
    id: `m${id}`,
    threadId: `t${id % 7}`,
    labelIds: ['INBOX', 'UNREAD', 'STARRED', 'Label_1', 'Label_2'].filter(() => random() < 0.4),
    internalDate: String(START + id * 2 * DAY_MS),
    sizeEstimate: pick(random, [10, 20_000, 3_000_000]),
    payload: {
      mimeType: 'multipart/mixed',
      headers: [
        { name: 'From', value: pick(random, PEOPLE) },
        { name: 'To', value: 'me@example.org' },
        { name: 'Subject', value: pick(random, WORDS) },
      ],
      parts: random() < 0.3 ? [body, file] : [body],
    },
  });
}

/** Returns a pull request, which both accounts may have. */
function randomPull(random: Random, id: number): ConnectorRecord {
  const day = (offset: number) => new Date(START + (id * 2 + offset) * DAY_MS).toISOString();
  const state = pick(random, ['open', 'closed']);
  return pullRecord(
    {
      id,
      number: id,
      title: pick(random, WORDS),
      body: `${pick(random, WORDS)} and ${pick(random, WORDS)}`,
      state,
      draft: random() < 0.3,
      user: { login: pick(random, ['ada-nowak', 'ben', 'renovate[bot]']), id: 1 },
      labels: ['bug', 'docs', 'Label_1'].filter(() => random() < 0.4).map((name) => ({ name })),
      created_at: day(0),
      updated_at: day(Math.floor(random() * 30)),
      merged_at: state === 'closed' && random() < 0.5 ? day(3) : null,
    },
    pick(random, ['acme/site', 'acme/app']),
  );
}

const COMMON = [
  'harbor',
  'invoice',
  '"quarterly report"',
  '"harbor master"',
  'grosse -harbor',
  '請求',
  '-harbor -invoices',
  'label:receipts OR label:bug',
  '(harbor OR label:docs) -label:receipts',
  'before:2026-03-01',
  'harbor (after:2026-02 OR invoices)',
  'newer_than:20d',
  'older_than:1m -report',
  'account:work harbor',
  '-account:work OR reply',
  'nothing-has-this-word',
];
const CASES = [
  {
    id: 'gmail-messages',
    random: randomMail,
    searches: [
      ...COMMON,
      'is:unread',
      'is:read in:inbox',
      'is:starred OR has:attachment',
      '-has:attachment harbor',
      'from:ada',
      'from:müller -is:unread',
      'to:me subject:invoices',
      'filename:plan',
      'larger:1m',
      'smaller:15k OR (larger:1m is:starred)',
      'label:Label_2',
    ],
  },
  {
    id: 'gh-pulls',
    random: randomPull,
    searches: [
      ...COMMON,
      'is:open',
      'is:merged OR is:draft',
      '-is:closed label:bug',
      'author:ada-nowak',
      'is:bot',
      'repo:acme/site (is:open OR harbor)',
      'subject:"harbor"',
    ],
  },
] as const;

let db: Database;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ db, close } = await openTestDatabase());
  const client = await db.$client.connect();
  await prepareRecordTables(client, PRODUCT_ENTITIES);
  await prepareSearch(client, PRODUCT_ENTITIES as readonly EntityDefinition[]);
  client.release();
});
afterAll(() => close?.());

type Found = { search: number; connection_id: string; id: string };

/** A user with two accounts, random runs over their records, and what each search found at the end of each run. */
class History {
  readonly userId = crypto.randomUUID();
  readonly accounts = ['me@example.org', 'work@example.com'].map((account) => ({
    connectionId: crypto.randomUUID(),
    account,
  }));
  readonly copies = new Map<string, Found[]>();
  readonly #compiled = new Map<string, SQL>();
  readonly #of: (typeof CASES)[number];
  readonly #entity: EntityDefinition;
  readonly #random: Random;
  #number = 0;

  constructor(of: (typeof CASES)[number], seed: number) {
    this.#of = of;
    this.#entity = PRODUCT_REGISTRY.entity(PRODUCT_REGISTRY.providerOf(of.id).key, of.id);
    this.#random = seededRandom(seed);
  }

  get #set() {
    return recordSetOf(this.userId, this.#entity, this.accounts);
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  async connect(): Promise<void> {
    await db.execute(sql`
      insert into users (id, name, email, plan) values (${this.userId}, 'Ada', 'ada@example.org', 'pro')`);
    const { key } = PRODUCT_REGISTRY.providerOf(this.#of.id);
    for (const [index, { connectionId, account }] of this.accounts.entries()) {
      await db.execute(sql`
        insert into connections (user_id, id, provider, subject, account, title, status, is_shown)
        values (${this.userId}, ${connectionId}, ${key}, ${account}, ${account}, ${index === 0 ? '' : 'work'}, 'connected', true)`);
      await db.execute(sql`
        insert into gmail_labels (user_id, connection_id, id, scopes, occurred_at, hash, extraction, created_sync, changed_sync, data, name)
        values (${this.userId}, ${connectionId}, ${`Label_${index + 1}`}, '{}', now(), '', 1, gen_random_uuid(), gen_random_uuid(), '{}', 'Receipts')`);
    }
  }

  #endOf(number: number): Date {
    return new Date(START + number * 3 * DAY_MS);
  }

  /** Stores a run of some changes in two pages. @returns its id */
  async run(): Promise<string> {
    const { connectionId } = pick(this.#random, this.accounts);
    const id = crypto.randomUUID();
    const number = ++this.#number;
    await db.execute(sql`
      insert into syncs (user_id, id, connection_id, provider, entity, scope, settings, number, status, updated_at, counters, phase)
      values (${this.userId}, ${id}, ${connectionId}, 'test', ${this.#entity.id}, '', '{}', ${number}, 'finished', ${this.#endOf(number)}, '{}', 'done')`);
    const target = { userId: this.userId, connectionId, entity: this.#entity.id, syncId: id };
    for (let page = 0; page < 2; page++) {
      const scoped = { ...target, scope: this.#random() < 0.3 ? 'b' : 'a' };
      const records = Array.from({ length: this.#below(7) }, () =>
        this.#of.random(this.#random, 1 + this.#below(IDS)),
      );
      await inBulkTransaction(db, (tx) => writeRecords(tx, scoped, { entity: this.#entity, records }));
      const gone = Array.from({ length: this.#below(4) }, () => 1 + this.#below(IDS));
      await removeRecords(
        db,
        scoped,
        gone.map((one) => (this.#of.id === 'gh-pulls' ? String(one) : `m${one}`)),
      );
    }
    return id;
  }

  /** Undoes a run that has just ended. */
  async undo(id: string): Promise<void> {
    const { rows } = await db.execute<{ connection_id: string }>(sql`
      delete from syncs where user_id = ${this.userId} and id = ${id} returning connection_id`);
    const connectionId = rows[0]?.connection_id ?? '';
    const source = { userId: this.userId, connectionId, entity: this.#entity.id };
    await db.transaction((tx) => undoSync(tx, source, id));
  }

  /** Compiles a search, once if it finds the same at any time. */
  async #compile(text: string, now: Date): Promise<SQL> {
    const known = this.#compiled.get(text);
    if (known) return known;
    const request = { entity: this.#entity, text, now };
    const { where } = await compileRecordSearch({ db } as Context, PRODUCT_REGISTRY, this.#set, request);
    if (!text.includes('_than:')) this.#compiled.set(text, where);
    return where;
  }

  /** Finds the records of all searches in one statement. @param now time from which ages count */
  async find(now: Date, within: (select: SQL) => SQL = (select) => select): Promise<Found[]> {
    const selects: SQL[] = [];
    for (const [index, text] of this.#of.searches.entries()) {
      const where = await this.#compile(text, now);
      selects.push(sql`
        select ${index}::int as search, r.connection_id, r.id from ${sql.identifier(this.#entity.table.name)} r
        where ${isRecordIn(this.#set)} and ${where}`);
    }
    const all = sql`select * from (${sql.join(selects, sql` union all `)}) found order by 1, 2, 3`;
    return readBounded(db, 30_000, async (tx) => {
      await tx.execute(sql.raw(NO_NESTED_LOOPS));
      return (await tx.execute<Found>(within(all))).rows;
    });
  }

  /** Finds the records of all searches as of the end of a run. */
  async findAsOf(id: string): Promise<Found[]> {
    const { id: entity } = this.#entity;
    const endedAt = await requireReach(db, { set: this.#set, entities: [entity] }, id);
    const before = {
      entity,
      runs: runsAfter(this.#set, entity, id),
      derived: pastEntries(this.#entity),
    };
    return this.find(endedAt, (select) => withRecordsBefore(this.#set, [before], select));
  }

  /** Plays runs, some of which are undone, and keeps what the searches find at the end of each that stays. */
  async play(): Promise<void> {
    await this.connect();
    while (this.copies.size < RUNS) {
      const id = await this.run();
      if (this.#random() < 0.15) await this.undo(id);
      else this.copies.set(id, await this.find(this.#endOf(this.#number)));
    }
  }
}

describe.each(CASES)('searches of $id as of a run', (of) => {
  it.each([1, 2])('find what they found then, for each run of a random history (seed %i)', async (seed) => {
    const history = new History(of, seed);
    await history.play();
    for (const [id, copy] of history.copies) expect(await history.findAsOf(id)).toEqual(copy);
    const found = new Set([...history.copies.values()].flat().map(({ search }) => of.searches[search]));
    expect(of.searches.filter((search) => !found.has(search))).toEqual(['nothing-has-this-word']);
  });
});
