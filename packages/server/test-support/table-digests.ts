import type pg from 'pg';

type Connection = Pick<pg.ClientBase, 'query'>;

/** Returns the columns of each table in a fixed order; leaves out unlogged tables, which hold caches. */
export async function listColumns(connection: Connection): Promise<Map<string, string[]>> {
  const { rows } = await connection.query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(attname::text order by attname) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and attnum > 0 and not attisdropped
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p' group by 1 order by 1`,
  );
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

/** Returns the number and a digest of all rows by table, of the given columns only. */
export async function digestTables(
  connection: Connection,
  columns: ReadonlyMap<string, readonly string[]>,
): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const [name, names] of columns) {
    const list = names.map((column) => `"${column}"`).join(', ');
    const { rows } = await connection.query<{ digest: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(line, '' order by line)), '') as digest
      from (select md5(row(${list})::text) as line from "${name}") as lines`,
    );
    digests[name] = rows[0]?.digest ?? '';
  }
  return digests;
}
