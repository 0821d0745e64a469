import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { tableOf } from './record-table.ts';
import { textArray } from './text-array.ts';

/** Largest number of labels of a user whose names are known to the search. */
const MAX_LABELS = 5000;

interface StoredLabel {
  connectionId: string;
  id: string;
  name: string;
}

/** Ids and names of labels whose records are synchronised, e.g. `Label_12` and `Receipts`. Ids are per account. */
export class LabelNames {
  /** All labels with their accounts. */
  readonly all: readonly StoredLabel[];
  readonly #byName = new Map<string, StoredLabel[]>();
  readonly #names = new Map<string, string>();

  constructor(labels: readonly StoredLabel[]) {
    this.all = labels;
    for (const label of labels) {
      const { connectionId, id, name } = label;
      const key = name.toLowerCase();
      this.#byName.set(key, [...(this.#byName.get(key) ?? []), label]);
      this.#names.set(`${connectionId} ${id}`, name);
    }
  }

  /** Returns the labels with a name in any case, by account. */
  idsOf(name: string): readonly { connectionId: string; ids: readonly string[] }[] {
    const found = this.#byName.get(name.toLowerCase()) ?? [];
    return [...Map.groupBy(found, ({ connectionId }) => connectionId)].map(([connectionId, labels]) => ({
      connectionId,
      ids: labels.map(({ id }) => id),
    }));
  }

  /** Returns the name of a label of an account, or the id when no label has it. */
  nameOf(connectionId: string, id: string): string {
    return this.#names.get(`${connectionId} ${id}`) ?? id;
  }
}

/** Reads the labels that searched entities refer to, from the entities on which they depend. */
export async function readLabelNames(
  db: Queryable,
  registry: ConnectorRegistry,
  { userId, connectionIds }: { userId: string; connectionIds: readonly string[] },
): Promise<LabelNames> {
  const entities = registry.all().flatMap((connector) => connector.entities);
  const depended = new Set(
    entities.filter(({ search }) => search).flatMap(({ dependsOn }) => dependsOn.map(({ entity }) => entity)),
  );
  const selects = entities
    .filter(({ id }) => depended.has(id))
    .map(
      ({ id, table }): SQL => sql`
        select connection_id, id, ${sql.identifier(table.title)} as name from ${tableOf({ entity: id })}
        where user_id = ${userId} and connection_id = any(${textArray([...connectionIds])}::uuid[])`,
    );
  if (selects.length === 0) return new LabelNames([]);
  const { rows } = await db.execute<{ connection_id: string; id: string; name: string | null }>(
    sql`select connection_id, id, name from (${sql.join(selects, sql` union all `)}) labels limit ${MAX_LABELS}`,
  );
  return new LabelNames(
    rows.flatMap(({ connection_id: connectionId, id, name }) =>
      name === null ? [] : [{ connectionId, id, name }],
    ),
  );
}
