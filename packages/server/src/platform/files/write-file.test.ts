import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { parquetReadObjects } from 'hyparquet';
import PostalMime from 'postal-mime';
import readWorkbook from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FileFormat } from './file-task.ts';
import { writeFile } from './write-file.ts';
import { xlsxFile } from './xlsx.ts';

const hasPython = spawnSync('python3', ['--version']).status === 0;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'datadeck-files-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Opens rows as NDJSON whose chunks end anywhere. */
function opened(rows: readonly unknown[]): () => Readable {
  const text = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const pieces = Array.from({ length: Math.ceil(text.length / 1000) }, (_, at) =>
    text.subarray(at * 1000, at * 1000 + 1000),
  );
  return () => Readable.from(pieces, { objectMode: false });
}

function fileOf(format: FileFormat, rows: readonly unknown[]): Promise<Buffer> {
  return buffer(writeFile(format, { open: opened(rows) }, undefined));
}

async function parquetOf(rows: readonly unknown[]): Promise<Record<string, unknown>[]> {
  const file = await fileOf('parquet', rows);
  const bytes = file.buffer.slice(file.byteOffset, file.byteOffset + file.length) as ArrayBuffer;
  return parquetReadObjects({ file: bytes });
}

const HOSTILE = 'a\u0000b\u0008]]>"\'<&>\r\nBcc: x@y.example\u202e\ud800';
const ROWS = [
  { id: 'a', flag: true, whole: 1, real: 0.5, at: '2026-03-01T09:30:00Z', list: ['x', { y: 1 }], mixed: 1 },
  { id: 'b', flag: null, whole: -7, real: 2, at: '1850-01-01T00:00:00.250Z', list: [], mixed: 'one' },
  { id: '=1+1', late: 'ü漢😀', whole: Number.MAX_SAFE_INTEGER, at: null, mixed: null },
];

describe('writeFile', () => {
  // @covers exports.parquet
  it('writes Parquet with a type for each column', async () => {
    const rows = await parquetOf(ROWS);
    const empty = { flag: null, real: null, at: null, list: null, mixed: null };
    expect(rows).toEqual([
      {
        ...{ id: 'a', flag: true, whole: 1n, real: 0.5, at: new Date('2026-03-01T09:30:00Z') },
        ...{ list: '["x",{"y":1}]', mixed: '1', late: null },
      },
      {
        ...{ id: 'b', flag: null, whole: -7n, real: 2, at: new Date('1850-01-01T00:00:00.250Z') },
        ...{ list: '[]', mixed: 'one', late: null },
      },
      { ...empty, id: '=1+1', whole: BigInt(Number.MAX_SAFE_INTEGER), late: 'ü漢😀' },
    ]);
  });

  // @covers exports.xlsx
  it('writes XLSX with typed cells, dates, and no formulas', async () => {
    const [sheet] = await readWorkbook(await fileOf('xlsx', ROWS));
    // A date is a fraction of days, which the reader truncates to milliseconds.
    const cells = (value: unknown) => (value instanceof Date ? Math.round(value.getTime() / 1000) : value);
    expect(sheet?.data.map((row) => row.map(cells))).toEqual([
      ['id', 'flag', 'whole', 'real', 'at', 'list', 'mixed', 'late'],
      ['a', true, 1, 0.5, Date.UTC(2026, 2, 1, 9, 30) / 1000, '["x",{"y":1}]', '1', null],
      ['b', null, -7, 2, '1850-01-01T00:00:00.250Z', '[]', 'one', null],
      ['=1+1', null, Number.MAX_SAFE_INTEGER, null, null, null, null, 'ü漢😀'],
    ]);
  });

  // @covers exports.csv
  it('writes CSV whose cells cannot become formulas', async () => {
    expect((await fileOf('csv', ROWS)).toString()).toBe(
      'id,flag,whole,real,at,list,mixed,late\r\n' +
        'a,true,1,0.5,2026-03-01T09:30:00Z,"[""x"",{""y"":1}]",1,\r\n' +
        'b,,-7,2,1850-01-01T00:00:00.250Z,[],one,\r\n' +
        `'=1+1,,9007199254740991,,,,,ü漢😀\r\n`,
    );
  });

  // @covers exports.hostile
  it('keeps hostile names and values inside their cells', async () => {
    const row = { [HOSTILE]: HOSTILE, ['__proto__']: 1, constructor: 2, '': 3, 'a.b': HOSTILE.repeat(2000) };
    const rows = [row, 'no object', null, [1]];
    const parquet = await parquetOf(rows);
    expect(parquet).toHaveLength(4);
    expect(Object.keys(parquet[0] ?? {})).toEqual(
      expect.arrayContaining(['constructor', '', 'a.b', 'value']),
    );
    expect(parquet.map(({ value }) => value)).toEqual([null, 'no object', null, '[1]']);
    const [sheet] = await readWorkbook(await fileOf('xlsx', rows));
    const clean = 'ab]]>"\'<&>\r\nBcc: x@y.example\u202e\ufffd';
    const lines = (text: unknown) => String(text).replaceAll('\r\n', '\n');
    expect(lines(sheet?.data[0]?.[0])).toBe(lines(clean));
    expect(lines(sheet?.data[1]?.[0])).toBe(lines(clean));
    expect(String(sheet?.data[1]?.[4]).length).toBeLessThanOrEqual(32_767);
    expect(sheet?.data.map((cells) => cells.length)).toEqual([6, 6, 6, 6, 6]);
  });

  // @covers exports.hostile
  it('writes texts of XLSX that look like codes of characters as they are', async () => {
    const text = '_x0041_ _x000D_ _x003D_1_x005F_x0042_ _x00_';
    const [sheet] = await readWorkbook(await fileOf('xlsx', [{ [text]: text }]));
    expect(sheet?.data).toEqual([[text], [text]]);
  });

  // @covers exports.columns
  it('writes fields after the first thousand columns as JSON, and tables without rows', async () => {
    const row = Object.fromEntries(Array.from({ length: 1200 }, (_, n) => [`f${n}`, n]));
    const [wide] = await parquetOf([row]);
    expect(Object.keys(wide ?? {})).toHaveLength(1001);
    expect(Object.keys(JSON.parse(String(wide?.other_fields)))).toHaveLength(200);
    expect(await parquetOf([])).toEqual([]);
    expect((await readWorkbook(await fileOf('xlsx', [])))[0]?.data).toEqual([['value']]);
  });

  // @covers exports.parquet
  it('writes more rows than a row group has', async () => {
    const rows = Array.from({ length: 45_000 }, (_, n) => ({ n, text: `row ${n % 7}` }));
    const read = await parquetOf(rows);
    expect(read).toHaveLength(45_000);
    expect(read[44_999]).toEqual({ n: 44_999n, text: 'row 3' });
  });

  // @covers exports.xlsx
  it('continues in a next sheet', async () => {
    const columns = { columns: [{ name: 'n', type: 'integer' as const }], rest: undefined, rowLength: 8 };
    const batches = Readable.from([[{ n: 1 }, { n: 2 }], [{ n: 3 }]]);
    const sheets = await readWorkbook(await buffer(Readable.from(xlsxFile(columns, batches, 3))));
    expect(sheets.map(({ data }) => data)).toEqual([
      [['n'], [1], [2]],
      [['n'], [3]],
    ]);
  });

  it('fails when its rows fail, and ends its thread when nobody reads', async () => {
    const failing = async function* () {
      yield '{"a":1}\n';
      throw new Error('the database is away');
    };
    const failed = writeFile('csv', { open: () => Readable.from(failing()) }, undefined);
    await expect(buffer(failed)).rejects.toThrow('the database is away');
    for (let n = 0; n < 10; n++) {
      const left = writeFile('csv', { open: opened(ROWS) }, undefined);
      await new Promise((resolve) => left.once('close', resolve).destroy());
    }
  });

  // @covers exports.threads
  it('writes two files of a share and six files at a time', async () => {
    const start = (share: string) => writeFile('csv', { open: opened(ROWS) }, share);
    const open = ['a', 'a', 'b', 'b', 'c'].map(start);
    expect(() => start('a')).toThrow('Too many files');
    open.push(start('c'));
    expect(() => start('d')).toThrow('Too many files');
    for (const file of open) expect((await buffer(file)).length).toBeGreaterThan(0);
    await buffer(start('d'));
  });
});

const MAILS = [
  {
    id: 'm1',
    from: { name: 'Zoë "Z" <x>', address: 'zoe@mail.example' },
    to: [{ name: 'Bob', address: 'bob@mail.example\r\nBcc: spy@mail.example' }],
    cc: [],
    subject: 'Hello\r\nBcc: spy@mail.example\r\n\r\nFrom nobody',
    date: '2026-03-01T09:30:00.000Z',
    text: 'From the start\n>From a quote\n>>From two\n\nFrom me\r\nüber\n.\n',
    html: '<p>From</p>\nFrom html',
    messageId: '<one@mail.example>\r\nX-Evil: 1',
    headers: [
      { name: 'Received', value: 'from a by b\r\nX-Evil: 2' },
      { name: 'X-Bad\r\nX-Evil', value: '3' },
      { name: 'Content-Type', value: 'application/x-evil' },
      { name: 'X-Mailer', value: 'Pine' },
    ],
    labelIds: ['INBOX'],
    attachments: [{ filename: 'report.pdf', size: 1 }],
  },
  { id: 'm 2>\n', from: { name: '', address: '' }, subject: '', text: '', date: 'never' },
  { id: 'm3', from: 'odd', to: 'odd', headers: 'odd', text: 7, html: null },
];

describe('mbox', () => {
  // @covers exports.mbox
  it('keeps the text of each mail, and no value adds a header or a mail', async () => {
    const text = (await fileOf('mbox', MAILS)).toString();
    const mails = text.split(/^From .*\n/m).slice(1);
    expect(mails).toHaveLength(3);
    expect(text).not.toContain('\r');
    const [first, second] = await Promise.all(mails.map((mail) => PostalMime.parse(mail)));
    expect(first).toMatchObject({
      from: { name: 'Zoë "Z" <x>', address: 'zoe@mail.example' },
      date: '2026-03-01T09:30:00.000Z',
    });
    expect(first?.text?.replaceAll('\r\n', '\n').trimEnd()).toBe(
      'From the start\n>From a quote\n>>From two\n\nFrom me\nüber\n.',
    );
    expect(first?.html?.trimEnd()).toBe('<p>From</p>\nFrom html');
    const names = first?.headers.map(({ key }) => key);
    expect(names).toEqual(expect.arrayContaining(['received', 'x-mailer', 'x-datadeck-labels']));
    expect(names).not.toEqual(expect.arrayContaining(['x-evil']));
    expect(names).not.toContain('bcc');
    expect(names?.filter((name) => name === 'content-type')).toHaveLength(1);
    expect(first?.headers.find(({ key }) => key === 'x-datadeck-attachments')?.value).toBe('report.pdf');
    expect(second?.subject ?? '').toBe('');
  });

  // @covers exports.mbox
  it('keeps the parts of a mail apart for every text', async () => {
    const [mail] = MAILS;
    const boundary = /boundary="(.+)"/.exec((await fileOf('mbox', [mail])).toString())?.[1];
    expect(boundary).toBeTruthy();
    const text = `one\n--${boundary}\nContent-Type: text/html\n\nforged\n--${boundary}--\ntwo`;

    const written = (await fileOf('mbox', [{ ...(mail as object), text }])).toString();

    const parsed = await PostalMime.parse(written.slice(written.indexOf('\n') + 1));
    expect(parsed.text?.replaceAll('\r\n', '\n').trimEnd()).toBe(text);
    expect(parsed.html?.trimEnd()).toBe('<p>From</p>\nFrom html');
  });

  // @covers exports.mbox
  it.runIf(hasPython)("is read by Python's mailbox", async () => {
    const path = join(folder, 'mails.mbox');
    writeFileSync(path, await fileOf('mbox', [...MAILS, ...MAILS]));
    const program = `
import mailbox, json, email.header, sys
out = []
for mail in mailbox.mbox(sys.argv[1]):
    part = mail.get_payload()[0] if mail.is_multipart() else mail
    out.append([mail.get_from(), part.get_payload(decode=True).decode(), mail.keys().count('Bcc'), len(mail.defects)])
print(json.dumps(out))`;
    const out = JSON.parse(execFileSync('python3', ['-c', program, path], { encoding: 'utf8' }));
    expect(out).toHaveLength(6);
    expect(out[0].slice(0, 2)).toEqual([
      'zoe@mail.example Sun Mar  1 09:30:00 2026',
      expect.stringMatching(/^From the start\n>From a quote\n>>From two\n\nFrom me\r?\nüber\n/),
    ]);
    for (const [, , bcc, defects] of out) expect([bcc, defects]).toEqual([0, 0]);
  });
});
