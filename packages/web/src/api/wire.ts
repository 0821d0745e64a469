import type * as wire from '@datadeck/contract';
import { createViewSchema, saveQuerySchema } from '@datadeck/contract';

/*
 * Maps the field names of the specification to the app's own names. The `*-api.ts` files call these functions, so
 * components and features use the app's names only.
 */

export type Provider = Omit<wire.Provider, 'isBlocked'> & {
  /** Connected and in use. */
  isConnected: boolean;
};

export function toProvider({ isBlocked, ...rest }: wire.Provider): Provider {
  return { ...rest, isConnected: isBlocked };
}

export type SyncSummary = Omit<wire.SyncSummary, 'errMessage' | 'timeElapsed' | 'entitiesSynced'> & {
  /** Why the sync failed, as a sentence for the user. */
  reason?: string | undefined;
  /** Duration, seconds. */
  seconds?: number | undefined;
  /** Records in the scope after the sync. */
  records?: number | undefined;
};

export type Sync = Omit<wire.Sync, 'summary' | 'created_at' | 'updated_at'> & {
  summary: SyncSummary;
  /** ISO 8601 timestamps. */
  createdAt: string;
  updatedAt: string;
};

export function toSync({ created_at, updated_at, summary, ...rest }: wire.Sync): Sync {
  const { errMessage, timeElapsed, entitiesSynced, ...counts } = summary;
  return {
    ...rest,
    createdAt: created_at,
    updatedAt: updated_at,
    summary: { ...counts, reason: errMessage, seconds: timeElapsed, records: entitiesSynced },
  };
}

export type Template = Omit<wire.Template, 'entryCollection'> & {
  /** Id of the entity whose records the template reads. */
  entity: string;
};

export function toTemplate({ entryCollection, ...rest }: wire.Template): Template {
  return { ...rest, entity: entryCollection };
}

type WithExpression<T> = Omit<T, 'jsonNataQuery'> & { expression: string };

export type SavedQuery = WithExpression<wire.SavedQuery>;
export type SaveQuery = WithExpression<wire.SaveQuery>;
export type ListedView = WithExpression<wire.ListedView>;
export type View = WithExpression<wire.View>;
export type CreateView = WithExpression<wire.CreateView>;
export type UpdateView = WithExpression<wire.UpdateView>;
export type RunQuery = WithExpression<Omit<wire.RunQuery, 'entryCollection'>> & { entity: string };

/** Renames the wire's `jsonNataQuery` to `expression`. */
export function withExpression<T extends { jsonNataQuery: string }>({ jsonNataQuery, ...rest }: T) {
  return { ...rest, expression: jsonNataQuery };
}

/** Renames `expression` to the wire's `jsonNataQuery`. */
export function withWireExpression<T extends { expression: string }>({ expression, ...rest }: T) {
  return { ...rest, jsonNataQuery: expression };
}

export function toRunQuery({ entity, ...rest }: RunQuery): wire.RunQuery {
  return { ...withWireExpression(rest), entryCollection: entity };
}

/** The validation rules of a saved query's and a view's expression. */
export const expressionSchemas = {
  query: saveQuerySchema.shape.jsonNataQuery,
  view: createViewSchema.shape.jsonNataQuery,
};

/** Renames the keys of the server's validation messages to the app's field names. */
export function fieldMessages({ jsonNataQuery, ...rest }: Record<string, string>): Record<string, string> {
  return jsonNataQuery === undefined ? rest : { ...rest, expression: jsonNataQuery };
}
