import type { TemplateDefinition } from '@datadeck/connectors';
import type { Queryable } from '../../platform/db/database.ts';
import { dataVersion, type RecordSet } from '../records/index.ts';

/** Returns the further entities whose tables a template reads. */
export function othersOf(template: TemplateDefinition): readonly string[] {
  return template.kind === 'rows' && template.alsoReads !== undefined ? [template.alsoReads] : [];
}

/** Returns the entities whose tables a template reads, its own first. */
export function sourcesOf(entity: string, template: TemplateDefinition): readonly string[] {
  return [entity, ...othersOf(template)];
}

/** Returns the data version of a template's rows: that of its source plus those of the other entities that it reads. */
export async function rowsVersion(
  db: Queryable,
  { userId, accounts }: RecordSet,
  { template, version }: { template: TemplateDefinition; version: number },
): Promise<number> {
  let sum = version;
  for (const entity of othersOf(template))
    for (const { connectionId } of accounts)
      sum += (await dataVersion(db, { userId, connectionId, entity })).version;
  return sum;
}
