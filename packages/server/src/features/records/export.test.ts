import { parquetReadObjects } from 'hyparquet';
import PostalMime from 'postal-mime';
import readWorkbook from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import { runSync } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';

type Row = Record<string, unknown>;

const MESSAGES = '/api/data/records/google/gmail-messages/export';
const PULLS = '/api/data/records/github/gh-pulls/export';
let server: TestServer;
let ada: Client;

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await ada.connect('google', 'ada.nowak@sandbox.example');
  await ada.connect('github', 'ada-nowak');
  await runSync(ada, 'gmail-messages', { labelIds: 'INBOX' });
  await runSync(ada, 'gh-pulls', { owner: 'aurora-labs', repo: 'harbor' });
});
afterAll(() => server?.remove());

async function fileOf(path: string, format: string, client = ada): Promise<Buffer> {
  const response = await client.call('GET', `${path}?format=${format}`);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return Buffer.from(await response.arrayBuffer());
}

async function recordsOf(path: string): Promise<Row[]> {
  return JSON.parse((await fileOf(path, 'json')).toString()) as Row[];
}

/** Returns values that are not null as the text of a table. */
const textsOf = (row: Row, names: readonly string[]) =>
  names.map((name) => (typeof row[name] === 'object' && row[name] ? JSON.stringify(row[name]) : row[name]));

describe('an export of all records', () => {
  it('as Parquet has the values of all fields', async () => {
    const records = await recordsOf(PULLS);
    const file = await fileOf(PULLS, 'parquet');
    const rows = await parquetReadObjects({ file: new Uint8Array(file).buffer });
    expect(rows).toHaveLength(records.length);
    const names = ['title', 'state', 'draft', 'user', 'labels'];
    expect(rows.map((row) => textsOf(row, names))).toEqual(records.map((record) => textsOf(record, names)));
    expect(rows.map(({ number }) => Number(number))).toEqual(records.map(({ number }) => number));
    expect(rows.map(({ created_at }) => (created_at as Date).getTime())).toEqual(
      records.map(({ created_at }) => Date.parse(String(created_at))),
    );
  });

  it('as XLSX and CSV has a row for each record', async () => {
    const records = await recordsOf(MESSAGES);
    const [sheet] = await readWorkbook(await fileOf(MESSAGES, 'xlsx'));
    const [header = [], ...rows] = sheet?.data ?? [];
    expect(rows.map((row) => row[header.indexOf('id')])).toEqual(records.map(({ id }) => id));
    expect(rows.map((row) => row[header.indexOf('subject')] ?? '')).toEqual(
      records.map(({ subject }) => subject),
    );
    const csv = (await fileOf(MESSAGES, 'csv')).toString();
    // XLSX begins with the fields that people look at first.
    expect(header.slice(0, 4)).toEqual(['from', 'subject', 'date', 'snippet']);
    expect(csv.split('\r\n')[0]?.split(',').toSorted()).toEqual(header.map(String).toSorted());
    for (const { account, id } of records) expect(csv).toContain(`\r\n${account},${id},`);
  });

  it('as exact CSV has texts as they are, which no other format has', async () => {
    const ndjson = (await fileOf(PULLS, 'ndjson')).toString();
    const file = await ada.call('GET', `${PULLS}?format=csv&exact=true`);
    const csv = await file.text();
    const titles = ndjson
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { title: string }).title);
    for (const title of titles) expect(csv).toContain(title.replaceAll('"', '""'));
    expect(file.headers.get('content-disposition')).toContain('.csv"');
    const refused = await ada.call('GET', `${PULLS}?format=xlsx&exact=true`);
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({
      error: { fields: { exact: 'Only CSV has an exact form.' } },
    });
  });

  it('as mbox has all mails, for mails only', async () => {
    const records = await recordsOf(MESSAGES);
    const text = (await fileOf(MESSAGES, 'mbox')).toString();
    const mails = await Promise.all(
      text
        .split(/^From .*\n/m)
        .slice(1)
        .map((mail) => PostalMime.parse(mail)),
    );
    const spaced = (value: unknown) =>
      String(value ?? '')
        .replaceAll(/\s+/g, ' ')
        .trim();
    expect(mails.map(({ subject }) => spaced(subject))).toEqual(
      records.map(({ subject }) => spaced(subject)),
    );
    expect(mails.map((mail) => spaced(mail.text))).toEqual(records.map((record) => spaced(record.text)));
    expect(mails.map(({ from }) => from?.address ?? '')).toEqual(
      records.map(({ from }) => (from as { address: string }).address),
    );
    const refused = await ada.call('GET', `${PULLS}?format=mbox`);
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain('Only mails can be exported as mbox.');
  });

  it.each(['csv', 'xlsx', 'parquet', 'mbox'])('as %s is empty for another user', async (format) => {
    const jonas = await new Client(server).signIn('jonas.weber@sandbox.example');
    const file = await fileOf(MESSAGES, format, jonas);
    expect(file.includes('@sandbox.example')).toBe(false);
    const [sheet] = format === 'xlsx' ? await readWorkbook(file) : [];
    expect(sheet?.data.length ?? 1).toBe(1);
  });
});
