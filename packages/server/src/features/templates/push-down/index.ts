import { hash } from 'node:crypto';
import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { StoredEntity } from '../../records/index.ts';
import type { Bindings } from './condition.ts';
import { describePlan, planOf } from './plan.ts';
import { ofColumns, whereOf } from './push-down.ts';

export type { Bindings } from './condition.ts';

/** The part of an expression that the database does. */
export interface PushDown {
  /** A condition on the row `r`. */
  readonly where: SQL;
  /** The condition as an expression. */
  readonly text: string;
  /** Names the rows: equal names mean equal rows of the same records. */
  readonly name: string;
}

/**
 * Finds which documents of an entity an expression needs, as far as columns can tell. Over these rows the expression has
 * the result, or the error, that it has over all. Undefined: it may need all.
 */
export function pushDown(expression: string, bindings: Bindings, entity: StoredEntity): PushDown | undefined {
  const whole = planOf(expression, bindings);
  const plan = whole && ofColumns(whole, entity);
  const where = plan && whereOf(plan, entity);
  if (plan === undefined || where === undefined) return undefined;
  const query = new PgDialect().sqlToQuery(where);
  const name = hash('sha256', JSON.stringify([query.sql, query.params]), 'base64url');
  return { where, text: describePlan(plan), name };
}
