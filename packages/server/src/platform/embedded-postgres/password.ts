import { createHash, randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type ClusterPaths, chownTo } from './cluster-paths.ts';

/** File with the SHA-256 of the password that is set in the cluster. */
const MARKER = 'datadeck-password';
const HEADER = '# Written by Datadeck at every start.\n';
const CLOSED = `${HEADER}local all all scram-sha-256\n`;
/** Used only while the password is being set; only the owner can access the socket's folder. */
const OPEN = `${HEADER}local all all trust\n`;

/**
 * Reads the embedded database's password from `DATA_DIR/postgres.password`, generated once. It keeps out processes that
 * can access the socket but not this file, such as evaluation processes.
 */
export function readOrCreatePassword(dataDir: string): string {
  const file = join(dataDir, 'postgres.password');
  if (!existsSync(file)) {
    const own = `${file}.${process.pid}`;
    writeFileSync(own, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 });
    try {
      // Fails if another process was first; then its password is used.
      linkSync(own, file);
    } catch (error) {
      if (!existsSync(file)) throw error;
    } finally {
      rmSync(own);
    }
  }
  return readFileSync(file, 'utf8').trim();
}

function hashOf(password: string): string {
  return createHash('sha256').update(password).digest('hex');
}

function knowsPassword(paths: ClusterPaths, password: string): boolean {
  const marker = join(paths.cluster, MARKER);
  return existsSync(marker) && readFileSync(marker, 'utf8') === hashOf(password);
}

function write(paths: ClusterPaths, name: string, text: string): void {
  const file = join(paths.cluster, name);
  writeFileSync(file, text, { mode: 0o600 });
  chownTo(file, paths.owner);
}

/** Writes pg_hba.conf before the server starts: trusts the socket until the password is set in the cluster. */
export function writeAccessRules(paths: ClusterPaths, password: string): void {
  write(paths, 'pg_hba.conf', knowsPassword(paths, password) ? CLOSED : OPEN);
}

/** Sets the password in the running server and requires it, unless already done. */
export async function requirePassword(paths: ClusterPaths, connection: pg.PoolConfig): Promise<void> {
  const password = String(connection.password);
  if (knowsPassword(paths, password)) return;
  const client = new pg.Client({ ...connection, database: 'postgres' });
  await client.connect();
  try {
    await client.query(`alter role current_user password ${client.escapeLiteral(password)}`);
    write(paths, 'pg_hba.conf', CLOSED);
    await client.query('select pg_reload_conf()');
    write(paths, MARKER, hashOf(password));
  } finally {
    await client.end();
  }
}
