import type { ConnectorRecord, TemplateDefinition } from '@datadeck/connectors';
import { GITHUB_DECLARATIONS } from '@datadeck/connectors/test-support/github';
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import {
  prepareRecordTables,
  recordSetOf,
  type StoredEntity,
  withRecords,
  writeRecords,
} from '../src/features/records/index.ts';
import { type Database, inBulkTransaction } from '../src/platform/db/database.ts';
import { seededRandom } from './seeded-random.ts';
import { openTestDatabase } from './test-database.ts';

export type Row = Record<string, unknown>;

const entities: (StoredEntity & { templates: readonly TemplateDefinition[] })[] = GITHUB_DECLARATIONS.map(
  (declaration) => ({ ...declaration, extraction: 1 }),
);

/** A database with the records of one entity of GitHub, over which templates are run. */
export class GithubTemplates {
  readonly #db: Database;
  readonly #entity: (typeof entities)[number];
  readonly #account = { connectionId: crypto.randomUUID(), account: 'ada' };
  readonly #userId = crypto.randomUUID();
  readonly close: () => Promise<void>;

  private constructor(db: Database, entity: (typeof entities)[number], close: () => Promise<void>) {
    this.#db = db;
    this.#entity = entity;
    this.close = close;
  }

  /** Creates the tables, and stores the records in a random order. */
  static async with(id: string, records: readonly ConnectorRecord[]): Promise<GithubTemplates> {
    const { db, close } = await openTestDatabase();
    const client = await db.$client.connect();
    await prepareRecordTables(client, entities).finally(() => client.release());
    const entity = entities.find((one) => one.id === id) as (typeof entities)[number];
    const templates = new GithubTemplates(db, entity, close);
    await templates.#store(records);
    return templates;
  }

  async #store(records: readonly ConnectorRecord[]): Promise<void> {
    const random = seededRandom(records.length);
    const shuffled = records
      .map((record) => ({ record, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ record }) => record);
    const target = {
      userId: this.#userId,
      connectionId: this.#account.connectionId,
      entity: this.#entity.id,
      syncId: crypto.randomUUID(),
      scope: '',
    };
    await inBulkTransaction(this.#db, (tx) =>
      writeRecords(tx, target, { entity: this.#entity, records: shuffled }),
    );
  }

  /** Returns all rows of a template. */
  async rowsOf(key: string): Promise<Row[]> {
    const template = this.#entity.templates.find((one) => one.key === key);
    if (!template) throw new Error(`There is no template ${key}`);
    const set = recordSetOf(this.#userId, this.#entity, [this.#account]);
    const select =
      template.kind === 'rows'
        ? template.sql
        : `select * from ${this.#entity.table.name} order by ${template.orderBy
            .map(({ by, descending }) => `${by} ${descending ? 'desc' : 'asc'}`)
            .join(', ')}`;
    const { rows } = await this.#db.execute<{ row: string }>(
      withRecords(set, sql`select row_to_json(t)::text as row from (${sql.raw(select)}) t`),
    );
    return rows.map(({ row }) => JSON.parse(row) as Row);
  }
}

/** Groups items by a text. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  return Map.groupBy(items, keyOf);
}

/** Returns the interpolated percentile of numbers, as PostgreSQL computes it. */
export function percentileOf(share: number, values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const [low = 0, high = 0] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low + (high - low) * (at - Math.floor(at));
}

/** Returns the number of full days from an instant until a time. */
export function daysUntil(now: number, instant: string): number {
  return Math.floor((now - Date.parse(instant)) / 86_400_000);
}

/** Expects that a field has a value; numbers of one decimal place may be rounded. */
function expectField(actual: unknown, expected: unknown, name: string): void {
  if (typeof expected === 'number' && typeof actual === 'number')
    expect(Math.abs(actual - expected), name).toBeLessThan(0.0501);
  else expect(actual, name).toEqual(expected);
}

/**
 * Expects these rows in any order, and that they are sorted by some fields, one after the other: `-` before the name of a
 * field means descending.
 * @param key the fields that identify a row
 */
export function expectRows(
  rows: readonly Row[],
  expected: readonly Row[],
  { key, order }: { key: readonly string[]; order: readonly string[] },
): void {
  const keyOf = (row: Row) => JSON.stringify(key.map((name) => row[name] ?? null));
  expect(rows.map(keyOf).sort()).toEqual(expected.map(keyOf).sort());
  expect(rows.length).toBeGreaterThan(0);
  const byKey = new Map(expected.map((row) => [keyOf(row), row]));
  for (const row of rows) {
    const wanted = byKey.get(keyOf(row)) ?? {};
    expect(Object.keys(row).sort()).toEqual(Object.keys(wanted).sort());
    for (const [name, value] of Object.entries(wanted))
      expectField(row[name], value, `${name} of ${keyOf(row)}`);
  }
  for (const [index, row] of rows.slice(1).entries())
    expect(isInOrder(rows[index] as Row, row, order), `${keyOf(rows[index] as Row)}, ${keyOf(row)}`).toBe(
      true,
    );
}

function isInOrder(before: Row, after: Row, order: readonly string[]): boolean {
  for (const term of order) {
    const isDescending = term.startsWith('-');
    const name = isDescending ? term.slice(1) : term;
    const [a, b] = isDescending ? [after[name], before[name]] : [before[name], after[name]];
    // Nulls come last in an ascending order.
    if (a === b) continue;
    return b === null || (a !== null && (a as number | string) < (b as number | string));
  }
  return true;
}
