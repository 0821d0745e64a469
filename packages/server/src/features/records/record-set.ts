import { hash } from 'node:crypto';
import type { EntityDefinition } from '@datadeck/connectors';
import { type SQL, sql } from 'drizzle-orm';
import { AppError } from '../../platform/app-error.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { type ConnectorRegistry, listShownConnections, requireAccount } from '../connections/index.ts';
import { tableOf } from './record-table.ts';
import { textArray } from './text-array.ts';

/*
 * What is read of an entity are the records of all shown accounts of a user. An id may mean the same record in each account
 * (`globalIds`): its newest copy is then shown. A run writes to one account, a `RecordSource`.
 */

/** An account whose records are read. */
export interface ShownAccount {
  connectionId: string;
  /** The name that its records show. */
  account: string;
}

/** The records of an entity in the shown accounts of a user, or in one of them. Every statement binds all ids. */
export interface RecordSet {
  userId: string;
  entity: string;
  /** At least one, in the order in which they were first connected. */
  accounts: readonly ShownAccount[];
  /** The entity's declaration: an id means the same record in each account. */
  globalIds: EntityDefinition['globalIds'];
  /** False if no record is stored in several of the accounts (`openRecords`). */
  mayHaveCopies: boolean;
  /** Identifies the accounts with their names: equal keys and data versions mean equal rows. */
  key: string;
}

/** Creates the set of an entity's records in some accounts. */
export function recordSetOf(
  userId: string,
  entity: Pick<EntityDefinition, 'id' | 'globalIds'>,
  accounts: readonly ShownAccount[],
): RecordSet {
  const { id, globalIds } = entity;
  const names = JSON.stringify(accounts.map(({ connectionId, account }) => [connectionId, account]));
  const mayHaveCopies = globalIds !== undefined && accounts.length > 1;
  return { userId, entity: id, accounts, globalIds, mayHaveCopies, key: hash('sha256', names, 'base64url') };
}

/**
 * Finds the records of an entity of a user; undefined before the provider was first connected.
 * @param request.account the name of one account; absent or empty for all
 * @throws AppError not-found for an unknown entity; validation-failed for an account whose records are not shown
 */
export async function findRecordSet(
  db: Queryable,
  registry: ConnectorRegistry,
  request: { userId: string; entity: string; account?: string | undefined },
): Promise<RecordSet | undefined> {
  const { userId, entity: id, account = '' } = request;
  const connector = registry.providerOf(id);
  const found = await listShownConnections(db, userId, { provider: connector.key, account });
  if (found.length === 0 && account !== '') {
    await requireAccount(db, userId, connector, account);
    const message = `${account} is disconnected, and its records are hidden. Reconnect it under Providers to see them.`;
    throw new AppError('validation-failed', message, { fields: { account: message } });
  }
  if (found.length === 0) return undefined;
  const accounts = found.map((one) => ({ connectionId: one.id, account: one.account }));
  return recordSetOf(userId, registry.entity(connector.key, id), accounts);
}

/** Returns the same accounts' records of another entity, whose ids are per account. */
export function sameAccounts(set: RecordSet, entity: string): RecordSet {
  return { ...set, entity, globalIds: undefined, mayHaveCopies: false };
}

/** Returns the ids of the accounts as an SQL array. */
export function connectionIdsOf({ accounts }: Pick<RecordSet, 'accounts'>): SQL {
  return sql`${textArray(accounts.map(({ connectionId }) => connectionId))}::uuid[]`;
}

/** Returns the condition that a row of the entity's table is in one of the accounts. @param alias of the table */
function isInAccounts(set: RecordSet, alias: string): SQL {
  const name = (column: string) => sql.raw(`${alias}.${column}`);
  const [only, ...others] = set.accounts;
  return others.length === 0
    ? sql`${name('user_id')} = ${set.userId} and ${name('connection_id')} = ${only?.connectionId ?? null}`
    : sql`${name('user_id')} = ${set.userId} and ${name('connection_id')} = any(${connectionIdsOf(set)})`;
}

/** Returns what orders the copies of a record: the greatest is shown. Equally new ones are ordered by account. */
export function copyRank({ globalIds }: Pick<RecordSet, 'globalIds'>, alias: string): SQL {
  const newestBy = sql.identifier(globalIds?.newestBy ?? 'occurred_at');
  return sql`(coalesce(${sql.raw(alias)}.${newestBy}, '-infinity'), ${sql.raw(alias)}.connection_id)`;
}

/** Returns the condition that the row `r` is the newest copy of its record. */
export function isNewestCopy(set: RecordSet): SQL {
  return sql`not exists (
    select from ${tableOf(set)} c where ${isInAccounts(set, 'c')} and c.id = r.id
      and c.connection_id <> r.connection_id and ${copyRank(set, 'c')} > ${copyRank(set, 'r')})`;
}

/** Returns the condition that the row `r` of the entity's table is a record of the set, and its newest copy. */
export function isRecordIn(set: RecordSet): SQL {
  const isIn = isInAccounts(set, 'r');
  return set.mayHaveCopies ? sql`${isIn} and ${isNewestCopy(set)}` : isIn;
}

/** Returns the condition that the row `r` is the user's record whose account and id the row `k` has. */
export function matchesKey({ userId }: RecordSet): SQL {
  return sql`r.user_id = ${userId} and r.connection_id = k.connection_id and r.id = k.id`;
}

/**
 * Returns a table expression `r` of the set's records that the database can read in an order without sorting them, also those
 * of several accounts.
 * @param order an ORDER BY list over the table's columns
 */
export function orderedRecordsOf(set: RecordSet, order: SQL): SQL {
  const table = tableOf(set);
  if (set.accounts.length === 1) return sql`(select * from ${table} r where ${isInAccounts(set, 'r')}) r`;
  // Ordered parts are merged; of others, parallel workers would read all rows.
  const filter = set.mayHaveCopies ? sql` and ${isNewestCopy(set)}` : sql``;
  const parts = set.accounts.map(
    ({ connectionId }) =>
      sql`(select * from ${table} r where r.user_id = ${set.userId} and r.connection_id = ${connectionId}${filter} order by ${order})`,
  );
  return sql`(${sql.join(parts, sql` union all `)}) r`;
}

/** Returns the expression for the name of the account of the row `r`. */
export function accountOf({ accounts }: Pick<RecordSet, 'accounts'>): SQL {
  const [only, ...others] = accounts;
  if (others.length === 0) return sql`${only?.account ?? ''}::text`;
  const cases = accounts.map(
    ({ connectionId, account }) => sql`when ${connectionId}::uuid then ${account}::text`,
  );
  return sql`case r.connection_id ${sql.join(cases, sql` `)} end`;
}

/** Returns the expression for the names of all accounts that have the record of the row `r`, `text[]`. */
export function accountsOf(set: RecordSet): SQL {
  if (!set.mayHaveCopies) return sql`array[${accountOf(set)}]`;
  const names = textArray(set.accounts.map(({ account }) => account));
  return sql`array(
    select a.account from unnest(${connectionIdsOf(set)}, ${names}) with ordinality a(connection_id, account, place)
    join ${tableOf(set)} c on c.user_id = ${set.userId} and c.connection_id = a.connection_id and c.id = r.id order by a.place)`;
}

/** Returns the expression for the members of a document that name the accounts of the row `r`, as JSON without braces. */
function accountMembers(set: RecordSet): SQL {
  const [only, ...others] = set.accounts;
  if (others.length === 0) {
    const account = JSON.stringify(only?.account ?? '');
    return sql`${`"account":${account}${set.globalIds ? `,"accounts":[${account}]` : ''}`}::text`;
  }
  const account = sql`'"account":' || to_json(${accountOf(set)})::text`;
  return set.globalIds
    ? sql`${account} || ',"accounts":' || array_to_json(${accountsOf(set)})::text`
    : account;
}

/** Returns the expression for the document of the row `r` as JSON text: the stored one, after the fields of its accounts. */
export function documentOf(set: RecordSet): SQL {
  return sql`(
    select '{' || ${accountMembers(set)} || case when octet_length(d.text) > 2 then ',' else '' end || substr(d.text, 2)
    from (select r.data::text as text offset 0) d)`;
}

/**
 * Builds a statement in which the name of the entity's table selects only the set's rows, with the column `account`.
 * @param select the rest of the statement, which uses that name
 * @param others entities of the same accounts whose tables the statement reads, restricted likewise
 */
export function withRecords(set: RecordSet, select: SQL, others: readonly string[] = []): SQL {
  const restricted = [set, ...others.map((entity) => sameAccounts(set, entity))].map((one) => {
    const table = tableOf(one);
    return sql`${table} as not materialized (
      select r.*, ${accountOf(one)} as account from ${table} r where ${isRecordIn(one)})`;
  });
  return sql`with ${sql.join(restricted, sql`, `)} ${select}`;
}
