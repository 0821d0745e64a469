import { READING_LENGTH, type RecordReading, type SearchResults } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import { runSync } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';

const ADA = 'ada.nowak@sandbox.example';
const UNKNOWN = { error: { code: 'not-found', message: 'This record does not exist.' } };
let server: TestServer;
let ada: Client;
let jonas: Client;

const pathOf = (provider: string, entity: string, record: string) =>
  `/api/data/records/${provider}/${entity}?${new URLSearchParams({ record })}`;
const readMail = (record: string) => ada.get<RecordReading>(pathOf('google', 'gmail-messages', record));
/** Returns the status and body of a reading that may be refused. */
async function tryToRead(client: Client, path: string): Promise<{ status: number; body: unknown }> {
  const response = await client.call('GET', path);
  return { status: response.status, body: await response.json() };
}

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn(ADA);
  jonas = await new Client(server).signIn('jonas.weber@sandbox.example');
  await ada.connect('google', ADA);
  await ada.connect('github', 'ada-nowak');
  await runSync(ada, 'gmail-messages', { labelIds: 'INBOX' });
  await runSync(ada, 'gh-pulls', { owner: 'ada-nowak', repo: 'dotfiles' });
});
afterAll(() => server?.remove());

interface StoredRow<Document> {
  id: string;
  data: Document;
}

/** Reads one row, chosen by a condition, as the database stores it. */
async function stored<Document>(table: string, condition: string): Promise<StoredRow<Document>> {
  const { rows } = await server.product.context.db.$client.query<StoredRow<Document>>(
    `select id, data from ${table} where ${condition} order by id limit 1`,
  );
  const [row] = rows;
  if (!row) throw new Error(`${table} has no row where ${condition}`);
  return row;
}

/** Replaces the document of a message, and runs `use` before it gets its own document back. */
async function withDocument(document: object, use: (id: string) => Promise<void>): Promise<void> {
  const { $client } = server.product.context.db;
  const { id, data } = await stored<object>('gmail_messages', 'true');
  const replace = (value: object) =>
    $client.query('update gmail_messages set data = $1, hash = gen_random_uuid() where id = $2', [
      JSON.stringify({ id, ...value }),
      id,
    ]);
  await replace(document);
  await use(id);
  await replace(data);
}

describe('reading a record', () => {
  it('shows a mail with its people, text and HTML', async () => {
    const { id, data } = await stored<Record<string, string> & { from: { name: string; address: string } }>(
      'gmail_messages',
      "data->>'html' <> '' and sender <> ''",
    );

    const reading = await readMail(id);

    expect(reading).toMatchObject({
      providerId: 'google',
      entityLabel: 'gmail-messages',
      recordId: id,
      title: data.subject,
      occurredAt: data.date,
      text: data.text,
      textFormat: 'plain',
      html: expect.stringContaining('<p>'),
      isCutOff: false,
      // The sandbox has no page of a mail, and the mail is not in the real Gmail.
      url: null,
    });
    expect(reading.facts[0]).toEqual({ title: 'From', values: [`${data.from.name} <${data.from.address}>`] });
    expect(reading.facts.map(({ title }) => title)).toEqual(expect.arrayContaining(['From', 'To', 'Labels']));
  });

  it('shows the names of labels instead of their ids', async () => {
    await runSync(ada, 'gmail-labels');
    await server.product.context.db.$client.query(
      "update gmail_labels set name = 'Rodzina' where id = 'Label_1'",
    );
    const { id } = await stored('gmail_messages', "labels @> '{INBOX,Label_1}'");

    const labels = (await readMail(id)).facts.find(({ title }) => title === 'Labels')?.values;

    expect(labels).toEqual(expect.arrayContaining(['INBOX', 'Rodzina']));
    expect(labels).not.toContain('Label_1');
  });

  it('shows a pull request as Markdown, with its state, numbers and address', async () => {
    const { $client } = server.product.context.db;
    const { id, data } = await stored<{ title: string; body: string; html_url: string; number: number }>(
      'gh_pulls',
      'merged_at is not null',
    );
    data.body = '**Done**\r\n- [x] <img src=x onerror=alert(1)>tests\r\n\r\n[a](javascript:alert(1))';
    const labels = [{ name: 'bug', color: 'D73A4A' }, { name: 'odd', color: 'red;x' }, { color: 'fff' }, 3];
    const numbers = { additions: 12, deletions: 0, changed_files: 2, comments: -1, commits: '4' };
    await $client.query('update gh_pulls set data = $1, hash = gen_random_uuid() where id = $2', [
      JSON.stringify({ ...data, ...numbers, labels }),
      id,
    ]);

    const reading = await ada.get<RecordReading>(pathOf('github', 'gh-pulls', id));

    expect(reading).toMatchObject({ title: data.title, text: data.body, textFormat: 'markdown' });
    expect(reading.html).toMatch(
      /^<p><strong>Done<\/strong><\/p>\s<ul>.*☑ .*tests<\/li>\s<\/ul>\s<p><a>a<\/a><\/p>\s*$/s,
    );
    expect(reading.html).not.toMatch(/onerror|javascript/);
    expect(reading.pull).toEqual({
      reference: `ada-nowak/dotfiles #${data.number}`,
      state: 'merged',
      isDraft: false,
      isReviewRequested: false,
      labels: [
        { name: 'bug', color: 'd73a4a' },
        { name: 'odd', color: null },
      ],
      additions: 12,
      deletions: 0,
      changedFiles: 2,
      commits: null,
      comments: null,
    });
    expect(reading.facts).toEqual(
      expect.arrayContaining([
        { title: 'Pull request', values: [`ada-nowak/dotfiles #${data.number}`] },
        { title: 'State', values: ['Merged'] },
        { title: 'Author', values: ['ada-nowak'] },
      ]),
    );
    expect(reading.url).toBe(data.html_url.startsWith('https:') ? data.html_url : null);
  });

  it('refuses records of others and unknown ones with the same text', async () => {
    const { id } = await stored('gmail_messages', 'true');
    await jonas.connect('google', 'jonas.weber@sandbox.example');
    const refused = [
      tryToRead(jonas, pathOf('google', 'gmail-messages', id)),
      tryToRead(jonas, pathOf('github', 'gh-pulls', id)),
      tryToRead(ada, pathOf('google', 'gmail-messages', 'unknown')),
      tryToRead(ada, pathOf('google', 'gmail-messages', "' or true --")),
      tryToRead(ada, pathOf('google', 'gmail-labels', 'INBOX')),
    ];

    for (const { status, body } of await Promise.all(refused)) {
      expect(status).toBe(404);
      expect(body).toEqual(UNKNOWN);
    }
  });

  it.each([
    ['no fields', {}],
    [
      'fields of wrong types',
      {
        from: 3,
        to: 'x',
        cc: [1, null, [], 'x'],
        replyTo: {},
        text: [1],
        html: {},
        attachments: 'x',
        labelIds: 7,
      },
    ],
    [
      'wrong types in lists',
      { from: { name: [], address: {} }, to: [{ name: 1 }], attachments: [{ size: 'x' }] },
    ],
    ['a deep list', { to: JSON.parse(`${'['.repeat(900)}${']'.repeat(900)}`), text: 'deep' }],
    ['a large field that should be small', { from: { name: 'x'.repeat(1_000_000), address: '' } }],
  ])('shows a mail with %s', async (_, document) => {
    await withDocument(document, async (id) => {
      const reading = await readMail(id);

      expect(reading.recordId).toBe(id);
      expect(JSON.stringify(reading).length).toBeLessThan(10_000);
    });
  });

  it('cuts off what is longer than a person reads', async () => {
    const person = { name: 'N'.repeat(1500), address: 'a@example.org' };
    const document = {
      to: Array.from({ length: 1000 }, () => ({ name: 'N', address: 'a@example.org' })),
      from: person,
      text: '💥'.repeat(READING_LENGTH),
      html: 'x'.repeat(1_000_000),
    };
    await withDocument(document, async (id) => {
      const reading = await readMail(id);

      expect(reading.isCutOff).toBe(true);
      expect(reading.text).toBe('💥'.repeat(READING_LENGTH / 2));
      expect(reading.html).toHaveLength(READING_LENGTH);
      const [from, to] = reading.facts;
      expect(from?.values[0]).toHaveLength(1000);
      expect(to?.values).toHaveLength(201);
      expect(to?.values.at(-1)).toBe('…');
    });
  });

  it.each([
    ['on the main thread', 900],
    ['in the thread', 20_000],
  ])('writes hostile HTML for a browser %s', async (_, count) => {
    const hostile =
      '<b onclick="x" style="color:red;background:u\\72 l(//x.example)"><p>x</b><script>y</script>';
    await withDocument({ html: hostile.repeat(count / 100) + '<br>'.repeat(count) }, async (id) => {
      const { html, isCutOff } = await readMail(id);

      expect(html?.startsWith('<b style="color:red" data-blocked=""><p>x</p></b>')).toBe(true);
      expect(html).not.toMatch(/script|onclick|x\.example/);
      expect(isCutOff).toBe(count > 10_000);
    });
  });

  it.each([
    ['javascript:alert(1)', null],
    ['http://github.example/x', null],
    ['data:text/html,x', null],
    ['https://github.example/a b', 'https://github.example/a%20b'],
    ['not an address', null],
  ])('shows the address %s as %s', async (url, expected) => {
    const { id } = await stored('gh_pulls', 'true');
    const { $client } = server.product.context.db;
    await $client.query(
      `update gh_pulls set data = jsonb_set(data::jsonb, '{html_url}', to_jsonb($1::text))::json where id = $2`,
      [url, id],
    );

    expect((await ada.get<RecordReading>(pathOf('github', 'gh-pulls', id))).url).toBe(expected);
  });

  it('ends when the data is deleted between the search and the reading', async () => {
    const { results } = await ada.get<SearchResults>('/api/data/search?q=is:merged');
    const [found] = results;
    const path = pathOf('github', 'gh-pulls', found?.recordId ?? '');
    expect((await tryToRead(ada, path)).status).toBe(200);

    await ada.post('/api/integrations/entities/delete-all-data?provider=github');

    expect(await tryToRead(ada, path)).toEqual({ status: 404, body: UNKNOWN });
    expect((await ada.get<SearchResults>('/api/data/search?q=is:merged')).results).toEqual([]);
  });
});
