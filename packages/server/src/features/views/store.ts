import {
  type AllViews,
  BOUNDS,
  type CreateView,
  inputsOf,
  type ListedView,
  type UpdateView,
  type View,
} from '@datadeck/contract';
import { and, asc, count, eq, inArray, sql } from 'drizzle-orm';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { isId, newId } from '../../platform/ids.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { checkExpression } from '../queries/index.ts';
import { requireCategory } from './categories.ts';
import { checkBaseNames, checkBaseSearch, checkBases, checkDependent } from './check-bases.ts';
import { baseIdsOf, basesOf, chainOf, checkSize, dependentsIn, findView } from './graph.ts';
import { lockViews } from './lock-views.ts';
import { checkDependents, checkParameters } from './parameters.ts';
import { type StoredBase, views } from './tables.ts';
import {
  fromCreateView,
  fromUpdateView,
  type NewView,
  toListedView,
  toView,
  type ViewRow,
} from './to-response.ts';

/**
 * Finds a view and locks the user's views until the transaction ends, so that what refers to it is not stored after its
 * deletion. @throws AppError not-found; unauthenticated when the account was deleted while waiting
 */
export async function lockView(tx: Queryable, userId: string, id: string): Promise<ViewRow> {
  await lockViews(tx, userId);
  return findView(tx, userId, id);
}

/** Returns views by id, without those that do not exist. */
export async function selectViews(
  db: Queryable,
  userId: string,
  ids: readonly string[],
): Promise<Map<string, ViewRow>> {
  const wanted = [...new Set(ids)].filter(isId);
  if (wanted.length === 0) return new Map();
  const rows = await db
    .select()
    .from(views)
    .where(and(eq(views.userId, userId), inArray(views.id, wanted)));
  return new Map(rows.map((row) => [row.id, row]));
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

/** Returns all views of a user in order of their titles. */
export function listAllRows(db: Queryable, userId: string): Promise<ViewRow[]> {
  return db
    .select()
    .from(views)
    .where(eq(views.userId, userId))
    .orderBy(asc(sql`lower(${views.title})`), asc(views.id));
}

/** Returns the views that build on one directly. */
function dependeesIn(all: readonly ViewRow[], id: string): View['dependees'] {
  return all.filter((row) => baseIdsOf(row).includes(id)).map((row) => ({ _id: row.id, title: row.title }));
}

/**
 * Lists a user's views, filtered by provider and entity: a view with several bases is one of each base's entity. Inherited
 * parameters are included for these only.
 */
export async function listViews(
  context: Context,
  userId: string,
  filter: { provider?: string | undefined; entity?: string | undefined },
): Promise<ListedView[]> {
  const all = await listAllRows(context.db, userId);
  const chosen = all.filter((row) =>
    basesOf(row).some(
      ({ provider, entity }) =>
        (!filter.provider || provider === filter.provider) && (!filter.entity || entity === filter.entity),
    ),
  );
  const known = new Map(all.map((row) => [row.id, row]));
  const dependees = new Map<string, View['dependees']>();
  for (const row of all)
    for (const base of new Set(baseIdsOf(row)))
      dependees.set(base, [...(dependees.get(base) ?? []), { _id: row.id, title: row.title }]);
  const listed: ListedView[] = [];
  for (const row of chosen) {
    const view = toListedView(row, dependees.get(row.id) ?? []);
    const isListed = row.bases.length === 0;
    const inputs = isListed ? undefined : inputsOf(await chainOf(context.db, userId, row, known));
    listed.push(inputs ? { ...view, inputs } : view);
  }
  return listed;
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

/** Validates the references of a view and inserts it in the caller's transaction. */
export async function insertView(
  tx: Queryable,
  registry: ConnectorRegistry,
  { userId, view }: { userId: string; view: NewView },
): Promise<View> {
  await checkCount(tx, userId);
  const { bases = [] } = view;
  const basedOn = view.basedOn || null;
  const templateKey = basedOn === null ? (view.templateKey ?? '') : null;
  const single = { ...view, basedOn, templateKey, search: view.search || null };
  const chain = await checkBases(tx, registry, { userId, bases: basesOf({ ...single, bases: [...bases] }) });
  const parameters = view.parameters ?? [];
  checkParameters(parameters, chain);
  checkBaseNames(bases, inputsOf([...chain, { parameters }]));
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
      bases: [...bases],
      categoryId,
      parameters,
      display: view.display ?? null,
    })
    .returning();
  checkSize([...chain, row as ViewRow]);
  return toView([...chain, row as ViewRow], []);
}

/** Returns named bases with the search of the first one; an update may set it without them. */
function withSearch(bases: readonly StoredBase[], search: string): StoredBase[] {
  return bases.map((base, index) => (index === 0 ? { ...base, search: search || null } : base));
}

/** @throws AppError validation-failed */
function requireSameFirst(row: ViewRow, [first]: readonly StoredBase[]): void {
  if (first === undefined) return;
  const { provider, entity, templateKey, basedOn } = row;
  const isSame =
    first.provider === provider &&
    first.entity === entity &&
    first.templateKey === templateKey &&
    first.basedOn === basedOn;
  if (isSame) return;
  const message = 'The first base of a view cannot change';
  throw new AppError('validation-failed', `${message}. Create another view.`, { fields: { bases: message } });
}

/**
 * Updates a view; its first base cannot change, and an absent category is unchanged. @throws AppError not-found,
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
    const { search = (change.bases?.[0] ?? row).search ?? '' } = change;
    const bases = withSearch(change.bases ?? row.bases, search);
    requireSameFirst(row, bases);
    const changed = { ...row, bases, search: bases.length > 0 ? (bases[0]?.search ?? null) : search || null };
    if (changed.search !== row.search) checkBaseSearch(registry, { ...row, search: changed.search ?? '' });
    const isRebased = change.bases !== undefined;
    const chain = isRebased
      ? await checkBases(tx, registry, { userId, id, bases: basesOf(changed) })
      : (await chainOf(tx, userId, row)).slice(0, -1);
    const parameters = change.parameters ?? row.parameters;
    checkParameters(parameters, chain);
    checkBaseNames(bases, inputsOf([...chain, { parameters }]));
    const all = await listAllRows(tx, userId);
    const dependents = dependentsIn(all, id);
    checkDependents(parameters, dependents);
    const categoryId =
      change.categoryId === undefined ? row.categoryId : await requireCategory(tx, userId, change.categoryId);
    const [saved] = await tx
      .update(views)
      .set({
        title: change.title,
        description: change.description,
        expression: change.expression,
        search: changed.search,
        bases,
        categoryId,
        parameters,
        display: change.display === undefined ? row.display : change.display,
        updatedAt: new Date(),
      })
      .where(and(eq(views.userId, userId), eq(views.id, id)))
      .returning();
    if (isRebased) checkSize([...chain, saved as ViewRow]);
    if (isRebased || JSON.stringify(parameters) !== JSON.stringify(row.parameters)) {
      const known = new Map([...all, saved as ViewRow].map((one) => [one.id, one]));
      for (const dependent of dependents) checkDependent(await chainOf(tx, userId, dependent, known));
    }
    return toView([...chain, saved as ViewRow], dependeesIn(all, id));
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
    if (dependeesIn(await listAllRows(tx, userId), id).length > 0) {
      throw new AppError('view-in-use', 'This view is used in other views. Remove dependees first.');
    }
    await tx.delete(views).where(and(eq(views.userId, userId), eq(views.id, id)));
    await inTransaction(tx);
    return row;
  });
}
