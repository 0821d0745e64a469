import type { SavedQuery, SaveQuery } from '@datadeck/contract';
import { withField } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { savedQueries } from './tables.ts';

/** The editable columns of a saved query. */
export type QueryTexts = Pick<typeof savedQueries.$inferSelect, 'title' | 'expression'>;

/** Converts a saved query to its wire format. */
export function toSavedQuery(row: typeof savedQueries.$inferSelect): SavedQuery {
  return { _id: row.id, title: row.title, jsonNataQuery: row.expression };
}

/** Converts a request to columns. */
export function fromSaveQuery({ title, jsonNataQuery }: SaveQuery): QueryTexts {
  return { title, expression: jsonNataQuery };
}

/** Checks an expression before it is saved. @throws AppError expression-invalid, with the wire's field name */
export function checkExpression({ evaluation }: Context, userId: string, expression: string): Promise<void> {
  return withField('jsonNataQuery', evaluation.check(expression, userId));
}
