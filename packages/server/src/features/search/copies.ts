import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { isNewestCopy, openRecords, type RecordSet, recordSetOf, tableOf } from '../records/index.ts';
import { searchedEntities } from './entry.ts';
import type { SearchScope } from './scope.ts';

/** Records that several accounts of a search have. Only the newest copy of each is found. */
export interface SearchedCopies {
  /** The searched entities with such records. */
  sets: readonly RecordSet[];
  /** Largest number of copies of a record. */
  most: number;
}

/** Finds the entities of which several accounts of a search have the same records. */
export async function openCopies(
  db: Queryable,
  registry: ConnectorRegistry,
  scope: SearchScope,
): Promise<SearchedCopies> {
  const sets: RecordSet[] = [];
  for (const connector of registry.all()) {
    const accounts = scope.accounts.filter(({ provider }) => provider === connector.key);
    if (accounts.length < 2) continue;
    for (const entity of searchedEntities(connector.entities)) {
      const shown = recordSetOf(scope.userId, entity, accounts);
      if (!shown.mayHaveCopies || (scope.entity !== undefined && scope.entity !== entity.id)) continue;
      const { set } = await openRecords(db, shown, { entity });
      if (set.mayHaveCopies) sets.push(set);
    }
  }
  return { sets, most: Math.max(1, ...sets.map(({ accounts }) => accounts.length)) };
}

/** Returns the condition that the row `e` of the index is of the newest copy of its record; undefined if all are. */
export function isOfNewestCopy({ sets }: SearchedCopies): SQL | undefined {
  if (sets.length === 0) return undefined;
  const tests = sets.map(
    (set) => sql`(e.entity <> ${set.entity} or exists (
      select from ${tableOf(set)} r where r.user_id = ${set.userId} and r.connection_id = e.connection_id and r.id = e.id
        and ${isNewestCopy(set)}))`,
  );
  return sql.join(tests, sql` and `);
}
