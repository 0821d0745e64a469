import { type ConnectedProviders, type ReadyView, toCreateView } from '@datadeck/contract';
import type { Queryable } from '../../platform/db/database.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { insertView, listAllRows } from './store.ts';
import { fromCreateView, type NewView } from './to-response.ts';

/** The views of a user that are, or were made of, ready-made ones. */
interface ReadyViews {
  /** Their ids by the titles of the ready-made ones. */
  ids: Map<string, string>;
  /** Their own titles. */
  created: string[];
  reused: string[];
}

/** Returns a text that is equal for views that compute the same. */
function contentOf({ bases = [], parameters = [], ...view }: NewView): string {
  const sourceOf = (base: Omit<NewView, 'title' | 'description' | 'expression' | 'bases'>) =>
    [base.provider, base.entity, base.templateKey, base.basedOn, base.search].map((value) => value || null);
  return JSON.stringify([
    view.expression,
    sourceOf(view),
    bases.map((base) => [base.name, base.account, ...sourceOf(base)]),
    parameters.map(({ name, type, default: value }) => [name, type, value]),
  ]);
}

/** Returns whether a title is the given one, or that with the number of a second or later one, e.g. `Unread mail 2`. */
function isNumbered(title: string, of: string): boolean {
  return title === of || (title.startsWith(`${of} `) && /^\d+$/.test(title.slice(of.length + 1)));
}

/** Returns the title, with the first number that makes it differ from all taken ones if it is taken. */
export function freeTitle(title: string, taken: ReadonlySet<string>): string {
  for (let number = 2, free = title; ; number++) {
    if (!taken.has(free)) return free;
    free = `${title} ${number}`;
  }
}

/**
 * Creates ready-made views for a user whose views the caller has locked. Where the user has such a view unchanged, that one is
 * used. Where a changed one has the title, the new one gets a number.
 * @param request.views a view comes after the one on which it builds
 * @param request.categoryOf returns the id of the category of a new view
 * @throws AppError limit-reached
 */
export async function insertReadyViews(
  tx: Queryable,
  registry: ConnectorRegistry,
  request: {
    userId: string;
    views: readonly ReadyView[];
    connected: ConnectedProviders;
    categoryOf?: (title: string) => string | undefined;
  },
): Promise<ReadyViews> {
  const { userId, views, connected, categoryOf } = request;
  const known = await listAllRows(tx, userId);
  const taken = new Set(known.map(({ title }) => title));
  const ready: ReadyViews = { ids: new Map(), created: [], reused: [] };
  for (const view of views) {
    const written = toCreateView(view, connected, ready.ids.get(view.basedOn ?? ''));
    if (!written) continue;
    const created = fromCreateView(written);
    const content = contentOf(created);
    const same = known.find((row) => isNumbered(row.title, view.title) && contentOf(row) === content);
    if (same) {
      ready.ids.set(view.title, same.id);
      ready.reused.push(same.title);
      continue;
    }
    const title = freeTitle(view.title, taken);
    const categoryId = categoryOf?.(view.title);
    const { _id } = await insertView(tx, registry, { userId, view: { ...created, title, categoryId } });
    ready.ids.set(view.title, _id);
    ready.created.push(title);
  }
  return ready;
}
