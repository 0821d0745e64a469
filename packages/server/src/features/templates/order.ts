import type { OrderTerm } from '@datadeck/connectors';
import { type SQL, sql } from 'drizzle-orm';
import type { RecordSet } from '../records/index.ts';

/** Returns the order of a set's documents, which is total: accounts may have documents with the same id. */
function termsIn({ accounts }: RecordSet, terms: readonly OrderTerm[]): readonly OrderTerm[] {
  return accounts.length > 1 ? [...terms, { by: 'connection_id' }] : terms;
}

/** Builds an ORDER BY list for the documents of a set. @param isReversed true for the reverse order */
export function orderOf(set: RecordSet, terms: readonly OrderTerm[], isReversed = false): SQL {
  const written = termsIn(set, terms).map(
    ({ by, descending = false }) => `${by} ${descending === isReversed ? 'asc' : 'desc'}`,
  );
  return sql.raw(written.join(', '));
}
