import pg from 'pg';

/** Connects in a time zone that does not depend on the server, and closes the connection afterwards. */
export async function withConnection<T>(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const connection = new pg.Client(config);
  await connection.connect();
  try {
    await connection.query("set timezone = 'UTC'");
    return await work(connection);
  } finally {
    await connection.end();
  }
}
