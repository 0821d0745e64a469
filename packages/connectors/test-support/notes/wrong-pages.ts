import type { Completion, ConnectorRecord, Json, Page, ReadRequest } from '../../src/sdk/index.ts';
import { FULL_RUN, type Reading, sequenceNow, type WrongConnector, withRead } from './wrong-connector.ts';

/** Returns the connector with a change to each page and to the completion. */
function withPages(
  change: (page: Page, index: number) => Page,
  end: (completion: Completion, request: ReadRequest) => Completion = (completion) => completion,
) {
  return withRead(async function* (source, request) {
    for (let index = 0; ; index++) {
      const next = await source.next();
      if (next.done) return end(next.value, request);
      yield change(next.value, index);
    }
  });
}

function withRecords(change: (record: ConnectorRecord) => unknown) {
  return withPages((page) => ({
    ...page,
    records: page.records.map((record) => ({ ...record, ...(change(record) as object) })),
  }));
}

async function* endless(source: Reading, isEmpty: boolean): Reading {
  const first = await source.next();
  if (first.done) return first.value;
  for (;;) yield isEmpty ? { ...first.value, records: [] } : first.value;
}

/** Faulty connectors with wrong pages, cursors or checkpoints. */
export const WRONG_PAGES: readonly WrongConnector[] = [
  {
    mistake: 'repeats a record on the next page',
    make: withRead(async function* (source) {
      let last: ConnectorRecord[] = [];
      for (;;) {
        const next = await source.next();
        if (next.done) return next.value;
        yield { ...next.value, records: [...last, ...next.value.records] };
        last = next.value.records.slice(-1);
      }
    }),
    caughtByTests: [FULL_RUN],
  },
  { mistake: 'never ends', make: withRead((source) => endless(source, false)), caughtByTests: [FULL_RUN] },
  {
    mistake: 'never ends and returns only empty pages',
    make: withRead((source) => endless(source, true)),
    caughtByTests: [FULL_RUN],
  },
  {
    mistake: 'returns the oldest records first',
    make: withPages((page) => ({ ...page, records: [...page.records].reverse() })),
    caughtByTests: [FULL_RUN],
  },
  {
    mistake: 'returns all records in one page',
    make: withRead(async function* (source) {
      const records: ConnectorRecord[] = [];
      const removed: string[] = [];
      let last: Page | undefined;
      for (;;) {
        const next = await source.next();
        if (next.done) {
          if (last) yield { ...last, records, removed };
          return next.value;
        }
        last = next.value;
        records.push(...last.records);
        removed.push(...(last.removed ?? []));
      }
    }),
    caughtByTests: ['resumes an incremental run from every checkpoint'],
  },
  {
    mistake: 'takes its cursor after the listing instead of before',
    make: withRead(async function* (source, request) {
      for (;;) {
        const next = await source.next();
        if (next.done) return { ...next.value, cursor: await sequenceNow(request) };
        yield next.value;
      }
    }),
    caughtByTests: ['reads changes made during a full run'],
  },
  {
    mistake: 'takes the cursor of an incremental run after reading the changes',
    make: withRead(async function* (source, request) {
      for (;;) {
        const next = await source.next();
        if (!next.done) yield next.value;
        else if (request.cursor === null) return next.value;
        else return { ...next.value, cursor: await sequenceNow(request) };
      }
    }),
    caughtByTests: ['reads changes made during an incremental run'],
  },
  {
    mistake: 'returns the cursor that it received',
    make: withPages(
      (page) => page,
      (completion, { cursor }) => (cursor === null ? completion : { ...completion, cursor }),
    ),
    caughtByTests: ['returns another cursor after a change, or does not need one'],
  },
  {
    mistake: 'loses deletions',
    make: withPages((page) => ({ ...page, removed: [] })),
    caughtByTests: ['reads inserted, updated and deleted records'],
  },
  {
    mistake: 'returns no cursor after an incremental run',
    make: withPages(
      (page) => page,
      (completion, { cursor }) => (cursor === null ? completion : { ...completion, cursor: null }),
    ),
    caughtByTests: ['reads inserted, updated and deleted records'],
  },
  {
    mistake: 'reports the number of records of a page as the total',
    make: withPages((page) => ({ ...page, total: page.records.length })),
    caughtByTests: [FULL_RUN],
  },
  {
    mistake: 'reports another total on later pages',
    make: withPages((page, index) => ({ ...page, ...(index > 0 ? { total: page.records.length } : {}) })),
    caughtByTests: ['reports the right total on every page that has one'],
  },
  {
    mistake: 'reports the number of changes as the total',
    make: withRead(async function* (source, { cursor }) {
      for (;;) {
        const next = await source.next();
        if (next.done) return next.value;
        yield cursor === null ? next.value : { ...next.value, total: next.value.records.length };
      }
    }),
    caughtByTests: ['reports the right total on every page of an incremental run'],
  },
  {
    mistake: 'never reports that a limit left records out',
    make: withPages(
      (page) => page,
      (completion) => ({ ...completion, truncated: false }),
    ),
    caughtByTests: ['keeps the newest records at a limit'],
  },
  {
    mistake: 'returns numbers as ids',
    make: withRecords(({ id }) => ({ id: Number(id.slice(5)) })),
    caughtByTests: [FULL_RUN],
  },
  {
    mistake: 'returns an empty id for a record without a title',
    make: withRecords(({ id, columns }) => ({ id: columns.title === '' ? '' : id })),
    caughtByTests: ['reads a malformed record: no-title'],
  },
  {
    mistake: 'returns invalid dates',
    make: withRecords(() => ({ occurredAt: new Date('soon') })),
    caughtByTests: [FULL_RUN],
  },
  {
    mistake: 'returns strings as dates',
    make: withRecords(({ occurredAt }) => ({ occurredAt: occurredAt.toISOString() })),
    caughtByTests: [FULL_RUN],
  },
  {
    mistake: 'returns dates that the database cannot store',
    make: withRecords(({ occurredAt }) => ({ occurredAt: new Date(occurredAt.getTime() + 3e14) })),
    caughtByTests: [FULL_RUN],
  },
  {
    mistake: 'returns strings as documents',
    make: withRecords(({ id }) => ({ data: id })),
    caughtByTests: [FULL_RUN],
  },
  {
    mistake: 'returns documents with values that JSON cannot hold',
    make: withRecords(({ data, occurredAt }) => ({ data: { ...(data as object), occurredAt } })),
    caughtByTests: [FULL_RUN],
  },
  {
    mistake: 'returns documents with other ids than their records',
    make: withRecords(({ data }) => ({ data: { ...(data as object), id: 'note' } })),
    caughtByTests: [FULL_RUN],
  },
  {
    mistake: 'returns texts with characters that cannot be stored',
    make: withRecords(({ data, columns }) => ({
      columns: { ...columns, title: (data as { title: string }).title },
    })),
    caughtByTests: ['reads a malformed record: half-a-pair'],
  },
  {
    mistake: 'puts a whole document into a column',
    make: withRecords(({ data, columns }) => ({
      columns: { ...columns, title: JSON.stringify(data).padEnd(20_000) },
    })),
    caughtByTests: [FULL_RUN],
  },
  {
    mistake: 'returns columns that its table does not have',
    make: withRecords(({ data, columns }) => ({
      columns: { ...columns, size: JSON.stringify(data).length },
    })),
    caughtByTests: [FULL_RUN],
  },
  {
    mistake: 'returns a column of another type than it declares',
    make: withRecords(({ columns }) => ({ columns: { ...columns, number: String(columns.number) } })),
    caughtByTests: [FULL_RUN],
  },
  {
    mistake: 'returns a column that differs from the field it copies',
    make: withRecords(({ columns }) => ({ columns: { ...columns, title: `${columns.title}.` } })),
    caughtByTests: [FULL_RUN],
  },
  {
    mistake: 'returns a checkpoint that JSON cannot hold',
    make: withPages((page) => ({ ...page, checkpoint: new Map([['before', 1]]) as unknown as Json })),
    caughtByTests: ['resumes from every checkpoint'],
  },
  {
    mistake: 'returns no checkpoint',
    make: withPages((page) => ({ ...page, checkpoint: null })),
    caughtByTests: ['resumes from every checkpoint'],
  },
  {
    mistake: 'subtracts the earlier records from the limit of a resume',
    make: withRead(async function* (source, { checkpoint, limit }) {
      for (let left = checkpoint === null ? limit : limit - 20; ; ) {
        const next = await source.next();
        if (next.done) return next.value;
        const records = next.value.records.slice(0, Math.max(0, left));
        left -= records.length;
        yield { ...next.value, records };
      }
    }),
    caughtByTests: ['applies the limit across a resume'],
  },
];
