import { type SQL, sql } from 'drizzle-orm';

/** A condition of the database, or one that is known beforehand. */
export type Claim = SQL | boolean;

/** What is known of a part of a predicate for one record. Never too little: the engine looks again. */
export interface Reach {
  /** It may be true, or fail. */
  readonly may: Claim;
  /** It may fail. */
  readonly fails: Claim;
}

export const ANYTHING: Reach = { may: true, fails: true };

export function allOf(...claims: Claim[]): Claim {
  if (claims.includes(false)) return false;
  const open = claims.filter((claim) => typeof claim !== 'boolean');
  if (open.length < 2) return open[0] ?? true;
  return sql`(${sql.join(open, sql` and `)})`;
}

export function anyOf(...claims: Claim[]): Claim {
  if (claims.includes(true)) return true;
  const open = claims.filter((claim) => typeof claim !== 'boolean');
  if (open.length < 2) return open[0] ?? false;
  return sql`(${sql.join(open, sql` or `)})`;
}

/**
 * `a and b and ...`: a record matters when all may be true, or when one may fail before another is false: what stands
 * behind a part that is false is never evaluated.
 */
export function conjunction(parts: readonly Reach[]): Reach {
  let reach: Reach = { may: true, fails: false };
  for (const part of parts)
    reach = {
      may: allOf(reach.may, anyOf(part.may, reach.fails)),
      fails: anyOf(reach.fails, part.fails),
    };
  return reach;
}

/** `a or b or ...` */
export function disjunction(parts: readonly Reach[]): Reach {
  return {
    may: anyOf(...parts.map((part) => part.may)),
    fails: anyOf(...parts.map((part) => part.fails)),
  };
}
