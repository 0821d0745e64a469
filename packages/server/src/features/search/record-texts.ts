import { textOfMarkdown } from '@datadeck/connectors';
import { type ResultDetails, resultDetailsSchema } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { isRecordOf, tableOf, textArray } from '../records/index.ts';
import { keyOf, type RecordKey } from './candidates.ts';
import { searchedEntities } from './entry.ts';

/** Length of the text from which an excerpt is cut, UTF-16 units. */
const BODY_LENGTH = 20_000;

/** The title of a record and the start of its body, from which an excerpt is cut. */
export interface RecordTexts {
  title: string;
  body: string;
  details: ResultDetails;
}

interface StoredTexts extends Record<string, unknown> {
  id: string;
  title: string | null;
  body: string | null;
  details: unknown;
}

/** The records whose texts are read. */
interface LoadedRecords {
  userId: string;
  found: readonly RecordKey[];
  /** Length of the body, characters. */
  length?: number;
}

/**
 * Reads the stored texts of found records, in the order of `found`; undefined for a record that was deleted since it was
 * found.
 */
export async function loadRecordTexts(
  db: Queryable,
  registry: ConnectorRegistry,
  { userId, found, length = BODY_LENGTH }: LoadedRecords,
): Promise<(RecordTexts | undefined)[]> {
  const texts = new Map<string, RecordTexts>();
  const sources = Map.groupBy(found, ({ connection_id, entity }) => `${connection_id} ${entity}`);
  for (const [key, records] of sources) {
    const [connectionId = '', entityId = ''] = key.split(' ');
    const [entity] = searchedEntities(
      registry.providerOf(entityId).entities.filter(({ id }) => id === entityId),
    );
    if (!entity) continue;
    const source = { userId, connectionId, entity: entityId };
    const { excerpt, details = 'null::json', isMarkdown } = entity.search;
    const { rows } = await db.execute<StoredTexts>(sql`
      select r.id, r.${sql.identifier(entity.table.title)} as title, left(${sql.raw(excerpt)}, ${length}) as body,
        ${sql.raw(details)} as details
      from ${tableOf(source)} r cross join lateral json_to_record(r.data) as d(${sql.raw(entity.search.document)})
      where ${isRecordOf(source)} and r.id = any(${textArray(records.map(({ id }) => id))})`);
    for (const { id, title, body, details } of rows)
      texts.set(keyOf({ connection_id: connectionId, entity: entityId, id }), {
        title: title ?? '',
        body: isMarkdown ? textOfMarkdown(body ?? '') : (body ?? ''),
        details: resultDetailsSchema.safeParse(details).data ?? {},
      });
  }
  return found.map((one) => texts.get(keyOf(one)));
}
