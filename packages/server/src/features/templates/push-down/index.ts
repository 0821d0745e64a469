import { hash } from 'node:crypto';
import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { Bindings } from './condition.ts';
import { describePlan, planOf } from './plan.ts';
import { plannedRows } from './push-down.ts';

export type { Bindings } from './condition.ts';

/** The part of an expression that the database does. */
export interface PushDown {
  /** A select over `r` of the stored documents that are left. */
  readonly rows: SQL;
  /** Readable. */
  readonly text: string;
  /** Names the rows: equal names mean equal rows of the same records. */
  readonly name: string;
}

/**
 * What the database can do of an expression over the documents of an entity, in the order given. Sound: over these rows
 * the expression has the result, or the error, that it has over all. Undefined: nothing.
 */
export function pushDown(
  expression: string,
  bindings: Bindings,
  { entity, order }: { entity: string; order: SQL },
): PushDown | undefined {
  const plan = planOf(expression, bindings);
  const rows = plan && plannedRows(plan, entity, order);
  if (plan === undefined || rows === undefined) return undefined;
  const query = new PgDialect().sqlToQuery(rows);
  const name = hash('sha256', JSON.stringify([query.sql, query.params]), 'base64url');
  return { rows, text: describePlan(plan), name };
}
