import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { tableOf } from './record-table.ts';
import { textArray } from './text-array.ts';

/** Largest number of labels of a user whose names are known to the search. */
const MAX_LABELS = 5000;

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

  /** Ids of all labels. */
  get ids(): string[] {
    return [...this.#names.keys()];
  }

  /** Names of all labels, in the order of `ids`. */
  get names(): string[] {
    return [...this.#names.values()];
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
        select id, ${sql.identifier(table.title)} as name from ${tableOf({ entity: id })}
        where user_id = ${userId} and connection_id = any(${textArray([...connectionIds])}::uuid[])`,
    );
  if (selects.length === 0) return new LabelNames([]);
  const { rows } = await db.execute<{ id: string; name: string | null }>(
    sql`select id, name from (${sql.join(selects, sql` union all `)}) labels limit ${MAX_LABELS}`,
  );
  return new LabelNames(rows.flatMap(({ id, name }) => (name === null ? [] : [{ id, name }])));
}
