import { SEARCH_BOUNDS, type SearchResults } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import { runSync, SYNCS } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';
import { searchedEntities } from './entry.ts';
import { indexPending } from './index-older-records.ts';
import { prepareSearch } from './triggers.ts';

const ADA = 'ada.nowak@sandbox.example';
let server: TestServer;
let ada: Client;
let jonas: Client;
const database = () => server.product.context.db.$client;

const searchAs = (client: Client, q: string, more: Record<string, string> = {}) =>
  client.get<SearchResults>(`/api/data/search?${new URLSearchParams({ q, ...more })}`);
const search = (q: string, more?: Record<string, string>) => searchAs(ada, q, more);
/** Returns the status and body of a search that may be refused. */
async function tryToSearch(q: string): Promise<{ status: number; body: unknown }> {
  const response = await ada.call('GET', `/api/data/search?${new URLSearchParams({ q })}`);
  return { status: response.status, body: await response.json() };
}
const textOf = (pieces: SearchResults['results'][number]['title']) => pieces.map(({ text }) => text).join('');
const titles = ({ results }: SearchResults) => results.map(({ title }) => textOf(title));

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn(ADA);
  jonas = await new Client(server).signIn('jonas.weber@sandbox.example');
  await ada.connect('google', ADA);
  await ada.connect('github', 'ada-nowak');
  expect(await runSync(ada, 'gmail-labels')).toMatchObject({ status: 'finished' });
  await runSync(ada, 'gmail-messages', { labelIds: 'INBOX,SENT' });
  await runSync(ada, 'gh-pulls', { owner: 'ada-nowak', repo: 'dotfiles' });
});
afterAll(() => server?.remove());

/** Counts records by a condition on their table. */
async function count(table: string, condition: string): Promise<number> {
  const { rows } = await database().query<{ count: number }>(
    `select count(*)::int as count from ${table} where ${condition}`,
  );
  return rows[0]?.count ?? 0;
}

describe('search', () => {
  it.each([
    ['is:unread', 'gmail_messages', 'unread'],
    ['has:attachment', 'gmail_messages', 'attachments > 0'],
    ['from:jonas.weber@sandbox.example', 'gmail_messages', "sender = 'jonas.weber@sandbox.example'"],
    ['from:me', 'gmail_messages', `sender = '${ADA}'`],
    ['from:ME -is:merged', 'gmail_messages', `sender = '${ADA}'`],
    [
      'to:me -in:sent',
      'gmail_messages',
      `concat(data->'to', data->'cc') like '%${ADA}%' and not 'SENT' = any(labels)`,
    ],
    ['larger:1K', 'gmail_messages', 'size > 1024'],
    ['in:inbox smaller:4k', 'gmail_messages', "'INBOX' = any(labels) and size < 4096"],
    ['in:inbox -larger:1k', 'gmail_messages', "'INBOX' = any(labels) and size <= 1024"],
    ['is:important', 'gmail_messages', "'IMPORTANT' = any(labels)"],
    ['{is:important is:unread}', 'gmail_messages', "('IMPORTANT' = any(labels) or unread)"],
    [
      'in:inbox before:today',
      'gmail_messages',
      "'INBOX' = any(labels) and occurred_at < date_trunc('day', now(), 'UTC')",
    ],
    ['author:@me', 'gh_pulls', "author = 'ada-nowak'"],
    ['label:sent', 'gmail_messages', "'SENT' = any(labels)"],
    ['in:inbox is:unread', 'gmail_messages', "'INBOX' = any(labels) and unread"],
    ['in:inbox -is:unread', 'gmail_messages', "'INBOX' = any(labels) and not unread"],
    ['is:merged', 'gh_pulls', 'merged_at is not null'],
    ['author:ada-nowak repo:ada-nowak/dotfiles', 'gh_pulls', "author = 'ada-nowak'"],
    ['repo:dotfiles', 'gh_pulls', 'true'],
    ['in:inbox before:2026-03-01', 'gmail_messages', "'INBOX' = any(labels) and occurred_at < '2026-03-01Z'"],
    [
      'in:inbox (before:2026-03-01 OR is:unread)',
      'gmail_messages',
      "'INBOX' = any(labels) and (unread or occurred_at < '2026-03-01Z')",
    ],
    [
      'in:inbox (before:2026-03-01 OR "!!!")',
      'gmail_messages',
      "'INBOX' = any(labels) and occurred_at < '2026-03-01Z'",
    ],
    ['in:inbox after:2026-10', 'gmail_messages', "'INBOX' = any(labels) and occurred_at >= '2026-10-01Z'"],
    [
      'in:inbox newer_than:3m',
      'gmail_messages',
      "'INBOX' = any(labels) and occurred_at >= now() - interval '90 days'",
    ],
  ])('%s finds what the table has', async (q, table, condition) => {
    const expected = await count(table, condition);

    const found = await search(q);

    expect(expected).toBeGreaterThan(0);
    expect(found.count).toBe(expected);
    expect(new Set(found.results.map(({ entityLabel }) => entityLabel))).toEqual(
      new Set([table.replace('_', '-')]),
    );
  });

  it.each(['%s', '<%s>', '"%s"'])('finds a message by its Message-ID, written as %s', async (writing) => {
    const { rows } = await database().query<{ id: string; message: string }>(
      "select id, btrim(data->>'messageId', '<>') as message from gmail_messages where data->>'messageId' <> '' order by id limit 5",
    );
    for (const { id, message } of rows) {
      const found = await search(`rfc822msgid:${writing.replace('%s', message)}`);
      expect(found.results.map(({ recordId }) => recordId)).toEqual([id]);
    }
    expect(rows).toHaveLength(5);
  });

  it('finds who got a copy', async () => {
    const copy = [{ name: 'Zoe Quill', address: 'zoe@quillworks.example' }];
    const headers = [
      { name: 'BCC', value: 'Una <una@quillworks.example>' },
      { name: 'Bcc', value: 'bo@example.net' },
      { name: 'List-Id', value: 'Ink news <ink-news.quillworks.example>' },
      5,
    ];
    const { rows } = await database().query<{ id: string }>(
      `update gmail_messages set hash = hash || 'x',
        data = (data::jsonb || jsonb_build_object('cc', $1::jsonb, 'headers', $2::jsonb))::json
      where id = (select min(id) from gmail_messages) returning id`,
      [JSON.stringify(copy), JSON.stringify(headers)],
    );
    for (const q of [
      'cc:zoe',
      'cc:"zoe quill"',
      'to:zoe@quillworks.example',
      'cc:quillworks',
      '{cc:zoe cc:none}',
    ])
      expect(
        (await search(q)).results.map(({ recordId }) => recordId),
        q,
      ).toEqual(rows.map(({ id }) => id));
    expect((await search('-to:zoe cc:zoe')).count).toBe(0);
  });

  it('knows labels by the names that people gave them', async () => {
    await database().query("update gmail_labels set name = 'Rodzina i \u00c9t\u00e9' where id = 'Label_4'");

    const found = await search('label:"rodzina i \u00c9T\u00c9"');

    expect(found.count).toBe(await count('gmail_messages', "'Label_4' = any(labels)"));
    expect(found.results[0]?.labels).toContain('Rodzina i \u00c9t\u00e9');
  });

  it.each([
    ['Überraschung', 'uberraschung'],
    ['niedziela', 'NIEDZIELA'],
    ['Bestellung', 'bestellungen'],
  ])('finds %s by %s', async (_, q) => {
    expect((await search(q)).count).toBe((await search(_)).count);
  });

  it.each([
    ['server', 'the servers of the cluster and their disks', true],
    ['servers', 'the server of the cluster and its disks', true],
    ['invoice', 'the invoices that you have sent to us', true],
    ['serve', 'the servers of the cluster and their disks', false],
  ])('asks by %s for other forms of the word in "%s": %s', async (word, text, isFound) => {
    const { rows } = await database().query(
      'select search_terms(null, null, null, $1) @@ search_words_query($2, false) as found',
      [text, word],
    );

    expect(rows).toEqual([{ found: isFound }]);
  });

  it('marks matches in titles and excerpts and never returns HTML', async () => {
    const { results } = await search('harbor freeze');

    expect(titles({ results } as SearchResults)[0]).toMatch(/Harbor.*freeze/);
    expect(results[0]?.title.filter(({ isMatch }) => isMatch).map(({ text }) => text)).toEqual(
      expect.arrayContaining(['Harbor', 'freeze']),
    );
    for (const { excerpt } of results) expect(textOf(excerpt).length).toBeLessThanOrEqual(230);
  });

  it('finds a phrase only where its words follow each other', async () => {
    const phrase = await search('"before the freeze"');
    const reversed = await search('"freeze the before"');

    expect(phrase.count).toBeGreaterThan(0);
    expect(reversed.count).toBe(0);
  });

  it('finds longer words while the last one is being typed', async () => {
    expect((await search('screensho', { isTyping: 'true' })).count).toBeGreaterThan(0);
    expect((await search('screensho')).count).toBe(0);
  });

  it('pages through all results in the order of time', async () => {
    const seen: string[] = [];
    for (let page = 1; page <= SEARCH_BOUNDS.pages; page++) {
      const { results } = await search('in:inbox', { order: 'newest', page: String(page) });
      if (results.length === 0) break;
      seen.push(...results.map(({ occurredAt }) => occurredAt));
    }
    expect(seen).toHaveLength(await count('gmail_messages', "'INBOX' = any(labels)"));
    expect(seen).toEqual([...seen].sort().reverse());
  });

  it('explains an unknown operator', async () => {
    const response = await tryToSearch('form:jonas');

    expect(response.status).toBe(422);
    expect(response.body).toMatchObject({
      error: {
        code: 'validation-failed',
        message: expect.stringContaining('There is no operator form:'),
        fields: { q: expect.stringContaining('"form:jonas"') },
      },
    });
  });

  it("never finds another user's records", async () => {
    const found = await searchAs(jonas, '');
    const others = await searchAs(jonas, 'harbor OR from:jonas OR in:inbox OR is:merged');

    expect([found.count, others.count]).toEqual([0, 0]);
  });

  it.each([`from:${'é'.repeat(400)}`, 'subject:½', `in:inbox OR filename:${'x'.repeat(101)}`])(
    'does not leave out %s, which no record can have',
    async (q) => {
      expect((await search(q)).count).toBe(q.startsWith('in:') ? (await search('in:inbox')).count : 0);
    },
  );

  it.each(['harbor in:anywhere', 'label:"no such one" harbor', 'repo:nobody/nothing'])(
    'says for %s that no record has the name',
    async (q) => {
      const { count, remarks } = await search(q);

      expect(count).toBe(0);
      expect(remarks).toEqual([
        expect.objectContaining({ message: expect.stringMatching(/^No record has (in|label|repo):/) }),
      ]);
    },
  );

  it('does not mark the names of people in texts in which it did not look for them', async () => {
    const { results } = await search('from:jonas filename:pdf OR from:jonas');

    expect(results.length).toBeGreaterThan(0);
    for (const { title, excerpt } of results)
      expect([...title, ...excerpt].filter(({ isMatch }) => isMatch)).toEqual([]);
  });

  it('remarks on an operator without a value and searches without it', async () => {
    const { count, remarks, correctedText } = await search('harbor subject:');

    expect(count).toBe((await search('harbor')).count);
    expect(remarks.map(({ message }) => message)).toEqual([
      'subject: needs a value, for example subject:invoice. It is left out.',
    ]);
    expect(correctedText).toBeNull();
  });

  it.each([
    `'; drop table users; --`,
    `'a' & !!! <-> :* \\`,
    '"unbalanced (a OR -',
    `${'x'.repeat(999)}`,
    '\u202e\u0000evil\u200f',
    '%_\\%',
    '<script>alert(1)</script>',
    ':* | !',
    '東',
    '💥',
    '- -- ---',
    'from:\'" subject:\\',
    'older_than:9999y',
  ])('survives %j', async (q) => {
    const response = await tryToSearch(q);

    expect([200, 422]).toContain(response.status);
    if (response.status === 422)
      expect(response.body).toMatchObject({
        error: { code: 'validation-failed', fields: { q: expect.any(String) } },
      });
  });
});

describe('search index', () => {
  const indexed = () => count('search_entries', "entity = 'gmail-messages'");

  it('follows records that are changed and removed, in the same transaction', async () => {
    const client = await database().connect();
    try {
      await client.query('begin');
      await client.query(
        `update gmail_messages set hash = 'changed', data = jsonb_set(data::jsonb, '{subject}', '"zanzibar archipelago"')::json
        where id = (select id from gmail_messages order by id limit 1)`,
      );
      const find = () =>
        client.query("select id from search_entries where terms @@ '''zanzibar'' & ''subject:archipelago'''");
      expect((await find()).rows).toHaveLength(1);
      await client.query("delete from gmail_messages where hash = 'changed'");
      expect((await find()).rows).toHaveLength(0);
    } finally {
      await client.query('rollback');
      client.release();
    }
    expect(await indexed()).toBe(await count('gmail_messages', 'true'));
  });

  it('is as before a sync that was undone', async () => {
    const entries = async () => {
      const { rows } = await database().query<{ state: string }>(
        "select md5(string_agg(e::text, ' ' order by id)) as state from search_entries e where entity = 'gh-pulls'",
      );
      return rows[0]?.state;
    };
    const before = await entries();
    const { github } = server.control;
    const [changed = 0, removed = 0] = github.pullNumbers('ada-nowak/dotfiles');
    github.changePull('ada-nowak/dotfiles', changed, { title: 'Zanzibar archipelago' });
    github.removePull('ada-nowak/dotfiles', removed);
    github.insertPull('ada-nowak/dotfiles');

    const sync = await runSync(ada, 'gh-pulls', { owner: 'ada-nowak', repo: 'dotfiles' });

    expect(sync.summary).toMatchObject({ added: 1, updated: 1, removed: 1 });
    expect((await search('zanzibar archipelago')).count).toBe(1);
    await ada.json('DELETE', `${SYNCS}/${sync._id}`);
    expect((await search('zanzibar archipelago')).count).toBe(0);
    expect(await entries()).toBe(before);
  });

  it('lets pages of a run that are open at the same time store the same sender and label', async () => {
    const [first, second] = [await database().connect(), await database().connect()];
    const insert = (client: typeof first, id: string) =>
      client.query(
        `insert into gmail_messages select (json_populate_record(m, json_build_object('id', $1::text, 'sender', 'new@mail.example',
          'labels', json_build_array('NEW'), 'hash', 'open'))).* from gmail_messages m where hash <> 'open' limit 1`,
        [id],
      );
    try {
      await first.query('begin');
      await second.query("begin; set local lock_timeout = '1s'");
      await insert(first, 'first');

      await insert(second, 'second');

      const { rows } = await second.query("select from search_values where value = 'new@mail.example'");
      expect(rows).toHaveLength(1);
    } finally {
      for (const client of [first, second]) {
        await client.query('rollback');
        client.release();
      }
    }
  });

  it.each([
    ['a word of 1 MB', 'x'.repeat(1_000_000)],
    ['a million words', 'a b c d e f g h '.repeat(62_500)],
    ['200,000 different words', Array.from({ length: 200_000 }, (_, index) => index.toString(36)).join(' ')],
    ['50,000 Chinese characters', '東京都'.repeat(16_667)],
    ['HTML and signs', `<b>'"\\&|!():*${'<a href='.repeat(1000)}`],
  ])('stores a record with %s', async (_, text) => {
    const client = await database().connect();
    try {
      await client.query('begin');
      const { rowCount } = await client.query(
        `update gmail_messages set hash = 'hostile', data = json_build_object('id', id, 'subject', $1::text, 'text', $1::text,
          'from', json_build_array(1, null, 'x'), 'to', 'nobody', 'attachments', json_build_object())
        where id = (select id from gmail_messages order by id limit 1)`,
        [text],
      );
      expect(rowCount).toBe(1);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  it('is built again for records that an earlier version stored', async () => {
    const before = await indexed();
    await database().query('drop trigger gmail_messages_search_insert on gmail_messages');
    await database().query('delete from search_entries');
    expect(before).toBeGreaterThan(0);
    const entities = server.product.registry.all().flatMap((connector) => connector.entities);
    const client = await database().connect();
    await prepareSearch(client, entities);
    client.release();
    const total = await count('gmail_messages', 'true');
    expect(await search('')).toMatchObject({
      unindexed: total,
      indexing: [{ entityLabel: 'gmail-messages', indexed: 0, total }],
    });

    await indexPending(server.product.context, searchedEntities(entities));

    expect(await indexed()).toBe(before);
    expect(await search('harbor')).toMatchObject({ unindexed: 0, indexing: [], count: expect.any(Number) });
  });
});
