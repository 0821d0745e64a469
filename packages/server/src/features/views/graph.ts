import { BOUNDS, inputsOf, type Parameter } from '@datadeck/contract';
import { and, eq } from 'drizzle-orm';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { isId } from '../../platform/ids.ts';
import { type StoredBase, views } from './tables.ts';
import type { ViewRow } from './to-response.ts';

/** Finds a view of the user. @throws AppError not-found for an unknown id or another user's view */
export async function findView(db: Queryable, userId: string, id: string): Promise<ViewRow> {
  const [row] = isId(id)
    ? await db
        .select()
        .from(views)
        .where(and(eq(views.userId, userId), eq(views.id, id)))
    : [];
  if (!row) throw notFound('This view');
  return row;
}

/** What a view is computed from: a template or a view, under a name if it is one of several. */
export type Base = Pick<StoredBase, 'provider' | 'entity' | 'templateKey' | 'search' | 'basedOn'> &
  Partial<Pick<StoredBase, 'name' | 'account'>>;

/** Returns the bases of a view. */
export function basesOf(row: Pick<ViewRow, 'bases'> & Base): readonly Base[] {
  if (row.bases.length > 0) return row.bases;
  const { provider, entity, templateKey, search, basedOn } = row;
  return [{ provider, entity, templateKey, search, basedOn }];
}

/** Returns the ids of the views that a view builds on directly. */
export function baseIdsOf(row: Pick<ViewRow, 'bases'> & Base): string[] {
  return basesOf(row).flatMap(({ basedOn }) => basedOn ?? []);
}

/**
 * Returns the views that a view builds on, directly or indirectly, each once and after those that it builds on itself, then
 * the view. There are no cycles, because `checkBases` refuses them.
 * @param known views that are read already, by their ids
 */
export async function chainOf(
  db: Queryable,
  userId: string,
  view: ViewRow,
  known = new Map<string, ViewRow>(),
): Promise<ViewRow[]> {
  const chain = new Set<ViewRow>();
  const visit = async (row: ViewRow): Promise<void> => {
    for (const id of baseIdsOf(row)) {
      const base = known.get(id) ?? (await findView(db, userId, id));
      known.set(id, base);
      if (!chain.has(base)) await visit(base);
    }
    chain.add(row);
  };
  await visit(view);
  return [...chain];
}

/** Returns whether a view, or one that it builds on, has several bases. */
export function isJoined(chain: readonly ViewRow[]): boolean {
  return chain.some(({ bases }) => bases.length > 0);
}

/** Returns the entities whose records a view reads. @param chain the result of `chainOf` */
export function entitiesOf(chain: readonly ViewRow[]): { provider: string; entity: string }[] {
  const entities = new Map<string, { provider: string; entity: string }>();
  for (const { provider, entity, basedOn } of chain.flatMap(basesOf))
    if (basedOn === null) entities.set(entity, { provider, entity });
  return [...entities.values()];
}

/** Returns the longest way from a template to the last view of a chain, in views. */
function depthOf(chain: readonly ViewRow[]): number {
  const depths = new Map<string, number>();
  for (const row of chain)
    depths.set(row.id, 1 + Math.max(0, ...baseIdsOf(row).map((id) => depths.get(id) ?? 0)));
  return depths.get(chain.at(-1)?.id ?? '') ?? 0;
}

/** Checks how many views and templates a view is computed from. @throws AppError limit-reached */
export function checkSize(chain: readonly ViewRow[]): void {
  if (depthOf(chain) > BOUNDS.viewDepth)
    throw new AppError(
      'limit-reached',
      `At most ${BOUNDS.viewDepth} views can build on one another. Base this view on an earlier one.`,
      { fields: { basedOn: `At most ${BOUNDS.viewDepth} views can build on one another` } },
    );
  const sources = chain.length + chain.flatMap(basesOf).filter(({ basedOn }) => basedOn === null).length;
  if (isJoined(chain) && sources > BOUNDS.viewSources) {
    const message = `At most ${BOUNDS.viewSources} views and templates in all`;
    throw new AppError(
      'limit-reached',
      `A view can be computed from at most ${BOUNDS.viewSources} views and templates. Remove a base.`,
      { fields: { bases: message } },
    );
  }
}

/** Refuses parameters of the same name with different types, because one value is used in all views. @throws AppError validation-failed */
export function checkInherited(chain: readonly { parameters: readonly Parameter[] }[]): void {
  for (const { name, type } of inputsOf(chain)) {
    const others = chain.flatMap(({ parameters }) => parameters.filter((one) => one.name === name));
    if (others.every((other) => other.type === type)) continue;
    const message = `$${name} has different types in them`;
    throw new AppError('validation-failed', `The bases do not fit together: ${message}.`, {
      fields: { bases: message },
    });
  }
}

/** Returns all views that build on one of a user's views, directly or indirectly. */
export function dependentsIn(all: readonly ViewRow[], id: string): ViewRow[] {
  const found = new Set<ViewRow>();
  for (let ids = new Set([id]); ids.size > 0; ) {
    const level = all.filter((row) => !found.has(row) && baseIdsOf(row).some((base) => ids.has(base)));
    for (const row of level) found.add(row);
    ids = new Set(level.map((row) => row.id));
  }
  return [...found];
}

/** Returns the ids of the views with several bases, or built on one, that read the records of an entity. */
export async function joinedViewsOf(db: Queryable, userId: string, entity: string): Promise<string[]> {
  const all = await db.select().from(views).where(eq(views.userId, userId));
  if (!isJoined(all)) return [];
  const known = new Map(all.map((row) => [row.id, row]));
  const found: string[] = [];
  for (const row of all) {
    const chain = await chainOf(db, userId, row, known);
    if (isJoined(chain) && entitiesOf(chain).some((one) => one.entity === entity)) found.push(row.id);
  }
  return found;
}
