import { CONVERSATION_MAILS, type Conversation, type SearchResults } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../test-support/seeded-random.ts';
import { shareServer } from '../../../test-support/shared-server.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';
import { inBulkTransaction } from '../../platform/db/database.ts';
import { writeRecords } from '../records/index.ts';

/** A mail of a generated mailbox. Ids are without angle brackets; `references` is the header as written. */
interface Mail {
  id: string;
  messageId: string;
  inReplyTo?: string;
  references?: string;
  /** Hours since the first mail. */
  hour: number;
  sender?: string;
}

const START = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;
const ENTITY = 'imap-messages';
const ACCOUNTS = ['ada@mail.example', 'ada@second.example'] as const;
const connectionIds = new Map<string, string>();
let server: TestServer;
let ada: Client;
let userId: string;

const query = (text: string, values: unknown[] = []) => server.product.context.db.$client.query(text, values);

/** Stores the mails of an account with the triggers of the product. */
async function store(mails: readonly Mail[], account: string = ACCOUNTS[0]): Promise<void> {
  const entity = server.product.registry.entity('imap', ENTITY);
  const records = await Promise.all(
    mails.map(async ({ id, messageId, inReplyTo = '', references, hour, sender = 'Amy' }) => {
      const date = new Date(START + hour * HOUR_MS).toISOString();
      const header = references === undefined ? [] : [{ name: 'References', value: references }];
      const people = { from: { name: sender, address: `${sender}@a.example` }, to: [], cc: [], replyTo: [] };
      const texts = { subject: 'Quokka', text: `Text of ${id}\n> quoted`, html: '', snippet: '' };
      const flags = { flags: [], unread: true, flagged: false, mailbox: 'INBOX', size: 9, attachments: [] };
      const ids = {
        messageId: messageId && `<${messageId}>`,
        inReplyTo: inReplyTo && `<${inReplyTo}>`,
        headers: header,
      };
      const occurredAt = new Date(date);
      return {
        id,
        occurredAt,
        ...(await entity.convert({ id, ...people, date, dateHeader: date, ...texts, ...flags, ...ids }, {})),
      };
    }),
  );
  const connectionId = connectionIds.get(account) ?? '';
  const target = { userId, connectionId, entity: ENTITY, syncId: crypto.randomUUID() };
  await inBulkTransaction(server.product.context.db, (tx) =>
    writeRecords(tx, { ...target, scope: 'INBOX', isRestart: false }, { entity, records }),
  );
}

const pathOf = (record: string, account: string) =>
  `/api/data/records/imap/${ENTITY}/conversation?${new URLSearchParams({ record, account })}`;
const read = (record: string, account: string = ACCOUNTS[0]) =>
  ada.get<Conversation>(pathOf(record, account));
const idsOf = ({ mails }: Conversation) => mails.map(({ recordId }) => recordId);
const reply = (id: string, to: string, hour: number): Mail => ({
  id,
  messageId: id,
  inReplyTo: to,
  references: `<${to}>`,
  hour,
});

/** Returns the ids that the search's results have more mails than themselves, with their numbers. */
async function counts(): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (let page = 1; page <= 5; page++) {
    const parameters = new URLSearchParams({ q: 'subject:quokka', order: 'newest', page: String(page) });
    const { results } = await ada.get<SearchResults>(`/api/data/search?${parameters}`);
    for (const { recordId, mail } of results) found.set(recordId, mail?.mailCount ?? 1);
  }
  return found;
}

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  ({ _id: userId } = await ada.get<{ _id: string }>('/api/accounts'));
  for (const account of ACCOUNTS) {
    const { rows } = await query(
      `insert into connections (user_id, id, provider, subject, account, status, is_shown)
      values ($1, gen_random_uuid(), 'imap', $2, $2, 'connected', true) returning id`,
      [userId, account],
    );
    connectionIds.set(account, rows[0].id);
  }
}, 120_000);
afterAll(() => server?.remove());

/** Stores mails for one test and removes them afterwards. */
async function withMails(mails: readonly Mail[], use: () => Promise<void>): Promise<void> {
  await store(mails);
  try {
    await use();
  } finally {
    await query('delete from imap_messages where user_id = $1', [userId]);
  }
}

/** Returns the ids by which a mail belongs to a conversation, as the headers name them. */
function linksOf({ messageId, inReplyTo = '', references = '' }: Mail): string[] {
  const named = [...references.matchAll(/<([^<>\s]+)>/g)].map(([, id = '']) => id);
  return [messageId, inReplyTo, ...named].filter(Boolean);
}

/** Finds the conversation of a mail by its definition: those with a shared id, and those with an id of theirs. */
function expected(mails: readonly Mail[], opened: Mail): Set<string> {
  const withAny = (ids: Set<string>) => mails.filter((mail) => linksOf(mail).some((id) => ids.has(id)));
  const nearest = withAny(new Set(linksOf(opened)));
  const all = withAny(new Set(nearest.flatMap(linksOf)));
  return new Set([...all, ...nearest, opened].map(({ messageId, id }) => messageId || id));
}

/** Generates conversations: chains, trees, loops, mails without headers, copies, and headers that are odd. */
function generate(seed: number): Mail[] {
  const random = seededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const mails: Mail[] = [];
  for (let thread = 0; thread < 12; thread++) {
    const own: Mail[] = [];
    const size = 1 + below(7);
    const style = below(6);
    for (let index = 0; index < size; index++) {
      const hour = mails.length;
      const id = `s${seed}-${thread}-${index}`;
      // Ids differ only by their case in some threads.
      const messageId =
        style === 5 ? `T${thread}.${index % 2 ? 'x' : 'X'}${index >> 1}@a` : `${id}@a.example`;
      const parent = own[below(own.length)];
      const chain = own.map((mail) => `<${mail.messageId}>`);
      const odd = [`Re: <not closed ${chain.join('')}`, `(x) ${chain.join(', ')} >>`, chain.join('\r\n\t')];
      const mail: Mail = { id, messageId, hour, sender: random() < 0.5 ? 'Amy' : 'Bob' };
      if (parent && style !== 1) mail.inReplyTo = parent.messageId;
      if (parent && style !== 2) mail.references = odd[below(3)] ?? '';
      own.push(mail);
    }
    const [first] = own;
    if (style === 3 && first) first.references = `<${own.at(-1)?.messageId}>`;
    if (style === 4 && first) own.push({ ...first, id: `${first.id}-copy` });
    mails.push(...own);
  }
  mails.push({ id: `s${seed}-none`, messageId: '', hour: mails.length });
  mails.push({ id: `s${seed}-none-2`, messageId: '', hour: mails.length });
  return mails;
}

describe('the conversation of a mail', () => {
  it.each([1, 2, 3, 4])('has the mails that name each other, copies once (seed %i)', async (seed) => {
    const mails = generate(seed);
    const keys = new Map(mails.map(({ id, messageId }) => [id, messageId || id]));
    await withMails(mails, async () => {
      const counted = await counts();
      for (const mail of mails) {
        const conversation = await read(mail.id);
        const ids = idsOf(conversation);
        expect(new Set(ids.map((id) => keys.get(id))), mail.id).toEqual(expected(mails, mail));
        expect(ids).toHaveLength(expected(mails, mail).size);
        expect(ids).toContain(mail.id);
        const times = conversation.mails.map(({ occurredAt }) => occurredAt);
        expect(times).toEqual(times.toSorted().reverse());
        if (counted.has(mail.id)) expect(counted.get(mail.id), mail.id).toBe(ids.length);
      }
      expect(counted.size).toBeGreaterThan(30);
    });
  });

  it('shows of each mail its sender, first words and state', async () => {
    await withMails([{ id: 'a', messageId: 'a', hour: 0 }, reply('b', 'a', 1)], async () => {
      const conversation = await read('a');
      expect(conversation).toMatchObject({ isCutOff: false, unindexed: 0 });
      expect(conversation.mails[1]).toEqual({
        recordId: 'a',
        sender: 'Amy',
        excerpt: 'Text of a > quoted',
        occurredAt: new Date(START).toISOString(),
        isUnread: true,
        fileCount: 0,
      });
    });
  });

  it('lists the newest of 5,000 mails and the opened one', async () => {
    const mails = Array.from({ length: 5000 }, (_, index) => reply(`n${index}`, 'newsletter', index));
    await withMails(mails, async () => {
      const { mails: listed, isCutOff } = await read('n17');
      const ids = listed.map(({ recordId }) => recordId);
      expect(isCutOff).toBe(true);
      expect(ids).toHaveLength(CONVERSATION_MAILS);
      expect(ids.slice(0, 2)).toEqual(['n4999', 'n4998']);
      expect(ids.at(-1)).toBe('n17');
      expect([...(await counts()).values()]).toEqual(Array(100).fill(CONVERSATION_MAILS + 1));
    });
  });

  it('keeps different mails with the same Message-ID apart', async () => {
    const mails = Array.from({ length: 300 }, (_, hour) => ({
      id: `m${hour}`,
      messageId: '0@localhost',
      hour,
    }));
    await withMails(mails, async () => {
      const { mails: listed, isCutOff } = await read('m299');
      expect(listed).toHaveLength(CONVERSATION_MAILS);
      expect(isCutOff).toBe(true);
    });
  });

  it.each([
    ['of 16 KB', `${'<x@y>'.repeat(3200)}<a>`],
    ['of thousands of brackets', '<'.repeat(16_000)],
    ['of one word', `<${'x'.repeat(16_000)}`],
    ['of blanks', ' \t'.repeat(8000)],
    ['of ids with odd signs', `<'a' & !b> <\\x> <a:*> <%_> <😀> <ſ> <$1>`],
  ])('reads a References header %s', async (_, references) => {
    const answer = { id: 'b', messageId: 'b', inReplyTo: 'a', references, hour: 1 };
    await withMails([{ id: 'a', messageId: 'a', hour: 0 }, answer], async () => {
      expect(idsOf(await read('a'))).toEqual(['b', 'a']);
    });
  });

  it('stays in the account of the mail', async () => {
    const mails = [{ id: 'a', messageId: 'a', hour: 0 }, reply('b', 'a', 1)];
    await store([reply('c', 'a', 2), reply('a', 'a', 3)], ACCOUNTS[1]);
    await withMails(mails, async () => {
      expect(idsOf(await read('b'))).toEqual(['b', 'a']);
      expect(idsOf(await read('c', ACCOUNTS[1]))).toEqual(['a', 'c']);
      await query(`update connections set is_shown = false where user_id = $1 and account = $2`, [
        userId,
        ACCOUNTS[1],
      ]);
      expect((await ada.call('GET', pathOf('c', ''))).status).toBe(404);
      await query(`update connections set is_shown = true where user_id = $1`, [userId]);
    });
  });

  it('is not shown to others, nor for records that are not mails', async () => {
    await withMails([{ id: 'a', messageId: 'a', hour: 0 }], async () => {
      const jonas = await new Client(server).signIn('jonas.weber@sandbox.example');
      expect((await jonas.call('GET', pathOf('a', ''))).status).toBe(404);
      expect((await ada.call('GET', pathOf('unknown', ''))).status).toBe(404);
    });
  });

  it('is empty before the mail is indexed', async () => {
    await withMails([{ id: 'a', messageId: 'a', hour: 0 }], async () => {
      await query('delete from search_entries where user_id = $1', [userId]);
      const connectionId = connectionIds.get(ACCOUNTS[0]);
      await query('insert into search_pending (user_id, connection_id, entity) values ($1, $2, $3)', [
        userId,
        connectionId,
        ENTITY,
      ]);
      expect(await read('a', ACCOUNTS[0])).toEqual({ mails: [], isCutOff: false, unindexed: 1 });
      await query('delete from search_pending where user_id = $1', [userId]);
    });
  });
});
