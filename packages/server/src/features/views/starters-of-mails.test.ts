import { STARTERS, toCreateView, type View, type ViewResults } from '@datadeck/contract';
import { compile, QUERY_LIMITS } from '@datadeck/jsonata';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../test-support/seeded-random.ts';
import { shareServer } from '../../../test-support/shared-server.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';
import { inBulkTransaction } from '../../platform/db/database.ts';
import { writeRecords } from '../records/index.ts';

type Row = Record<string, unknown>;

/** A mail; what is absent is empty in its record. `thread` is known by Gmail alone, `answered` by the others. */
interface Mail {
  id: string;
  from?: string;
  subject?: string;
  messageId?: string;
  inReplyTo?: string;
  thread?: string;
  place: 'inbox' | 'sent' | 'archive';
  answered?: boolean;
  /** Hours since the first mail. */
  hour: number;
}

const START = Date.UTC(2026, 0, 1);
const SOURCES = {
  google: { entity: 'gmail-messages', account: 'ada@gmail.example' },
  imap: { entity: 'imap-messages', account: 'Ada@mail.example' },
  outlook: { entity: 'outlook-messages', account: 'ada@outlook.example' },
} as const;
type Source = keyof typeof SOURCES;
const COMBINATIONS: readonly (readonly Source[])[] = [
  ['google'],
  ['imap'],
  ['outlook'],
  ['google', 'imap'],
  ['google', 'imap', 'outlook'],
];

function documentOf(source: Source, mail: Mail): Row {
  const { id, from = '', subject = '', messageId = '', inReplyTo = '', thread = '', place, answered } = mail;
  const place1 = { inbox: 'INBOX', sent: 'SENT', archive: 'Archive' }[place];
  const flags = answered ? ['\\Answered', '\\Seen'] : ['\\Seen'];
  const own =
    source === 'google'
      ? { threadId: thread, labelIds: [place1] }
      : { flags, unread: false, flagged: false, mailbox: place1, uid: 1 };
  return {
    id,
    from: { name: from.split('@')[0], address: from },
    date: new Date(START + mail.hour * 3_600_000).toISOString(),
    ...{ to: [], cc: [], replyTo: [], attachments: [], headers: [], dateHeader: '', text: '', html: '' },
    ...{ subject, snippet: '', size: 9, truncated: false, messageId, inReplyTo },
    ...own,
  };
}

/** Mails of a source, those that wait first. */
function mailsOf(source: Source): Mail[] {
  const own = SOURCES[source].account.toLowerCase();
  const id = (name: string) => `<${name}.${source}@x.example>`;
  const topic = '<ada/tools/pull/7@github.com>';
  return [
    {
      id: 'new',
      from: 'bo@x.example',
      subject: 'New',
      messageId: id('new'),
      thread: '1',
      place: 'inbox',
      hour: 1,
    },
    {
      id: 'itself',
      from: 'bo@x.example',
      subject: 'Itself',
      messageId: id('itself'),
      inReplyTo: id('itself'),
      place: 'inbox',
      hour: 2,
    },
    { id: 'nothing', place: 'inbox', hour: 2 },
    { id: 'nothing-2', place: 'inbox', hour: 3 },
    { id: 'asked', from: 'bo@x.example', messageId: id('asked'), thread: '2', place: 'inbox', hour: 4 },
    {
      id: 'reply',
      from: own,
      messageId: id('reply'),
      inReplyTo: id('asked'),
      thread: '2',
      place: 'sent',
      hour: 5,
    },
    { id: 'first', from: 'bo@x.example', messageId: id('first'), thread: '3', place: 'inbox', hour: 6 },
    {
      id: 'later',
      from: 'cy@x.example',
      subject: 'Later',
      messageId: id('later'),
      inReplyTo: id('first'),
      thread: '3',
      place: 'inbox',
      hour: 7,
    },
    {
      id: 'copy',
      from: 'cy@x.example',
      subject: 'Later',
      messageId: id('later'),
      inReplyTo: id('first'),
      thread: '3',
      place: 'archive',
      hour: 7,
    },
    {
      id: 'machine',
      from: 'no-reply@x.example',
      messageId: id('machine'),
      thread: '4',
      place: 'inbox',
      hour: 8,
    },
    { id: 'away', from: 'bo@x.example', messageId: id('away'), thread: '5', place: 'archive', hour: 9 },
    {
      id: 'flagged',
      from: 'bo@x.example',
      messageId: id('flagged'),
      thread: '6',
      place: source === 'google' ? 'archive' : 'inbox',
      answered: true,
      hour: 10,
    },
    {
      id: 'pull',
      from: 'notifications@github.com',
      subject: 'Pull',
      messageId: topic,
      thread: '7',
      place: 'archive',
      hour: 11,
    },
    {
      id: 'pull-2',
      from: 'notifications@github.com',
      subject: `Re: ${source}`,
      messageId: id('p'),
      inReplyTo: topic,
      thread: '7',
      place: 'archive',
      hour: 12,
    },
  ];
}

const starter = (title: string) => {
  const found = STARTERS.find((one) => one.title === title);
  if (!found) throw new Error(`no starter ${title}`);
  return found;
};

describe('a starter over mails', () => {
  let server: TestServer;
  let ada: Client;
  const created = new Map<string, string>();

  async function store(userId: string, source: Source): Promise<void> {
    const { entity: id, account } = SOURCES[source];
    const { db } = server.product.context;
    const { rows } = await db.$client.query<{ id: string }>(
      `insert into connections (user_id, id, provider, subject, account, status, is_shown)
      values ($1, gen_random_uuid(), $2, $3, $3, 'connected', true) returning id`,
      [userId, source, account],
    );
    const entity = server.product.registry.entity(source, id);
    const records = await Promise.all(
      mailsOf(source).map(async (mail) => {
        const document = documentOf(source, mail);
        const occurredAt = new Date(String(document.date));
        return { id: mail.id, occurredAt, ...(await entity.convert(document as never, {})) };
      }),
    );
    const target = { userId, connectionId: rows[0]?.id ?? '', entity: id, syncId: crypto.randomUUID() };
    await inBulkTransaction(db, (tx) =>
      writeRecords(tx, { ...target, scope: 'INBOX', isRestart: false }, { entity, records }),
    );
  }

  async function rowsOf(title: string, sources: readonly string[], values: Row = {}): Promise<Row[]> {
    const key = `${title} ${sources.join()}`;
    const written = toCreateView(starter(title), new Set(sources));
    const id = created.get(key) ?? (await ada.post<View>('/api/data/views', written))._id;
    created.set(key, id);
    const query = new URLSearchParams({ page: '1', parameters: JSON.stringify(values) });
    return (await ada.get<ViewResults>(`/api/data/views/aggregate/${id}?${query}`)).results as Row[];
  }

  beforeAll(async () => {
    server = await shareServer();
    ada = await new Client(server).signIn('ada.nowak@sandbox.example');
    const { _id } = await ada.get<{ _id: string }>('/api/accounts');
    for (const source of ['google', 'imap', 'outlook'] as const) await store(_id, source);
  }, 120_000);
  afterAll(() => server?.remove());

  it.each(COMBINATIONS)('shows the mails that wait in %s %s %s', async (...sources) => {
    const given = sources.filter((source) => source !== undefined);
    const rows = await rowsOf('Waiting for me', given);
    const waiting = given.flatMap(() => ['New', 'Itself', '', '', 'Later']);
    expect(rows.map(({ title }) => title).toSorted()).toEqual(waiting.toSorted());
    expect(rows.map(({ since }) => since)).toEqual(
      rows
        .map(({ since }) => since)
        .toSorted()
        .reverse(),
    );
  });

  it.each(COMBINATIONS)('shows the mails about a pull request in %s %s %s', async (...sources) => {
    const given = sources.filter((source) => source !== undefined);
    const values = { repository: 'ada/tools', pull: 7 };
    const rows = await rowsOf('Mails about this pull request', ['github', ...given], values);
    const answers = given.map((source) => `Re: ${source}`);
    expect(rows.map(({ subject }) => subject).toSorted()).toEqual(['Pull', ...answers].toSorted());
  });

  it.each(COMBINATIONS)('counts the mails of each person once in %s %s %s', async (...sources) => {
    const given = sources.filter((source) => source !== undefined);
    const rows = await rowsOf('People', ['github', ...given]);
    const of = (address: string) => rows.find((row) => row.address === address)?.mails;
    expect(of('cy@x.example')).toBe(given.length);
    expect(of('notifications@github.com')).toBe(given.length + 1);
    expect(rows.some(({ address }) => !address)).toBe(false);
  });
});

describe('a starter over records that lack fields', () => {
  const ODD = [
    '',
    '__proto__',
    'constructor',
    '<>',
    'ünï@x',
    '<a@x>',
    '<b@x>',
    'me@x.example',
    'ME@x.example',
  ];

  /** Returns a mail each of whose fields may be missing or odd. */
  function oddMail(random: () => number): Row {
    const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)];
    const odd = () => pick([...ODD, undefined]);
    const fields: Row = {
      ...{ id: odd(), threadId: odd(), messageId: odd(), inReplyTo: odd(), subject: odd(), snippet: odd() },
      from: pick([{}, undefined, { name: odd(), address: odd() }]),
      labelIds: pick([[], ['INBOX'], undefined]),
      mailbox: pick(['INBOX', 'Sent', undefined]),
      flags: pick([[], ['\\Answered'], undefined]),
      date: pick(['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z']),
      account: 'me@x.example',
    };
    return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  }

  it.each(COMBINATIONS)('returns rows for odd records of %s %s %s', (...sources) => {
    const given = sources.filter((source) => source !== undefined);
    for (let seed = 1; seed <= 60; seed++) {
      const random = seededRandom(seed);
      const rows = () => Array.from({ length: Math.floor(random() * 12) }, () => oddMail(random));
      const bindings = {
        ...{ gmail: rows(), imap: rows(), outlook: rows(), reviews: [], commits: [], pulls: [] },
        ...{ repository: 'a/b', pull: 1 },
      };
      for (const one of STARTERS) {
        const { jsonNataQuery = '' } = toCreateView(one, new Set(['github', ...given])) ?? {};
        const result = compile(jsonNataQuery, QUERY_LIMITS).evaluate([], bindings);
        expect(Array.isArray(result), `${one.title}, seed ${seed}`).toBe(true);
      }
    }
  });
});
