import type * as wire from '@datadeck/contract';
import { createViewSchema, saveQuerySchema } from '@datadeck/contract';

/*
 * Maps the field names of the specification to the app's own names. The `*-api.ts` files call these functions, so
 * components and features use the app's names only.
 */

type WithId<T> = Omit<T, '_id'> & { id: string };

/** Renames the wire's `_id` to `id`. */
export function withId<T extends { _id: string }>({ _id, ...rest }: T) {
  return { ...rest, id: _id };
}

export type Provider = WithId<Omit<wire.Provider, 'isBlocked'>> & {
  /** Connected and in use. */
  isConnected: boolean;
};

export function toProvider({ isBlocked, ...rest }: wire.Provider): Provider {
  return { ...withId(rest), isConnected: isBlocked };
}

export type SyncSummary = Omit<wire.SyncSummary, 'errMessage' | 'timeElapsed' | 'entitiesSynced'> & {
  /** Why the sync failed, as a sentence for the user. */
  reason?: string | undefined;
  /** Duration, seconds. */
  seconds?: number | undefined;
  /** Records in the scope after the sync. */
  records?: number | undefined;
};

export type Sync = WithId<Omit<wire.Sync, 'summary' | 'created_at' | 'updated_at'>> & {
  summary: SyncSummary;
  /** ISO 8601 timestamps. */
  createdAt: string;
  updatedAt: string;
};

export function toSync({ created_at, updated_at, summary, ...rest }: wire.Sync): Sync {
  const { errMessage, timeElapsed, entitiesSynced, ...counts } = summary;
  return {
    ...withId(rest),
    createdAt: created_at,
    updatedAt: updated_at,
    summary: { ...counts, reason: errMessage, seconds: timeElapsed, records: entitiesSynced },
  };
}

export type Template = WithId<Omit<wire.Template, 'entryCollection'>> & {
  /** Id of the entity whose records the template reads. */
  entity: string;
};

export function toTemplate({ entryCollection, ...rest }: wire.Template): Template {
  return { ...withId(rest), entity: entryCollection };
}

type WithExpression<T> = Omit<T, 'jsonNataQuery'> & { expression: string };

export type SavedQuery = WithId<WithExpression<wire.SavedQuery>>;
export type SaveQuery = WithExpression<wire.SaveQuery>;
type AppView<T extends wire.ListedView> = WithId<WithExpression<Omit<T, 'dependees'>>> & {
  dependees: { id: string; title: string }[];
};
export type ListedView = AppView<wire.ListedView>;
export type View = AppView<wire.View>;
export type Category = WithId<wire.Category>;
export type CreateView = WithExpression<wire.CreateView>;
export type UpdateView = WithExpression<wire.UpdateView>;
export type RunQuery = WithExpression<Omit<wire.RunQuery, 'entryCollection'>> & { entity: string };

export function toSavedQuery({ jsonNataQuery, ...rest }: wire.SavedQuery): SavedQuery {
  return { ...withId(rest), expression: jsonNataQuery };
}

export function toListedView({ jsonNataQuery, dependees, ...rest }: wire.ListedView): ListedView {
  return { ...withId(rest), expression: jsonNataQuery, dependees: dependees.map(withId) };
}

export function toView({ inputs, ...rest }: wire.View): View {
  return { ...toListedView(rest), inputs };
}

export type Notification = WithId<wire.Notification>;
export type Notifications = Omit<wire.Notifications, 'results'> & { results: Notification[] };

export function toNotifications({ results, ...rest }: wire.Notifications): Notifications {
  return { ...rest, results: results.map(withId) };
}

export type RecordVersion = Omit<wire.RecordVersion, 'sync'> & {
  /** The sync that stored the version; null when it was deleted. */
  sync: WithId<NonNullable<wire.RecordVersion['sync']>> | null;
};
export type RecordVersions = Omit<wire.RecordVersions, 'results'> & { results: RecordVersion[] };

export function toRecordVersions({ results, ...rest }: wire.RecordVersions): RecordVersions {
  return {
    ...rest,
    results: results.map((version) => ({ ...version, sync: version.sync && withId(version.sync) })),
  };
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
