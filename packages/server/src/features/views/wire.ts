import { type CreateView, inputsOf, type ListedView, type UpdateView, type View } from '@datadeck/contract';
import type { views } from './tables.ts';

export type ViewRow = typeof views.$inferSelect;

/** A view to be inserted, by the names of its table; empty and absent are the same. */
export type NewView = Pick<ViewRow, 'title' | 'description' | 'expression' | 'provider' | 'entity'> & {
  templateKey?: string | null | undefined;
  basedOn?: string | null | undefined;
  categoryId?: string | null | undefined;
  parameters?: ViewRow['parameters'] | undefined;
};

export function toListedView(row: ViewRow, dependees: View['dependees']): ListedView {
  return {
    _id: row.id,
    title: row.title,
    description: row.description,
    jsonNataQuery: row.expression,
    category: row.categoryId,
    basedOn: row.basedOn,
    templateKey: row.templateKey ?? '',
    providerId: row.provider,
    entityLabel: row.entity,
    parameters: row.parameters,
    dependees,
    updated_at: row.updatedAt.toISOString(),
  };
}

/** @param chain the view after its bases */
export function toView(chain: readonly ViewRow[], dependees: View['dependees']): View {
  return { ...toListedView(chain.at(-1) as ViewRow, dependees), inputs: inputsOf(chain) };
}

export function fromCreateView({
  jsonNataQuery,
  providerId,
  entityLabel,
  category,
  ...rest
}: CreateView): NewView {
  return {
    ...rest,
    expression: jsonNataQuery,
    provider: providerId,
    entity: entityLabel,
    categoryId: category,
  };
}

/** Returns the request that creates a stored view once more. */
export function toCreateView(row: ViewRow): CreateView {
  return {
    title: row.title,
    description: row.description,
    jsonNataQuery: row.expression,
    providerId: row.provider,
    entityLabel: row.entity,
    templateKey: row.templateKey,
    basedOn: row.basedOn,
    category: row.categoryId,
    parameters: row.parameters,
  };
}

/** What an update changes; an absent category or parameters stay. */
export function fromUpdateView({ jsonNataQuery, category, ...rest }: UpdateView) {
  return { ...rest, expression: jsonNataQuery, categoryId: category };
}
