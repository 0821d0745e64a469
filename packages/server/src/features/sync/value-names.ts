import type { EntityDefinition } from '@datadeck/connectors';
import type { UserEntity } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { isRecordOf, type RecordSource, tableOf } from '../records/index.ts';

/** Largest number of names of a setting: Gmail allows 10,000 labels, which no form can offer. */
const MAX_NAMES = 1000;
type ValueNames = NonNullable<UserEntity['valueNames']>;

/** Reads the names of records whose ids the settings of an entity hold; undefined without such records. */
export async function readValueNames(
  db: Queryable,
  registry: ConnectorRegistry,
  { entity, ...source }: Omit<RecordSource, 'entity'> & { entity: EntityDefinition },
): Promise<ValueNames | undefined> {
  const names: ValueNames = {};
  for (const [propKey, id] of Object.entries(entity.idLists ?? {})) {
    const definition = registry.providerOf(id).entities.find((one) => one.id === id);
    if (!definition) continue;
    const title = sql`r.${sql.identifier(definition.table.title)}`;
    const { rows } = await db.execute<{ id: string; name: string }>(sql`
      select r.id, ${title} as name from ${tableOf({ entity: id })} r
      where ${isRecordOf({ ...source, entity: id })} and ${title} is not null
      order by lower(${title}), r.id limit ${MAX_NAMES}`);
    if (rows.length > 0) names[propKey] = rows;
  }
  return Object.keys(names).length > 0 ? names : undefined;
}
