import type { OrderTerm } from '@datadeck/connectors';
import { type SQL, sql } from 'drizzle-orm';

/** An order for a statement. @param isReversed from the last row to the first */
export function orderOf(terms: readonly OrderTerm[], isReversed = false): SQL {
  const written = terms.map(
    ({ by, descending = false }) => `${by} ${descending === isReversed ? 'asc' : 'desc'}`,
  );
  return sql.raw(written.join(', '));
}
