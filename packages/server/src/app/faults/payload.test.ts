import type { FaultName, MailOddity, PullOddity } from '@datadeck/sandbox';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ADA, type Collection, FaultStage, REPOSITORY } from '../../testing/fault-stage.ts';
import { allRows } from '../../testing/syncing.ts';

const FOR_LONG = Number.POSITIVE_INFINITY;
const TEMPLATES = { gmail: 'messages-all', github: 'pulls-all' } as const;
const any = expect.anything();
const text = (part: string) => expect.stringContaining(part);

/** What is read of each odd message. */
const MAIL: Record<MailOddity, object> = {
  'no-subject': { subject: '', text: 'There is no subject.', from: { address: 'a@sandbox.example' } },
  'no-headers': { subject: '', text: text('Nothing but a body.'), headers: [] },
  'no-body': { subject: 'No body', text: '' },
  'no-date': { subject: 'No date', date: text('20'), dateHeader: '' },
  'date-1970': { subject: 'The epoch', date: '1970-01-01T00:00:00.000Z' },
  'date-far-ahead': { subject: 'Far ahead', date: '2221-12-31T23:59:59.000Z' },
  'thousand-headers': { subject: 'A thousand headers', text: 'Many headers.' },
  'deep-nesting': { subject: 'Deep', text: text('At the bottom.') },
  'unknown-charset': { subject: 'Unknown charset', text: text('Gr') },
  'koi8-charset': { subject: 'koi8', text: 'Привет' },
  'raw-8bit-header': { subject: 'café grüße', text: 'Latin in the header.' },
  'right-to-left': { subject: 'مرحبا بالعالم – שלום עולם', text: text('טקסט מימין לשמאל') },
  emoji: { subject: '👩‍👩‍👧‍👦 🏳️‍🌈 🇵🇱 𝒳', text: '👍🏽 family: 👩‍👩‍👧‍👦' },
  nul: { subject: text('A NUL'), text: text('after') },
  'lone-surrogate': { subject: text('A'), text: 'Half a character.' },
  'hostile-html': { subject: '<script>alert(1)</script>', html: text('onerror'), text: '' },
  'duplicate-message-id': { subject: 'Twice', messageId: '<twice@sandbox.example>' },
  'bad-base64': { subject: 'Bad base64', text: 'Hello world' },
  'missing-boundary': { subject: 'No boundary', text: text('No part begins.') },
  'unclosed-boundary': { subject: 'Unclosed', text: text('The end never comes.') },
  'endless-line': { subject: 'One line', text: text('word word'), truncated: true, size: 1_000_060 },
  'megabytes-25': { subject: '25 MB', snippet: text('0123456789abcdef'), size: 26_202_098 },
};

/** What is odd of each pull request, as it is read back. */
const PULLS: Record<PullOddity, object> = {
  'null-head-repo': { head: { repo: null, user: any } },
  'null-head-user': { head: { repo: null, user: null, label: null } },
  'ghost-author': { user: { login: 'ghost' } },
  'null-author': { user: null },
  'null-body': { body: null },
  'crlf-body': { body: 'One\r\n\r\n- two\r\n- three\r\n' },
  'huge-body': { body: 'All of the log.\r\n'.repeat(3900) },
  // What no database can hold as text is replaced.
  'nul-body': { body: 'before\ufffdafter' },
  'lone-surrogate': { title: 'Half of \ud83d a character' },
  'right-to-left': { title: 'تحسين الأداء \u202egnp.exe', body: 'שלום' },
  emoji: { title: '👩‍👩‍👧‍👦 🏳️‍🌈 🇵🇱', body: '👍🏽' },
  'hostile-html': { title: '<img src=x onerror=alert(1)>', body: text('javascript:alert(3)') },
  'unknown-state': { state: 'queued' },
  'unknown-field': { merge_forecast: { likely: true, score: 0.93 } },
  'missing-fields': { title: any, user: any },
  'date-1970': { created_at: '1970-01-01T00:00:00Z' },
  'date-far-ahead': { updated_at: '2221-12-31T23:59:59Z' },
  'odd-date': { closed_at: 'yesterday' },
  'many-labels': { labels: expect.objectContaining({ length: 100 }) },
};

let stage: FaultStage;
/** The id or number of each odd record. */
const ids = new Map<string, string>();
const rows = new Map<string, unknown>();

async function readRows(from: Collection): Promise<Record<string, unknown>[]> {
  return (await allRows(stage.client, from.entity, TEMPLATES[from.api])) as Record<string, unknown>[];
}

beforeAll(async () => {
  stage = await FaultStage.open();
  const { gmail, github } = stage.server.control;
  const { labelIds = '' } = stage.gmail.settings;
  for (const name of Object.keys(MAIL) as MailOddity[]) {
    const id = gmail.insertOddity(ADA, name);
    gmail.changeLabels(ADA, id, { add: [labelIds] });
    ids.set(`mail ${name}`, id);
  }
  for (const name of Object.keys(PULLS) as PullOddity[])
    ids.set(`pull ${name}`, String(github.insertOddity(REPOSITORY, name)));
  for (const from of [stage.gmail, stage.github]) {
    expect(await stage.run(from)).toMatchObject({ status: 'finished', summary: { skipped: 0 } });
    for (const row of await readRows(from)) rows.set(String(row.number ?? row.id), row);
  }
});
afterAll(() => stage?.close());
beforeEach(() => stage.server.control.clearFaults());

test.each(Object.entries(MAIL))('a message, %s: stored, as far as it can be read', (name, expected) =>
  expect(rows.get(ids.get(`mail ${name}`) ?? '')).toMatchObject(expected),
);

test.each(Object.entries(PULLS))('a pull request, %s: stored with all that GitHub gave', (name, expected) =>
  expect(rows.get(ids.get(`pull ${name}`) ?? '')).toMatchObject(expected),
);

test('odd records are all there, once; the next run changes nothing; templates and queries still answer', async () => {
  for (const from of [stage.gmail, stage.github]) {
    expect(await stage.stored(from)).toEqual(from.ids());
    expect(await stage.run(from)).toMatchObject({
      status: 'finished',
      summary: { added: 0, updated: 0, removed: 0 },
    });
    const { provider, entity } = from;
    const templates = await stage.client.get<{ templateKey: string }[]>(
      `/api/integrations/entities/templates/${provider}/${entity}`,
    );
    expect(templates.length).toBeGreaterThan(3);
    for (const { templateKey } of templates)
      await stage.client.get(`/api/integrations/entities/aggregation/${entity}/${templateKey}`);
    const query = {
      entryCollection: entity,
      templateKey: TEMPLATES[from.api],
      jsonNataQuery: '{ "n": $count($) }',
    };
    expect(JSON.stringify(await stage.client.post('/api/data/query', query))).toContain(
      String(from.ids().length),
    );
  }
});

describe('an answer that is odd: the run finishes, and the record is stored with what can be read of it:', () => {
  const ODD: [FaultName, 'gmail' | 'github', object][] = [
    ['bad-base64url', 'gmail', { subject: 'A new message', text: any }],
    ['missing-body', 'gmail', { subject: 'A new message', text: '' }],
    ['missing-payload', 'gmail', { subject: '', text: '', snippet: text('put here by the sandbox') }],
    ['unknown-field', 'gmail', { subject: 'A new message', text: text('put here by the sandbox') }],
    ['unknown-field', 'github', { merge_forecast: { likely: true } }],
  ];

  test.each(ODD)('%s at %s', async (name, api, expected) => {
    const from = stage[api];
    const before = new Set(from.ids());
    from.insert();
    const [inserted = ''] = from.ids().filter((id) => !before.has(id));
    const odd = stage.fault({ name, match: { api }, times: FOR_LONG });
    expect(await stage.run(from)).toMatchObject({ status: 'finished', summary: { skipped: 0 } });
    expect(odd.hits).toBeGreaterThan(0);
    expect(await stage.stored(from)).toEqual(from.ids());
    const found = (await readRows(from)).find((row) => String(row.number ?? row.id) === inserted);
    expect(found).toMatchObject(expected);
  });
});
