import type { ApiToken, Parameter, SharedKind } from '@datadeck/contract';

/** A view or a board, as its owner shares it. */
export interface Shared {
  kind: SharedKind;
  id: string;
  title: string;
  /** The parameters of the view, or of the views on the board. */
  inputs: readonly Parameter[];
  /** Returns the text of a parameter's value in use. */
  textOf: (name: string) => string;
  /** Views and searches on the board. */
  tiles?: { views: number; searches: number };
  /** What the page shows now, but not through the link, e.g. a filter. */
  narrowed?: string | undefined;
}

/** A link has no record of its own: it is an API token of one view or board. */
export function linksTo({ kind, id }: Pick<Shared, 'kind' | 'id'>, tokens: readonly ApiToken[]): ApiToken[] {
  return tokens.filter(({ viewId, boardId }) => (kind === 'view' ? viewId : boardId) === id);
}

/** Returns whether a link still opens. */
export function isOpen({ expiresAt }: Pick<ApiToken, 'expiresAt'>): boolean {
  return Date.parse(expiresAt) > Date.now();
}

/** Returns what invitations to it name. */
export function targetOf({
  kind,
  id,
}: Pick<Shared, 'kind' | 'id'>): { viewId: string } | { boardId: string } {
  return kind === 'view' ? { viewId: id } : { boardId: id };
}
