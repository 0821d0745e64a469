import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/pool.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { isRecordOf, tableOf, textArray } from '../sync/index.ts';
import { type Found, keyOf, type SearchScope } from './candidates.ts';
import { searchedEntities } from './triggers.ts';

/** Length of the text from which an excerpt is cut, UTF-16 units. */
const EXCERPT_SOURCE = 20_000;
/** Largest number of labels of a user whose names are known to the search. */
const MAX_LABELS = 5000;

/** Title and body of a record. */
export interface RecordTexts {
  title: string;
  excerpt: string;
}

/** Loads the texts of found records, in their order; records that were deleted at the same moment have none. */
export async function loadTexts(
  db: Queryable,
  registry: ConnectorRegistry,
  { userId, found }: { userId: string; found: readonly Found[] },
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
    const { rows } = await db.execute<{ id: string; title: string | null; excerpt: string | null }>(sql`
      select r.id, r.${sql.identifier(entity.table.title)} as title, left(${sql.raw(entity.search.excerpt)}, ${EXCERPT_SOURCE}) as excerpt
      from ${tableOf(source)} r cross join lateral json_to_record(r.data) as d(${sql.raw(entity.search.document)})
      where ${isRecordOf(source)} and r.id = any(${textArray(records.map(({ id }) => id))})`);
    for (const { id, title, excerpt } of rows)
      texts.set(keyOf({ connection_id: connectionId, entity: entityId, id }), {
        title: title ?? '',
        excerpt: excerpt ?? '',
      });
  }
  return found.map((one) => texts.get(keyOf(one)));
}

/** Ids and names of labels whose records are synchronised, e.g. `Label_12` and `Receipts`. */
export class LabelNames {
  readonly #idsByName = new Map<string, string[]>();
  readonly #names = new Map<string, string>();

  constructor(labels: readonly { id: string; name: string }[]) {
    for (const { id, name } of labels) {
      const key = name.toLowerCase();
      this.#idsByName.set(key, [...(this.#idsByName.get(key) ?? []), id]);
      this.#names.set(id, name);
    }
  }

  /** Returns the ids of the labels with a name in any case. */
  idsOf(name: string): readonly string[] {
    return this.#idsByName.get(name.toLowerCase()) ?? [];
  }

  /** Returns the name of a label, or the id when no label has it. */
  nameOf(id: string): string {
    return this.#names.get(id) ?? id;
  }
}

/** Reads the labels that searched entities refer to, from the entities on which they depend. */
export async function readLabelNames(
  db: Queryable,
  registry: ConnectorRegistry,
  { userId, connectionIds }: SearchScope,
): Promise<LabelNames> {
  const entities = registry.all().flatMap((connector) => connector.entities);
  const depended = new Set(
    searchedEntities(entities).flatMap(({ dependsOn }) => dependsOn.map(({ entity }) => entity)),
  );
  const selects = entities
    .filter(({ id }) => depended.has(id))
    .map(
      ({ id, table }): SQL => sql`
        select id, ${sql.identifier(table.title)} as name from ${tableOf({ entity: id })}
        where user_id = ${userId} and connection_id = any(${textArray([...connectionIds])}::uuid[])`,
    );
  if (selects.length === 0) return new LabelNames([]);
  const { rows } = await db.execute<{ id: string; name: string | null }>(
    sql`select id, name from (${sql.join(selects, sql` union all `)}) labels limit ${MAX_LABELS}`,
  );
  return new LabelNames(rows.flatMap(({ id, name }) => (name === null ? [] : [{ id, name }])));
}
