import pg from 'pg';

/** A database of its own on the server that TEST_DATABASE_URL names; undefined without it. */
export async function createTestDatabase(): Promise<{ url: string; drop(): Promise<void> } | undefined> {
  const base = process.env.TEST_DATABASE_URL;
  if (base === undefined) return undefined;
  const name = `datadeck_test_${process.pid}_${Math.random().toString(36).slice(2, 8)}`;
  const execute = async (statement: string) => {
    const client = new pg.Client({ connectionString: base });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  await execute(`create database ${name}`);
  const url = new URL(base);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => execute(`drop database if exists ${name} with (force)`) };
}
