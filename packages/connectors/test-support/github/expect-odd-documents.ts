import { isRecord } from '@datadeck/contract/table-columns';
import { expect, it } from 'vitest';
import type { ParsedRecord } from '../../src/github/records/github-record.ts';
import type { Json, JsonObject } from '../../src/sdk/json.ts';
import { PageCheck } from '../../src/sdk/page-check.ts';
import { ProviderError } from '../../src/sdk/provider-error.ts';
import { isStorable, storableDocument } from '../../src/sdk/storable.ts';
import type { ColumnDefinition, TableDefinition } from '../../src/sdk/table.ts';

/** How the records of an entity are made. */
interface RecordSubject {
  /** Returns a new complete document. */
  sample: () => unknown;
  record: (raw: unknown) => ParsedRecord;
  convert: (document: JsonObject, older: Record<string, unknown>) => Pick<ParsedRecord, 'data' | 'columns'>;
  table: TableDefinition;
}

const DEEP = `${'['.repeat(1500)}${']'.repeat(1500)}`;
/** JSON texts of values that any field may have. */
const ODD_VALUES: readonly string[] = [
  'null',
  '0',
  '7',
  '-1.5',
  '1e300',
  '9007199254740993',
  'true',
  'false',
  '""',
  '"a\\u0000b"',
  '"\\ud800"',
  '"2026-02-30T00:00:00Z"',
  '"0000-00-00T00:00:00Z"',
  '"2026-01-01T00:00:00.5+02:00"',
  JSON.stringify('x'.repeat(20_000)),
  JSON.stringify('> ['.repeat(7000)),
  '[]',
  '{}',
  '[null,7,"x",[],{}]',
  '{"login":7,"name":{},"title":[],"total_count":"x"}',
  '{"__proto__":{"login":"x"},"constructor":1}',
  `[${'{"name":"l","login":"l"},'.repeat(1100)}null]`,
  DEEP,
  `{"login":"x","full_name":"a/b","owner":${DEEP}}`,
];

type Path = readonly (string | number)[];

/** Lists the paths of all fields of a document. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  const inner = Array.isArray(value) || isRecord(value) ? Object.entries(value) : [];
  return [
    ...(path.length > 0 ? [path] : []),
    ...inner.flatMap(([key, item]) => pathsOf(item, [...path, key])),
  ];
}

/** Returns a copy of a document with another value at a path; without the field for undefined. */
function replaced(document: unknown, path: Path, json: string | undefined): unknown {
  const copy = structuredClone(document);
  const last = path.at(-1) as string;
  let parent = copy as Record<string, unknown>;
  for (const key of path.slice(0, -1)) parent = parent[key] as Record<string, unknown>;
  if (json === undefined) delete parent[last];
  else parent[last] = JSON.parse(json);
  return copy;
}

/** Returns a field of a stored document; undefined if it has none. */
function fieldOf(document: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    document,
  );
}

/** Expects that a column is null, a stand-in, or the field that it copies. */
function expectCopy(
  name: string,
  { copies = [], standIns = [], fractionDigits }: ColumnDefinition,
  { columns, data }: Pick<ParsedRecord, 'columns' | 'data'>,
): void {
  const value = columns[name];
  if (value === null || standIns.includes(value as string)) return;
  const field = fieldOf(storableDocument(data), copies);
  const written = value instanceof Date ? value.toISOString().replace('.000', '') : value;
  expect(written, `${name}, ${fractionDigits ?? ''}`).toEqual(field);
}

/** Expects that a document makes a record that can be stored and read again. @returns false for a refused document */
function expectRecord(raw: unknown, { record, convert, table }: RecordSubject): boolean {
  let made: ParsedRecord;
  try {
    made = record(raw);
  } catch (error) {
    expect(error).toBeInstanceOf(ProviderError);
    expect((error as ProviderError).failure).toBe('malformed');
    return false;
  }
  const page = { records: [made], checkpoint: 1 };
  expect(new PageCheck({ cursor: null, limit: 1 }, table).check(page)).toBe(page);
  expect(isStorable(made.id)).toBe(true);
  if ('id' in made.data) expect(String(made.data.id)).toBe(made.id);
  expect(Number.isFinite(made.updatedAt)).toBe(true);
  for (const [name, column] of Object.entries(table.columns))
    if (column.copies) expectCopy(name, column, made);
  const stored = storableDocument(made.data) as JsonObject;
  const again = convert(structuredClone(stored), { ...made.columns });
  expect(JSON.stringify(storableDocument(again.data as Json))).toBe(JSON.stringify(stored));
  expect(again.columns).toEqual(made.columns);
  return true;
}

/** Tests that any document of an entity makes a valid record or is refused as malformed. */
export function testOddDocuments(subject: RecordSubject): void {
  it('has a value in each column of a complete document', () => {
    const { columns } = subject.record(subject.sample());
    const empty = Object.keys(columns).filter((name) => columns[name] === null);
    expect(empty).toEqual([]);
  });

  it('accepts every odd value of every field, or refuses the document as malformed', () => {
    const document = subject.sample();
    let refused = 0;
    for (const path of pathsOf(document))
      for (const json of [undefined, ...ODD_VALUES])
        if (!expectRecord(replaced(document, path, json), subject)) refused += 1;
    expect(refused).toBeGreaterThan(0);
  });

  it('refuses what is no document', () => {
    for (const json of ODD_VALUES) expect(() => subject.record(JSON.parse(json))).toThrow(ProviderError);
  });
}
