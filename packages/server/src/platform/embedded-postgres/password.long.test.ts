import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeTemporaryFolder, removeDataFolder } from '../../../test-support/temporary-folder.ts';
import { findRunningPostgres, startEmbeddedPostgres } from './launcher.ts';

let folder: string;
beforeEach(() => {
  folder = makeTemporaryFolder('datadeck-password-');
});
afterEach(() => removeDataFolder(folder));

/** Connects and returns the result as a text. */
async function connectAs(connection: pg.PoolConfig | undefined): Promise<string> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ user: string }>('select current_user as "user"');
    return rows[0]?.user ?? '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

describe('the embedded database', () => {
  it('requires the password of the data folder', async () => {
    const server = await startEmbeddedPostgres(folder);
    try {
      expect(await connectAs(server.connection)).toBe('datadeck');
      expect(await connectAs(await findRunningPostgres(folder))).toBe('datadeck');
      const { password: _password, ...open } = server.connection;
      expect(await connectAs(open)).toMatch(/password/);
      expect(await connectAs({ ...open, password: 'guess' })).toMatch(/password authentication failed/);
      expect(statSync(join(folder, 'postgres.password')).mode & 0o777).toBe(0o600);
    } finally {
      await server.stop();
    }
  });

  it('sets a new password when the file is lost or the database has none', async () => {
    await (await startEmbeddedPostgres(folder)).stop();
    rmSync(join(folder, 'postgres.password'));
    const again = await startEmbeddedPostgres(folder);
    expect(await connectAs(again.connection)).toBe('datadeck');
    await again.stop();

    const cluster = join(folder, 'postgres', 'cluster');
    rmSync(join(folder, 'postgres.password'));
    rmSync(join(cluster, 'datadeck-password'));
    writeFileSync(join(cluster, 'pg_hba.conf'), 'local all all trust\n');
    const upgraded = await startEmbeddedPostgres(folder);
    try {
      const { password: _password, ...open } = upgraded.connection;
      expect(await connectAs(open)).toMatch(/password/);
      expect(await connectAs(upgraded.connection)).toBe('datadeck');
    } finally {
      await upgraded.stop();
    }
  });
});
