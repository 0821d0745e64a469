import type pg from 'pg';
import { INSUFFICIENT_PRIVILEGE } from '../../platform/db/failures.ts';
import { SQL_SCHEMA } from './schema.ts';

/** Functions that PostgreSQL lets every role call, and that store something or take locks of the product. */
const FUNCTIONS = `select p.oid, p.oid::regprocedure::text as name from pg_proc p
  where p.pronamespace = 'pg_catalog'::regnamespace
    and p.proname ~ '^(lo_.*|lowrite|loread|pg_(try_)?advisory_.*|pg_notify|pg_logical_emit_message)$'`;

/**
 * Returns the statements that take from PUBLIC what is more than reading, as far as it still has it: temporary tables, new
 * objects, large objects, advisory locks, blocks of PL/pgSQL, which can loop and write to the log. The product's own user
 * keeps what it needs.
 */
export async function listRevokes(client: Pick<pg.ClientBase, 'query'>): Promise<string[]> {
  const { rows } = await client.query<{ statement: string | null }>(
    `select format('revoke temporary, create on database %I from public', current_database()) as statement
      where has_database_privilege('public', current_database(), 'temporary')
        or has_database_privilege('public', current_database(), 'create')
    union all
    select format('revoke create on schema %I from public', nspname) from pg_namespace
      where nspname in ('public', '${SQL_SCHEMA}') and has_schema_privilege('public', oid, 'create')
    union all
    select unnest(array[
      format('grant execute on function %s to %I', string_agg(name, ', '), current_user),
      format('revoke execute on function %s from public', string_agg(name, ', '))])
      from (${FUNCTIONS}) f where has_function_privilege('public', f.oid, 'execute') having count(*) > 0
    union all
    select unnest(array[
      format('grant usage on language plpgsql to %I', current_user), 'revoke usage on language plpgsql from public'])
      where has_language_privilege('public', 'plpgsql', 'usage')`,
  );
  return rows.flatMap(({ statement }) => (statement === null ? [] : [statement]));
}

/**
 * Takes these rights from PUBLIC.
 * @param isEmbedded whether the database server is the product's own. On another server the rights to functions and languages
 *   are left to its administrator: a database user that the product changes to later would need them.
 * @returns the statements that an administrator must run
 */
export async function revokeFromPublic(
  client: Pick<pg.ClientBase, 'query'>,
  { isEmbedded }: { isEmbedded: boolean },
): Promise<string[]> {
  for (const statement of await listRevokes(client)) {
    if (!isEmbedded && / on (function|language) /.test(statement)) continue;
    // Without the right, PostgreSQL warns or refuses, so what remains is read again.
    await client.query(statement).catch((error: { code?: string }) => {
      if (error.code !== INSUFFICIENT_PRIVILEGE) throw error;
    });
  }
  return listRevokes(client);
}
