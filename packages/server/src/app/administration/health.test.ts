import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../platform/log.ts';
import type { Product } from '../product.ts';
import { readHealth } from './health.ts';

/** Returns the parts of a product that `readHealth` needs. @param answers results of the statements, in turn; then they fail */
function productWith(answers: unknown[][], isDiskFull = false): Product {
  const execute = () => {
    const rows = answers.shift();
    return rows ? Promise.resolve({ rows }) : Promise.reject(new Error('connection refused'));
  };
  return {
    context: {
      db: { execute },
      log: createLogger('silent'),
      config: { DATA_DIR: tmpdir(), DATABASE_URL: 'postgres://127.0.0.1/absent' },
      jobs: { names: [] },
    },
    registry: { all: () => [] },
    isDiskFull: () => isDiskFull,
    version: '1.2.3',
  } as unknown as Product;
}

describe('readHealth', () => {
  it.each([
    [false, 'Not ready: the database does not answer.'],
    [true, 'Not ready: the disk of the database is full.'],
  ])('says why the database does not answer (its disk is full: %s)', async (isDiskFull, text) => {
    const health = await readHealth(productWith([], isDiskFull));
    expect(health.checks[0]).toMatchObject({ state: 'problem', text });
    expect(health).toMatchObject({ version: '1.2.3', database: null, tables: [], jobs: [] });
    expect(health.disk?.free).toBeGreaterThan(0);
  });

  it('fails when only its figures cannot be read', async () => {
    await expect(readHealth(productWith([[{ read_only: 'off' }]]))).rejects.toThrow('connection refused');
  });
});
