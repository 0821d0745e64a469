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
    does: 'repeats a record on the next page',
    make: withRead(async function* (source) {
      let last: ConnectorRecord[] = [];
      for (;;) {
        const next = await source.next();
        if (next.done) return next.value;
        yield { ...next.value, records: [...last, ...next.value.records] };
        last = next.value.records.slice(-1);
      }
    }),
    caughtBy: [FULL_RUN],
  },
  { does: 'never ends', make: withRead((source) => endless(source, false)), caughtBy: [FULL_RUN] },
  {
    does: 'never ends, and brings nothing',
    make: withRead((source) => endless(source, true)),
    caughtBy: [FULL_RUN],
  },
  {
    does: 'brings the oldest first',
    make: withPages((page) => ({ ...page, records: [...page.records].reverse() })),
    caughtBy: [FULL_RUN],
  },
  {
    does: 'brings all in one page',
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
    caughtBy: ['from every checkpoint another process brings the rest'],
  },
  {
    does: 'takes its cursor when the listing has ended',
    make: withRead(async function* (source, request) {
      for (;;) {
        const next = await source.next();
        if (next.done) return { ...next.value, cursor: await sequenceNow(request) };
        yield next.value;
      }
    }),
    caughtBy: ['what changes during a full run is brought by the next one'],
  },
  {
    does: 'takes the cursor of its changes when they have been read',
    make: withRead(async function* (source, request) {
      for (;;) {
        const next = await source.next();
        if (!next.done) yield next.value;
        else if (request.cursor === null) return next.value;
        else return { ...next.value, cursor: await sequenceNow(request) };
      }
    }),
    caughtBy: ['what changes during an incremental run is brought by the next one'],
  },
  {
    does: 'returns the cursor that it was given',
    make: withPages(
      (page) => page,
      (completion, { cursor }) => (cursor === null ? completion : { ...completion, cursor }),
    ),
    caughtBy: ['the cursor of an incremental run goes on'],
  },
  {
    does: 'loses deletions',
    make: withPages((page) => ({ ...page, removed: [] })),
    caughtBy: ['brings what was inserted, updated and deleted'],
  },
  {
    does: 'has no cursor after an incremental run',
    make: withPages(
      (page) => page,
      (completion, { cursor }) => (cursor === null ? completion : { ...completion, cursor: null }),
    ),
    caughtBy: ['brings what was inserted, updated and deleted'],
  },
  {
    does: 'tells how many it has brought as the total',
    make: withPages((page) => ({ ...page, total: page.records.length })),
    caughtBy: [FULL_RUN],
  },
  {
    does: 'tells another total on the later pages',
    make: withPages((page, index) => ({ ...page, ...(index > 0 ? { total: page.records.length } : {}) })),
    caughtBy: ['every page that tells a total tells the right one'],
  },
  {
    does: 'tells the changes as the total',
    make: withRead(async function* (source, { cursor }) {
      for (;;) {
        const next = await source.next();
        if (next.done) return next.value;
        yield cursor === null ? next.value : { ...next.value, total: next.value.records.length };
      }
    }),
    caughtBy: ['every page of an incremental run that tells a total tells the right one'],
  },
  {
    does: 'says that nothing was left out',
    make: withPages(
      (page) => page,
      (completion) => ({ ...completion, truncated: false }),
    ),
    caughtBy: ['the limit keeps the newest and says whether it left any out'],
  },
  {
    does: 'gives ids that are numbers',
    make: withRecords(({ id }) => ({ id: Number(id.slice(5)) })),
    caughtBy: [FULL_RUN],
  },
  {
    does: 'gives an empty id to a record that has no title',
    make: withRecords(({ id, columns }) => ({ id: columns.title === '' ? '' : id })),
    caughtBy: ['odd record: no-title'],
  },
  {
    does: 'gives dates that are none',
    make: withRecords(() => ({ occurredAt: new Date('soon') })),
    caughtBy: [FULL_RUN],
  },
  {
    does: 'gives dates as texts',
    make: withRecords(({ occurredAt }) => ({ occurredAt: occurredAt.toISOString() })),
    caughtBy: [FULL_RUN],
  },
  {
    does: 'gives dates that no database takes',
    make: withRecords(({ occurredAt }) => ({ occurredAt: new Date(occurredAt.getTime() + 3e14) })),
    caughtBy: [FULL_RUN],
  },
  {
    does: 'gives documents that are none',
    make: withRecords(({ id }) => ({ data: id })),
    caughtBy: [FULL_RUN],
  },
  {
    does: 'gives documents with values that JSON does not know',
    make: withRecords(({ data, occurredAt }) => ({ data: { ...(data as object), occurredAt } })),
    caughtBy: [FULL_RUN],
  },
  {
    does: 'calls its records otherwise than their documents do',
    make: withRecords(({ data }) => ({ data: { ...(data as object), id: 'note' } })),
    caughtBy: [FULL_RUN],
  },
  {
    does: 'hands over texts as they came',
    make: withRecords(({ data, columns }) => ({
      columns: { ...columns, title: (data as { title: string }).title },
    })),
    caughtBy: ['odd record: half-a-pair'],
  },
  {
    does: 'puts the whole document into a column',
    make: withRecords(({ data, columns }) => ({
      columns: { ...columns, title: JSON.stringify(data).padEnd(20_000) },
    })),
    caughtBy: [FULL_RUN],
  },
  {
    does: 'gives columns that its table does not have',
    make: withRecords(({ data, columns }) => ({
      columns: { ...columns, size: JSON.stringify(data).length },
    })),
    caughtBy: [FULL_RUN],
  },
  {
    does: 'gives a column another type than it declares',
    make: withRecords(({ columns }) => ({ columns: { ...columns, number: String(columns.number) } })),
    caughtBy: [FULL_RUN],
  },
  {
    does: 'gives a column another value than the field that it copies',
    make: withRecords(({ columns }) => ({ columns: { ...columns, title: `${columns.title}.` } })),
    caughtBy: [FULL_RUN],
  },
  {
    does: 'leaves a checkpoint that JSON does not hold',
    make: withPages((page) => ({ ...page, checkpoint: new Map([['before', 1]]) as unknown as Json })),
    caughtBy: ['from every checkpoint another process brings the rest'],
  },
  {
    does: 'begins anew at each checkpoint',
    make: withPages((page) => ({ ...page, checkpoint: null })),
    caughtBy: ['from every checkpoint another process brings the rest'],
  },
  {
    does: 'remembers the limit of the whole run',
    make: withRead(async function* (source, { checkpoint, limit }) {
      for (let left = checkpoint === null ? limit : limit - 20; ; ) {
        const next = await source.next();
        if (next.done) return next.value;
        const records = next.value.records.slice(0, Math.max(0, left));
        left -= records.length;
        yield { ...next.value, records };
      }
    }),
    caughtBy: ['a limit goes on over a resume'],
  },
];
