import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { readXlsx } from 'hucre/xlsx';
import { parquetReadObjects } from 'hyparquet';
import readWorkbook from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../test-support/seeded-random.ts';
import { usefulFirst } from './columns.ts';
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
  return buffer(writeFile(format, opened(rows), undefined));
}

async function parquetOf(rows: readonly unknown[]): Promise<Record<string, unknown>[]> {
  const file = await fileOf('parquet', rows);
  const bytes = file.buffer.slice(file.byteOffset, file.byteOffset + file.length) as ArrayBuffer;
  return parquetReadObjects({ file: bytes });
}

/** Pieces of texts that formats or spreadsheets could take for something else. */
const PIECES = [
  '=',
  '+',
  '-',
  '@',
  ';',
  ',',
  '"',
  "'",
  ' ',
  '\t',
  '\n',
  'a',
  '1',
  '＝',
  '漢',
  '😀',
  'x;=1',
  '_x0041_',
];

/** Reads CSV by Python's csv module. */
function pythonRows(file: Buffer): Record<string, string>[] {
  const path = join(folder, 'rows.csv');
  writeFileSync(path, file);
  const program = `
import csv, json, sys
print(json.dumps(list(csv.DictReader(open(sys.argv[1], newline='', encoding='utf-8')))))`;
  return JSON.parse(execFileSync('python3', ['-c', program, path], { encoding: 'utf8' }));
}

/** Returns a value as a cell of a table without types has it. */
function shown(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Expects that CSV for programs, XLSX and Parquet have the values of the rows. */
async function compareFormats(rows: readonly Record<string, unknown>[]): Promise<void> {
  const names = [...new Set(rows.flatMap(Object.keys))];
  const expected = rows.map((row) => names.map((name) => shown(row[name])));
  const csv = pythonRows(await fileOf('exact-csv', rows));
  expect(csv.map((row) => names.map((name) => row[name]))).toEqual(expected);
  const parquet = await parquetOf(rows);
  expect(parquet.map((row) => names.map((name) => shown(row[name])))).toEqual(expected);
  const [sheet] = await readWorkbook(await fileOf('xlsx', rows), { trim: false });
  expect(sheet?.data.slice(1).map((row) => names.map((_, at) => shown(row[at])))).toEqual(expected);
}

const HOSTILE = 'a\u0000b\u0008]]>"\'<&>\r\nBcc: x@y.example\u202e\ud800';
const ROWS = [
  { id: 'a', flag: true, whole: 1, real: 0.5, at: '2026-03-01T09:30:00Z', list: ['x', { y: 1 }], mixed: 1 },
  { id: 'b', flag: null, whole: -7, real: 2, at: '1850-01-01T00:00:00.250Z', list: [], mixed: 'one' },
  { id: '=1+1', late: 'ü漢😀', whole: Number.MAX_SAFE_INTEGER, at: null, mixed: null },
];

describe('writeFile', () => {
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

  it('writes CSV whose cells cannot become formulas', async () => {
    expect((await fileOf('csv', ROWS)).toString()).toBe(
      'id,flag,whole,real,at,list,mixed,late\r\n' +
        'a,true,1,0.5,2026-03-01T09:30:00Z,"[""x"",{""y"":1}]",1,\r\n' +
        'b,,-7,2,1850-01-01T00:00:00.250Z,[],one,\r\n' +
        `'=1+1,,9007199254740991,,,,,ü漢😀\r\n`,
    );
  });

  it('writes an empty value of a table with one column as quotes, which no program skips', async () => {
    const rows = [{ a: 'x' }, { a: '' }, { a: null }, {}, { a: '=1' }];
    expect((await fileOf('csv', rows)).toString()).toBe(`a\r\nx\r\n""\r\n""\r\n""\r\n'=1\r\n`);
    expect((await fileOf('exact-csv', rows)).toString()).toBe('a\r\nx\r\n""\r\n""\r\n""\r\n=1\r\n');
    expect((await fileOf('exact-csv', [{ a: '', b: null }])).toString()).toBe('a,b\r\n"",\r\n');
  });

  it.runIf(hasPython)('writes the same values in each format, read by other programs', async () => {
    const random = seededRandom(20_261_126);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    const text = () => Array.from({ length: Math.floor(random() * 12) }, () => pick(PIECES)).join('');
    const values = [
      text,
      text,
      () => (random() - 0.5) * 10 ** Math.floor(random() * 40 - 20),
      () => Math.floor(random() * 2000) - 1000,
      () => random() < 0.5,
      () => null,
      () => [text(), { [text()]: text() }],
    ];
    const rows = Array.from({ length: 400 }, () =>
      Object.fromEntries(
        ['a', 'b', 'é', 'c d'].filter(() => random() < 0.8).map((name) => [name, pick(values)()]),
      ),
    );
    await compareFormats(rows);
    await compareFormats(rows.map(({ a }) => ({ a })));
  });

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

  it('writes texts of XLSX that look like codes of characters as they are', async () => {
    const text = '_x0041_ _x000D_ _x003D_1_x005F_x0042_ _x00_';
    const [sheet] = await readWorkbook(await fileOf('xlsx', [{ [text]: text }]));
    expect(sheet?.data).toEqual([[text], [text]]);
  });

  it('writes fields after the first thousand columns as JSON, and tables without rows', async () => {
    const row = Object.fromEntries(Array.from({ length: 1200 }, (_, n) => [`f${n}`, n]));
    const [wide] = await parquetOf([row]);
    expect(Object.keys(wide ?? {})).toHaveLength(1001);
    expect(Object.keys(JSON.parse(String(wide?.other_fields)))).toHaveLength(200);
    expect(await parquetOf([])).toEqual([]);
    expect((await readWorkbook(await fileOf('xlsx', [])))[0]?.data).toEqual([['value']]);
  });

  it('writes more rows than a row group has', async () => {
    const rows = Array.from({ length: 45_000 }, (_, n) => ({ n, text: `row ${n % 7}` }));
    const read = await parquetOf(rows);
    expect(read).toHaveLength(45_000);
    expect(read[44_999]).toEqual({ n: 44_999n, text: 'row 3' });
  });

  it('makes columns as wide as their texts and dates, and at most 60 characters', async () => {
    const rows = [
      { n: 1, when: '2026-03-01T09:30:00Z', title: 'x'.repeat(30), body: 'x'.repeat(500) },
      { n: 2, when: null, title: 'y', body: '' },
    ];
    const [sheet] = (await readXlsx(await fileOf('xlsx', rows))).sheets;
    expect(sheet?.columns?.map(({ width }) => Math.round(width ?? 0))).toEqual([8, 19, 32, 60]);
  });

  it('puts useful columns of whole records first, and leaves short rows as they are', () => {
    const found = (count: number) => ({
      columns: Array.from({ length: count }, (_, n) => ({
        name: `f${n}`,
        type: 'text' as const,
        textLength: 0,
      })),
      rest: undefined,
      rowLength: 8,
    });
    const namesOf = (count: number) =>
      usefulFirst(found(count), ['f9', 'absent', 'f2']).columns.map(({ name }) => name);
    expect(namesOf(12).slice(0, 4)).toEqual(['f9', 'f2', 'f0', 'f1']);
    expect(namesOf(12).toSorted()).toEqual(
      found(12)
        .columns.map(({ name }) => name)
        .toSorted(),
    );
    expect(namesOf(11)).toEqual(found(11).columns.map(({ name }) => name));
  });

  it('continues in a next sheet', async () => {
    const columns = {
      columns: [{ name: 'n', type: 'integer' as const, textLength: 0 }],
      rest: undefined,
      rowLength: 8,
    };
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
    const failed = writeFile('csv', () => Readable.from(failing()), undefined);
    await expect(buffer(failed)).rejects.toThrow('the database is away');
    for (let n = 0; n < 10; n++) {
      const left = writeFile('csv', opened(ROWS), undefined);
      await new Promise((resolve) => left.once('close', resolve).destroy());
    }
  });

  it('writes two files of a fairQueue and six files at a time', async () => {
    const start = (fairQueue: string) => writeFile('csv', opened(ROWS), fairQueue);
    const open = ['a', 'a', 'b', 'b', 'c'].map(start);
    expect(() => start('a')).toThrow('Too many files');
    open.push(start('c'));
    expect(() => start('d')).toThrow('Too many files');
    for (const file of open) expect((await buffer(file)).length).toBeGreaterThan(0);
    await buffer(start('d'));
  });
});
