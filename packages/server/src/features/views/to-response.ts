import {
  type CreateView,
  inputsOf,
  type ListedView,
  type SavedBase,
  type UpdateView,
  type View,
  type ViewBase,
} from '@datadeck/contract';
import type { StoredBase, views } from './tables.ts';

export type ViewRow = typeof views.$inferSelect;

/** The columns of a view to insert. Empty and absent values are equal. */
export type NewView = Pick<ViewRow, 'title' | 'description' | 'expression' | 'provider' | 'entity'> & {
  templateKey?: string | null | undefined;
  /** Empty: none. */
  search?: string | null | undefined;
  basedOn?: string | null | undefined;
  bases?: readonly StoredBase[] | undefined;
  categoryId?: string | null | undefined;
  parameters?: ViewRow['parameters'] | undefined;
  display?: ViewRow['display'] | undefined;
};

function toViewBase({ provider, entity, templateKey, search, account, ...rest }: StoredBase): ViewBase {
  return {
    ...rest,
    providerId: provider,
    entityLabel: entity,
    templateKey: templateKey ?? '',
    search: search ?? '',
    account: account ?? '',
  };
}

/** Converts a base in a request to the one that is stored. */
export function toStoredBase({ name, providerId, entityLabel, ...rest }: SavedBase): StoredBase {
  return {
    name,
    provider: providerId,
    entity: entityLabel,
    templateKey: rest.templateKey || null,
    search: rest.search || null,
    basedOn: rest.basedOn || null,
    account: rest.account || null,
  };
}

/** Converts a view to its wire format in lists. @param dependees the views built on it */
export function toListedView(row: ViewRow, dependees: View['dependees']): ListedView {
  return {
    _id: row.id,
    title: row.title,
    description: row.description,
    jsonNataQuery: row.expression,
    category: row.categoryId,
    basedOn: row.basedOn,
    templateKey: row.templateKey ?? '',
    search: row.search ?? '',
    providerId: row.provider,
    entityLabel: row.entity,
    bases: row.bases.map(toViewBase),
    parameters: row.parameters,
    display: row.display,
    dependees,
    updated_at: row.updatedAt.toISOString(),
  };
}

/** Converts a view to its wire format. @param chain the views that it builds on, then the view */
export function toView(chain: readonly ViewRow[], dependees: View['dependees']): View {
  return { ...toListedView(chain.at(-1) as ViewRow, dependees), inputs: inputsOf(chain) };
}

/** Converts a request to the columns of a new view. */
export function fromCreateView({
  jsonNataQuery,
  providerId,
  entityLabel,
  category,
  bases = [],
  ...rest
}: CreateView): NewView {
  return {
    ...rest,
    bases: bases.map(toStoredBase),
    expression: jsonNataQuery,
    provider: providerId,
    entity: entityLabel,
    categoryId: category,
  };
}

/** Returns the request that would create a stored view again. */
export function toCreateView(row: ViewRow): CreateView {
  return {
    title: row.title,
    description: row.description,
    jsonNataQuery: row.expression,
    providerId: row.provider,
    entityLabel: row.entity,
    templateKey: row.templateKey,
    search: row.search ?? '',
    basedOn: row.basedOn,
    bases: row.bases.map(toViewBase),
    category: row.categoryId,
    parameters: row.parameters,
    display: row.display,
  };
}

/** Converts an update request to columns. Absent search, bases, category, parameters and display are unchanged. */
export function fromUpdateView({ jsonNataQuery, category, bases, ...rest }: UpdateView) {
  return { ...rest, bases: bases?.map(toStoredBase), expression: jsonNataQuery, categoryId: category };
}
