import type { SearchResults } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import { runSync } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';

const ADA = 'ada.nowak@sandbox.example';
let server: TestServer;
let ada: Client;
let jonas: Client;

const search = (q: string, more: Record<string, string> = {}, client = ada) =>
  client.get<SearchResults>(`/api/data/search?${new URLSearchParams({ q, ...more })}`);
const idsOf = ({ results }: SearchResults) => results.map(({ recordId }) => recordId);
const titleOf = ({ results }: SearchResults) => results[0]?.title.map(({ text }) => text).join('');

/** Adds a mail like a stored one with other fields. */
async function addMail(id: string, document: Record<string, unknown>): Promise<void> {
  const { name = '', address = '' } = (document.from ?? {}) as { name?: string; address?: string };
  await server.product.context.db.$client.query(
    `insert into gmail_messages select (json_populate_record(m, json_build_object('id', $1::text, 'sender', $2::text,
      'sender_name', $3::text, 'subject', $4::text, 'data', $5::json))).* from gmail_messages m limit 1`,
    [id, address, name, document.subject, JSON.stringify({ id, ...document })],
  );
}

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn(ADA);
  jonas = await new Client(server).signIn('jonas.weber@sandbox.example');
  await ada.connect('google', ADA);
  await ada.connect('github', 'ada-nowak');
  await runSync(ada, 'gmail-messages', { labelIds: 'INBOX,SENT' });
  await runSync(ada, 'gh-pulls', { owner: 'ada-nowak', repo: 'dotfiles' });
  await addMail('smith', {
    subject: 'Invoice 4711',
    from: { name: 'John Smith', address: 'js42@mail.example' },
    text: 'To pay',
  });
  await addMail('hostile', {
    subject: 'Odd sender',
    from: { name: 'Zoltán" OR is:read OR "', address: 'x" OR in:inbox@mail.example' },
    text: 'Hello',
  });
});
afterAll(() => server?.remove());

describe('a search with typing errors in names', () => {
  it.each([
    ['from:jonsa', 'from:jonas'],
    ['from:"jonsa webre"', 'from:"jonas weber"'],
    ['to:jonsa', 'to:jonas'],
    ['author:samule-okafro', 'author:samuel-okafor'],
    ['jonh smiht', 'john smith'],
    ['jonh invoice', 'john invoice'],
    ['"jonh smiht"', '"john smith"'],
    ['(jonsa OR zzzqqq) is:unread', '(jonas OR zzzqqq) is:unread'],
    ['repo:dotfile', 'repo:dotfiles'],
    ['repo:ada-novak/dotfile', 'repo:ada-nowak/dotfiles'],
    ['label:starrd', 'label:STARRED'],
    ['in:imbox from:jonas', 'in:INBOX from:jonas'],
    ['from:woicik', 'from:wojcik'],
  ])('finds for %s what %s finds', async (q, expected) => {
    const found = await search(q);
    const meant = await search(expected);

    expect(found.correctedText).toBe(expected);
    expect(meant.correctedText).toBeNull();
    expect(found.count).toBeGreaterThan(0);
    expect(idsOf(found)).toEqual(idsOf(meant));
  });

  it('is left alone when it finds something', async () => {
    await addMail('typo', {
      subject: 'About jonsa',
      from: { name: 'X', address: 'x@mail.example' },
      text: 'x',
    });

    expect(await search('jonsa')).toMatchObject({ count: 1, correctedText: null });
  });

  it.each(['from:zzzqqqxxx', '4712', 'is:merged is:open', 'from:jo', 'subject:jonsa -harbor', ''])(
    'is not corrected without a similar name: %j',
    async (q) => {
      expect((await search(q)).correctedText).toBeNull();
    },
  );

  it('shows further pages of the corrected search', async () => {
    const request = { page: '2', order: 'newest' };
    const found = await search('in:imbox', request);

    expect(found).toMatchObject({ correctedText: 'in:INBOX' });
    expect(idsOf(found)).toHaveLength(20);
    expect(idsOf(found)).toEqual(idsOf(await search('in:INBOX', request)));
  });

  it('is not changed in meaning by the name of a sender', async () => {
    const found = await search('from:zoltna');

    expect(found.correctedText).toBe('from:zoltán');
    expect(idsOf(found)).toEqual(['hostile']);
  });

  it("never uses another user's names", async () => {
    await jonas.connect('google', 'jonas.weber@sandbox.example');

    expect(await search('from:smiht', {}, jonas)).toMatchObject({ count: 0, correctedText: null });
    expect(await search('nvoic', {}, jonas)).toMatchObject({ count: 0 });
  });
});

describe('a search by parts of words', () => {
  it.each(['oice', 'OICE', 'nvoi 4711', 'oice from:smith'])('finds an invoice by %s', async (q) => {
    const found = await search(q);

    expect(idsOf(found)).toEqual(['smith']);
    expect(found.correctedText).toBeNull();
    expect(found.results[0]?.title).toContainEqual({ text: 'Invoice', isMatch: true });
  });

  it('finds parts without accents, in people and in file names', async () => {
    await addMail('file', {
      subject: 'Überraschungsgäste',
      from: { name: 'Y', address: 'yolanda@mail.example' },
      text: 'y',
      attachments: [{ filename: 'Quartalsbericht.pdf' }],
    });

    for (const q of ['raschungsgaste', 'olanda@mai', 'artalsberi'])
      expect(titleOf(await search(q)), q).toBe('Überraschungsgäste');
  });

  it('is not done while words are found, or for fewer than three characters', async () => {
    await addMail('oice', { subject: 'oice', from: { name: 'Z', address: 'z@mail.example' }, text: 'z' });

    expect(idsOf(await search('oice'))).toEqual(['oice']);
    expect((await search('oi')).count).toBe(0);
  });

  it.each(['har%or', 'har_or', 'rbor\\', '%voice', "harb'or", 'harb＼or'])(
    'takes the signs of %j as they are',
    async (q) => {
      expect((await search(q)).count).toBe(0);
    },
  );
});
