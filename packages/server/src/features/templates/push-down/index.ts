import { hash } from 'node:crypto';
import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { Bindings } from './condition.ts';
import { describePlan, planOf } from './plan.ts';
import { columnsAlone, isCheap, plannedRows } from './push-down.ts';

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
 * @param options.isShared the documents share parts: the database would put each together, which takes longer than handing
 * all of them over, once for all expressions; then it looks at the columns alone
 */
export function pushDown(
  expression: string,
  bindings: Bindings,
  { entity, order, isShared = false }: { entity: string; order: SQL; isShared?: boolean },
): PushDown | undefined {
  const whole = planOf(expression, bindings);
  const bounded = whole && isCheap(whole, entity) ? whole : undefined;
  const plan = bounded && isShared ? columnsAlone(bounded, entity) : bounded;
  const rows = plan && plannedRows(plan, entity, order);
  if (plan === undefined || rows === undefined) return undefined;
  const query = new PgDialect().sqlToQuery(rows);
  const name = hash('sha256', JSON.stringify([query.sql, query.params]), 'base64url');
  return { rows, text: describePlan(plan), name };
}
