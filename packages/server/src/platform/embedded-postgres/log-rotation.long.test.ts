import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test-support/temporary-folder.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './launcher.ts';
import { MAX_LOG_BYTES, rotateLog } from './log-rotation.ts';

const folder = makeTemporaryFolder('datadeck-log-');
const log = join(folder, 'postgres', 'log', 'postgres.log');
let database: EmbeddedPostgres;
let client: pg.Client;

beforeAll(async () => {
  database = await startEmbeddedPostgres(folder);
  client = new pg.Client(database.connection);
  await client.connect();
}, 60_000);
afterAll(async () => {
  await client?.end();
  await database?.stop();
});

/** Causes an error, which PostgreSQL logs with its statement. */
const logError = (text: string) => client.query(`select '${text}'::int`).catch(() => undefined);

describe('the log of the embedded database', () => {
  it('is cut off while the server runs, keeps the earlier lines, and continues', async () => {
    await logError('before');
    await rotateLog(log);
    expect(readFileSync(log, 'utf8')).toContain('"before"');

    const long = 'x'.repeat(1024 * 1024);
    while (statSync(log).size <= MAX_LOG_BYTES) await logError(long);
    await rotateLog(log);
    expect(statSync(log).size).toBeLessThan(MAX_LOG_BYTES);
    expect(readFileSync(`${log}.1`, 'utf8')).toContain('"before"');

    await logError('after');
    const lines = readFileSync(log, 'utf8');
    expect(lines).toContain('"after"');
    expect(lines).not.toContain('\0');
  });

  it('is rotated by the product itself', async () => {
    const long = 'y'.repeat(1024 * 1024);
    while (statSync(log).size <= MAX_LOG_BYTES) await logError(long);
    await expect.poll(() => statSync(log).size, { timeout: 20_000 }).toBeLessThan(MAX_LOG_BYTES);
    expect(readFileSync(`${log}.1`, 'utf8')).not.toContain('"before"');
  }, 40_000);
});
