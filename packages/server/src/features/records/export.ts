import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import type { ExportFormat } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { currentFairQueue } from '../../platform/fair-queue.ts';
import { jsonArray, writeFile } from '../../platform/files/index.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { openRecords } from './open-records.ts';
import { documentOf, findRecordSet, isRecordIn, type RecordSet } from './record-set.ts';
import { tableOf } from './record-table.ts';

/** Records of one read, and the length of their documents after which no further one is read; characters. */
const READ = { records: 200, length: 4_000_000 } as const;

type StoredDocument = { id: string; document: string };

/** Reads the documents of an account with the ids after `after`, in the order of their ids. */
async function readNext(
  db: Queryable,
  set: RecordSet,
  { connectionId, after }: { connectionId: string; after: string },
) {
  const { rows } = await db.execute<StoredDocument>(sql`
    select id, document from (
      select id, document, sum(length(document)) over (order by id) - length(document) as before from (
        select r.id, ${documentOf(set)} as document from ${tableOf(set)} r
        where r.connection_id = ${connectionId} and ${isRecordIn(set)} and r.id > ${after} order by r.id limit ${READ.records}
      ) next
    ) measured where before < ${READ.length} order by id`);
  return rows;
}

/** Yields the documents of a set as NDJSON, account by account, in pieces of one read. Line breaks can only lie between values in JSON. */
async function* documentsOf(
  db: Queryable,
  set: RecordSet,
  inFairQueue: ReturnType<typeof AsyncLocalStorage.snapshot>,
): AsyncGenerator<string> {
  for (const { connectionId } of set.accounts)
    for (let after: string | undefined = ''; after !== undefined; ) {
      const rows: StoredDocument[] = await inFairQueue(readNext, db, set, { connectionId, after });
      if (rows.length > 0)
        yield rows.map(({ document }) => `${document.replaceAll(/[\r\n]+/g, ' ')}\n`).join('');
      after = rows.at(-1)?.id;
    }
}

/**
 * Returns all stored records of an entity as a stream: each read is a statement of its own, and follows when the one
 * before was sent. Tables and mails are written by a thread. The caller must read or destroy the stream.
 * @throws AppError not-found, unavailable, validation-failed for mbox of other records than mails, rate-limited
 */
export async function exportRecords(
  context: Context,
  registry: ConnectorRegistry,
  request: {
    userId: string;
    providerId: string;
    entityLabel: string;
    account?: string | undefined;
    format: ExportFormat | 'exact-csv';
  },
): Promise<Readable> {
  const { userId, providerId, entityLabel, account, format } = request;
  const entity = registry.entity(providerId, entityLabel);
  if (format === 'mbox' && !entity.isMail)
    throw new AppError('validation-failed', 'Only mails can be exported as mbox. Choose another format.');
  const found = await findRecordSet(context.db, registry, { userId, entity: entity.id, account });
  const set = found && (await openRecords(context.db, found, { entity })).set;
  // A stream reads in the context of its reader: keep the fair queue of the user.
  const inFairQueue = AsyncLocalStorage.snapshot();
  const open = () =>
    Readable.from(set ? documentsOf(context.db, set, inFairQueue) : [], { highWaterMark: 1 });
  if (format === 'ndjson') return open();
  if (format === 'json') return jsonArray(open());
  const preferred = entity.templates.find(({ kind }) => kind === 'documents')?.columns ?? [];
  return writeFile(format, open, currentFairQueue(), { preferred });
}
