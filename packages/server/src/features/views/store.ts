import {
  type AllViews,
  BOUNDS,
  type CreateView,
  type ListedView,
  type UpdateView,
  type View,
} from '@datadeck/contract';
import { and, asc, count, eq, inArray, sql } from 'drizzle-orm';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { isId, newId } from '../../platform/ids.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { checkExpression } from '../queries/index.ts';
import { checkSearch, findTemplate } from '../templates/index.ts';
import { requireCategory } from './categories.ts';
import { lockViews } from './lock-views.ts';
import { checkDependents, checkParameters } from './parameters.ts';
import { views } from './tables.ts';
import {
  fromCreateView,
  fromUpdateView,
  type NewView,
  toListedView,
  toView,
  type ViewRow,
} from './to-response.ts';

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

/**
 * Finds a view and locks the user's views until the transaction ends, so that what refers to it is not stored after its
 * deletion. @throws AppError not-found; unauthenticated when the account was deleted while waiting
 */
export async function lockView(tx: Queryable, userId: string, id: string): Promise<ViewRow> {
  await lockViews(tx, userId);
  return findView(tx, userId, id);
}

/** Returns the titles of views by id, without those that do not exist. */
export async function viewTitles(
  db: Queryable,
  userId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: views.id, title: views.title })
    .from(views)
    .where(and(eq(views.userId, userId), inArray(views.id, [...ids])));
  return new Map(rows.map(({ id, title }) => [id, title]));
}

/**
 * Returns a view's bases and the view, starting with the view based on a template. `basedOn` never changes, so there
 * are no cycles.
 */
export async function chainOf(db: Queryable, userId: string, view: ViewRow): Promise<ViewRow[]> {
  const chain = [view];
  for (let row = view; row.basedOn !== null; ) {
    row = await findView(db, userId, row.basedOn);
    chain.unshift(row);
  }
  return chain;
}

async function listDependees(db: Queryable, userId: string, id: string): Promise<View['dependees']> {
  return db
    .select({ _id: views.id, title: views.title })
    .from(views)
    .where(and(eq(views.userId, userId), eq(views.basedOn, id)))
    .orderBy(asc(views.title));
}

/** Returns all views that build on this one, directly or indirectly. */
async function dependentsOf(db: Queryable, view: ViewRow): Promise<ViewRow[]> {
  const all = await db
    .select()
    .from(views)
    .where(and(eq(views.userId, view.userId), eq(views.entity, view.entity)));
  const found: ViewRow[] = [];
  for (let level = [view]; level.length > 0; ) {
    const ids = new Set(level.map(({ id }) => id));
    level = all.filter(({ basedOn }) => basedOn !== null && ids.has(basedOn));
    found.push(...level);
  }
  return found;
}

/** Lists a user's views, filtered by provider and entity. Inherited parameters are not included. */
export async function listViews(
  context: Context,
  userId: string,
  filter: { provider?: string | undefined; entity?: string | undefined },
): Promise<ListedView[]> {
  const all = await context.db
    .select()
    .from(views)
    .where(eq(views.userId, userId))
    .orderBy(asc(sql`lower(${views.title})`), asc(views.id));
  const chosen = all.filter(
    (row) =>
      (!filter.provider || row.provider === filter.provider) &&
      (!filter.entity || row.entity === filter.entity),
  );
  const dependees = Map.groupBy(all, ({ basedOn }) => basedOn);
  return chosen.map((row) =>
    toListedView(
      row,
      (dependees.get(row.id) ?? []).map(({ id, title }) => ({ _id: id, title })),
    ),
  );
}

/** Returns a page of all views of a user, in order of their titles. */
export async function listAllViews(context: Context, userId: string, page: number): Promise<AllViews> {
  const all = await listViews(context, userId, {});
  const from = (page - 1) * BOUNDS.viewsPage;
  return { results: all.slice(from, from + BOUNDS.viewsPage), count: all.length };
}

/** Checks the number of views; exact because the caller holds `lockViews`. @throws AppError limit-reached */
async function checkCount(tx: Queryable, userId: string): Promise<void> {
  const [stored] = await tx.select({ count: count() }).from(views).where(eq(views.userId, userId));
  if ((stored?.count ?? 0) >= BOUNDS.viewsPerUser)
    throw new AppError(
      'limit-reached',
      `You have reached the limit of ${BOUNDS.viewsPerUser} views. Delete one first.`,
      { fields: { title: `At most ${BOUNDS.viewsPerUser} views` } },
    );
}

/** @throws AppError limit-reached */
function checkChainLength(bases: readonly ViewRow[]): void {
  if (bases.length >= BOUNDS.viewDepth)
    throw new AppError(
      'limit-reached',
      `At most ${BOUNDS.viewDepth} views can build on one another. Base this view on an earlier one.`,
      { fields: { basedOn: `At most ${BOUNDS.viewDepth} views can build on one another` } },
    );
}

/**
 * Creates a view based on a template or another view.
 * @throws AppError validation-failed, not-found, limit-reached, expression-invalid
 */
export async function createView(
  context: Context,
  registry: ConnectorRegistry,
  userId: string,
  request: CreateView,
): Promise<View> {
  const view = fromCreateView(request);
  registry.entity(view.provider, view.entity);
  await checkExpression(context, userId, view.expression);
  return context.db.transaction(async (tx) => {
    await lockViews(tx, userId);
    return insertView(tx, registry, { userId, view });
  });
}

/** Checks the search of a view. @throws AppError validation-failed, not-found */
function checkViewSearch(
  registry: ConnectorRegistry,
  { entity, templateKey, search }: Pick<ViewRow, 'entity' | 'templateKey'> & { search: string },
): void {
  if (templateKey !== null) checkSearch(findTemplate(registry, { entity, templateKey }), search);
  else if (search !== '') {
    const message = 'A search cannot select rows of another view. Set it in the view on the template.';
    throw new AppError('validation-failed', message, { fields: { search: message } });
  }
}

/** Validates the references of a view and inserts it in the caller's transaction. */
export async function insertView(
  tx: Queryable,
  registry: ConnectorRegistry,
  { userId, view }: { userId: string; view: NewView },
): Promise<View> {
  await checkCount(tx, userId);
  const basedOn = view.basedOn || null;
  let bases: ViewRow[] = [];
  if (basedOn !== null) {
    const base = await findView(tx, userId, basedOn);
    if (base.provider !== view.provider || base.entity !== view.entity) {
      throw new AppError('validation-failed', 'A view must be based on a view of the same entity.', {
        fields: { basedOn: 'Must be a view of the same entity' },
      });
    }
    bases = await chainOf(tx, userId, base);
    checkChainLength(bases);
  }
  const templateKey = basedOn === null ? (view.templateKey ?? '') : null;
  checkViewSearch(registry, { entity: view.entity, templateKey, search: view.search ?? '' });
  const parameters = view.parameters ?? [];
  checkParameters(parameters, bases);
  const categoryId = await requireCategory(tx, userId, view.categoryId);
  const [row] = await tx
    .insert(views)
    .values({
      userId,
      id: newId(),
      title: view.title,
      description: view.description,
      expression: view.expression,
      provider: view.provider,
      entity: view.entity,
      templateKey,
      search: view.search || null,
      basedOn,
      categoryId,
      parameters,
      display: view.display ?? null,
    })
    .returning();
  return toView([...bases, row as ViewRow], []);
}

/**
 * Updates a view; its base cannot change, and an absent category is unchanged. @throws AppError not-found,
 * expression-invalid
 */
export async function updateView(
  context: Context,
  registry: ConnectorRegistry,
  { userId, id, request }: { userId: string; id: string; request: UpdateView },
): Promise<View> {
  const change = fromUpdateView(request);
  await checkExpression(context, userId, change.expression);
  return context.db.transaction(async (tx) => {
    await lockViews(tx, userId);
    const row = await findView(tx, userId, id);
    const bases = (await chainOf(tx, userId, row)).slice(0, -1);
    const { search = row.search ?? '' } = change;
    if (search !== row.search) checkViewSearch(registry, { ...row, search });
    const parameters = change.parameters ?? row.parameters;
    checkParameters(parameters, bases);
    checkDependents(parameters, await dependentsOf(tx, row));
    const categoryId =
      change.categoryId === undefined ? row.categoryId : await requireCategory(tx, userId, change.categoryId);
    const [saved] = await tx
      .update(views)
      .set({
        title: change.title,
        description: change.description,
        expression: change.expression,
        search: search || null,
        categoryId,
        parameters,
        display: change.display === undefined ? row.display : change.display,
        updatedAt: new Date(),
      })
      .where(and(eq(views.userId, userId), eq(views.id, id)))
      .returning();
    return toView([...bases, saved as ViewRow], await listDependees(tx, userId, id));
  });
}

/** Deletes a view that no other view builds on. @returns the deleted row @throws AppError not-found, view-in-use */
export async function removeView(
  context: Context,
  userId: string,
  { id, inTransaction }: { id: string; inTransaction: (tx: Queryable) => Promise<void> },
): Promise<ViewRow> {
  return context.db.transaction(async (tx) => {
    await lockViews(tx, userId);
    const row = await findView(tx, userId, id);
    if ((await listDependees(tx, userId, id)).length > 0) {
      throw new AppError('view-in-use', 'This view is used in other views. Remove dependees first.');
    }
    await tx.delete(views).where(and(eq(views.userId, userId), eq(views.id, id)));
    await inTransaction(tx);
    return row;
  });
}
