import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import type { ExportFormat } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { isRecordOf, type RecordSource, requirePrepared, tableOf } from '../sync/index.ts';
import { sourceOf } from './catalogue.ts';

/** Records of one read, and the length of their documents after which no further one is read; characters. */
const READ = { records: 200, length: 4_000_000 } as const;

/** Reads the documents with the ids after `after`, in the order of their ids. */
async function readNext(db: Queryable, source: RecordSource, after: string) {
  const { rows } = await db.execute<{ id: string; document: string }>(sql`
    select id, document from (
      select id, document, sum(length(document)) over (order by id) - length(document) as before from (
        select r.id, r.data::text as document from ${tableOf(source)} r
        where ${isRecordOf(source)} and r.id > ${after} order by r.id limit ${READ.records}
      ) next
    ) measured where before < ${READ.length} order by id`);
  return rows;
}

/** Yields the documents of a source as text, in pieces of one read. Line breaks can only lie between values in JSON. */
async function* documentsOf(db: Queryable, source: RecordSource): AsyncGenerator<string[]> {
  // A stream reads in the context of its reader: keep the share of the user.
  const inShare = AsyncLocalStorage.snapshot();
  for (let after = ''; ; ) {
    const rows = await inShare(readNext, db, source, after);
    if (rows.length === 0) return;
    yield rows.map(({ document }) => document.replaceAll(/[\r\n]+/g, ' '));
    after = rows.at(-1)?.id ?? '';
  }
}

/** Yields a JSON array, or one document a line. */
async function* textOf(documents: AsyncIterable<string[]>, format: ExportFormat): AsyncGenerator<string> {
  if (format === 'ndjson') {
    for await (const lines of documents) yield `${lines.join('\n')}\n`;
    return;
  }
  let separator = '[\n';
  for await (const lines of documents) {
    yield separator + lines.join(',\n');
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

/**
 * Returns all stored records of an entity as a stream of text: each read is a statement of its own,
 * and follows when the one before was sent. The caller must read or destroy it.
 * @throws AppError not-found, unavailable
 */
export async function exportRecords(
  context: Context,
  registry: ConnectorRegistry,
  request: { userId: string; providerId: string; entityLabel: string; format: ExportFormat },
): Promise<Readable> {
  const { userId, providerId, entityLabel, format } = request;
  const entity = registry.entity(providerId, entityLabel);
  const source = await sourceOf(context, registry, { userId, entity: entity.id });
  if (!source) return Readable.from(textOf((async function* () {})(), format));
  await requirePrepared(context.db, source, { entity });
  return Readable.from(textOf(documentsOf(context.db, source), format), { highWaterMark: 1 });
}
