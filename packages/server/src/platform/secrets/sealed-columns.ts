import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { Context } from '../context/index.ts';
import type { Database, Queryable } from '../db/database.ts';
import { type Keyring, type Sealed, sealedSchema } from '../encryption.ts';

/** A column with encrypted values, in a table of users with the columns `user_id` and `id`. */
export interface SealedColumn<T> {
  /** Name of the table in the database. */
  table: string;
  column: string;
  schema: z.ZodType<T>;
  /** What an encrypted value is bound to; it cannot be decrypted for another user or purpose. */
  contextOf(userId: string): string;
  /** Names one value for the operator, e.g. `the webhook of the user …`. */
  nameOf(userId: string, id: string): string;
}

type AnyColumn = SealedColumn<unknown>;

/** Encrypts a value for its user. */
export function sealValue<T>(
  { keyring }: Pick<Context, 'keyring'>,
  { contextOf }: SealedColumn<T>,
  { userId, value }: { userId: string; value: T },
): Sealed {
  return keyring.seal(JSON.stringify(value), contextOf(userId));
}

/** Decrypts a value; returns undefined and logs why when its key is missing or it was changed. */
export function openValue<T>(
  { keyring, log }: Pick<Context, 'keyring' | 'log'>,
  { table, column, schema, contextOf }: SealedColumn<T>,
  { userId, sealed }: { userId: string; sealed: unknown },
): T | undefined {
  try {
    return schema.parse(JSON.parse(keyring.open(sealedSchema.parse(sealed), contextOf(userId))));
  } catch (error) {
    log.warn({ err: error }, `could not decrypt ${table}.${column}`);
    return undefined;
  }
}

const identifiers = ({ table, column }: AnyColumn) => ({
  table: sql.identifier(table),
  column: sql.identifier(column),
});

async function hasTable(db: Queryable, name: string): Promise<boolean> {
  const { rows } = await db.execute<{ exists: boolean }>(
    sql`select to_regclass(${`public.${name}`}) is not null as exists`,
  );
  return rows[0]?.exists === true;
}

/** Lists the ids of the keys that encrypt the values of the columns. A database of an earlier version may lack tables. */
export async function listSealingKeys(db: Queryable, columns: readonly AnyColumn[]): Promise<string[]> {
  const ids = new Set<string>();
  for (const sealed of columns) {
    if (!(await hasTable(db, sealed.table))) continue;
    const { table, column } = identifiers(sealed);
    const { rows } = await db.execute<{ key: string }>(
      sql`select distinct ${column}->>'key' as key from ${table} where ${column} is not null`,
    );
    for (const { key } of rows) ids.add(key);
  }
  return [...ids];
}

/** Result of encrypting values again. */
export interface Resealed {
  /** Number of values encrypted with the first key. */
  renewed: number;
  /** Names of values that cannot be decrypted, and stay as they are. */
  unreadable: string[];
}

/** Encrypts all values of a column with the first key. One that cannot be decrypted does not stop the others. */
async function resealColumn(db: Database, keyring: Keyring, sealed: AnyColumn): Promise<Resealed> {
  const { table, column } = identifiers(sealed);
  const result: Resealed = { renewed: 0, unreadable: [] };
  await db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ user_id: string; id: string; sealed: unknown }>(
      sql`select user_id, id, ${column} as sealed from ${table}
        where ${column}->>'key' <> ${keyring.encryptionKeyId} for update`,
    );
    for (const { user_id: userId, id, sealed: value } of rows) {
      const context = sealed.contextOf(userId);
      let text: string;
      try {
        text = keyring.open(sealedSchema.parse(value), context);
      } catch {
        result.unreadable.push(sealed.nameOf(userId, id));
        continue;
      }
      await tx.execute(
        sql`update ${table} set ${column} = ${JSON.stringify(keyring.seal(text, context))}::jsonb
          where user_id = ${userId} and id = ${id}`,
      );
      result.renewed += 1;
    }
  });
  return result;
}

/** Encrypts all values of the columns with the first key, so that the other keys can be removed. */
export async function resealColumns(
  db: Database,
  keyring: Keyring,
  columns: readonly AnyColumn[],
): Promise<Resealed> {
  const total: Resealed = { renewed: 0, unreadable: [] };
  for (const column of columns) {
    const { renewed, unreadable } = await resealColumn(db, keyring, column);
    total.renewed += renewed;
    total.unreadable.push(...unreadable);
  }
  return total;
}
