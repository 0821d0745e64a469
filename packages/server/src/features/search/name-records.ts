import type { NamedRecord } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { connectionIdsOf, type RecordSet, textArray } from '../records/index.ts';
import type { FoundRecord } from './candidates.ts';
import { loadRecordTexts } from './record-texts.ts';

/** Longest title, person or place, UTF-16 units. */
const MAX_NAME = 150;

function cut(text: string): string {
  return text.length <= MAX_NAME ? text : `${text.slice(0, MAX_NAME - 1).toWellFormed()}…`;
}

/** Reads how people call records of a set, by id. Records that no search finds have no name. */
export async function nameRecords(
  db: Queryable,
  registry: ConnectorRegistry,
  set: RecordSet,
  ids: readonly string[],
): Promise<Map<string, NamedRecord>> {
  if (ids.length === 0) return new Map();
  const { userId, entity, accounts } = set;
  const { rows: found } = await db.execute<FoundRecord>(sql`
    select distinct on (id) connection_id, entity, id, occurred_at, person, labels from search_entries
    where user_id = ${userId} and connection_id = any(${connectionIdsOf(set)}) and entity = ${entity}
      and id = any(${textArray(ids)}) order by id, occurred_at desc, connection_id`);
  const texts = await loadRecordTexts(db, registry, { userId, found });
  const names = new Map<string, NamedRecord>();
  for (const [index, one] of found.entries()) {
    const text = texts[index];
    const account = accounts.find(({ connectionId }) => connectionId === one.connection_id);
    if (!text || !account) continue;
    const { mail, pull } = text.details;
    names.set(one.id, {
      title: cut(text.title),
      person: cut(mail?.sender || one.person),
      place: cut(pull?.reference ?? ''),
      account: account.account,
    });
  }
  return names;
}
