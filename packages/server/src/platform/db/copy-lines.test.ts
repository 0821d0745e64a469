import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase } from '../../../test-support/test-database.ts';
import { copyLines } from './copy-lines.ts';
import type { Database } from './database.ts';

let db: Database;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ db, close } = await openTestDatabase());
});
afterAll(() => close?.());

async function linesOf(select: ReturnType<typeof sql>): Promise<unknown[]> {
  const client = await db.$client.connect();
  const pieces: Buffer[] = [];
  try {
    for await (const piece of copyLines(client, select)) pieces.push(Buffer.from(piece));
  } finally {
    client.release();
  }
  const text = Buffer.concat(pieces).toString();
  expect(text.endsWith('\n')).toBe(true);
  // Parse them like the evaluation process does.
  return JSON.parse(`[${text.slice(0, -1).replaceAll('\n', ',')}]`);
}

describe('copyLines', () => {
  it('returns rows with quotes, backslashes and long texts as lines', async () => {
    const value = { text: `it's "quoted" \\ $1 ${'ü😀'.repeat(50_000)}`, list: [1, null] };
    const text = JSON.stringify(value);
    const rows = await linesOf(sql`select ${text}::text from generate_series(1, 20)`);
    expect(rows).toEqual(Array.from({ length: 20 }, () => value));
  });

  it('returns many short rows in order', async () => {
    const rows = await linesOf(sql`select n::text from generate_series(1, ${100_000}::int) n`);
    expect(rows).toEqual(Array.from({ length: 100_000 }, (_, index) => index + 1));
  });

  it('returns nothing for no rows', async () => {
    expect(await linesOf(sql`select 'x'::text where false`)).toEqual([]);
  });

  it('throws the error of the database', async () => {
    await expect(linesOf(sql`select (1 / (n - 5000))::text from generate_series(1, 9000) n`)).rejects.toThrow(
      'division by zero',
    );
  });
});
