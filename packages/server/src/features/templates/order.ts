import type { OrderTerm } from '@datadeck/connectors';
import { type SQL, sql } from 'drizzle-orm';

/** Builds an ORDER BY list. @param isReversed true for the reverse order */
export function orderOf(terms: readonly OrderTerm[], isReversed = false): SQL {
  const written = terms.map(
    ({ by, descending = false }) => `${by} ${descending === isReversed ? 'asc' : 'desc'}`,
  );
  return sql.raw(written.join(', '));
}
