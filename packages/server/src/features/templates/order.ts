import { type SQL, sql } from 'drizzle-orm';
import type { RecordSet } from '../records/index.ts';

/** One term of an ORDER BY over the row `r`. */
export interface OrderTerm {
  by: string | SQL;
  descending?: boolean;
}

/** Returns the order of a set's documents, which is total: accounts may have documents with the same id. */
function termsIn({ accounts }: RecordSet, terms: readonly OrderTerm[]): readonly OrderTerm[] {
  return accounts.length > 1 ? [...terms, { by: 'connection_id' }] : terms;
}

/** Builds an ORDER BY list for the documents of a set. @param isReversed true for the reverse order */
export function orderOf(set: RecordSet, terms: readonly OrderTerm[], isReversed = false): SQL {
  const written = termsIn(set, terms).map(({ by, descending = false }) => {
    const expression = typeof by === 'string' ? sql.raw(by) : by;
    return sql`${expression} ${sql.raw(descending === isReversed ? 'asc' : 'desc')}`;
  });
  return sql.join(written, sql`, `);
}
