import { inputsOf, type Parameter } from '@datadeck/contract';
import { FUNCTIONS } from '@datadeck/jsonata';
import { AppError } from '../../platform/app-error.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { checkSearch, findTemplate } from '../templates/index.ts';
import { type Base, chainOf, checkInherited, checkSize, findView } from './graph.ts';
import type { StoredBase } from './tables.ts';
import type { ViewRow } from './to-response.ts';

const LIBRARY_FUNCTIONS: ReadonlySet<string> = new Set(FUNCTIONS.map(({ name }) => name));

function refuse(field: string, message: string): never {
  throw new AppError('validation-failed', `The bases of the view are not valid: ${message}.`, {
    fields: { [field]: message },
  });
}

/** Checks the search of a base. @throws AppError validation-failed, not-found */
export function checkBaseSearch(
  registry: ConnectorRegistry,
  { entity, templateKey, search }: Pick<Base, 'entity' | 'templateKey'> & { search: string },
): void {
  if (templateKey !== null) checkSearch(findTemplate(registry, { entity, templateKey }), search);
  else if (search !== '') {
    const message = 'A search cannot select rows of another view. Set it in the view on the template.';
    throw new AppError('validation-failed', message, { fields: { search: message } });
  }
}

/**
 * Checks the bases of a view, with its template or view, its search and its account.
 * @param id that of the view; undefined for a new one
 * @returns the views that it builds on, directly or indirectly, in the order of `chainOf`
 * @throws AppError validation-failed, not-found
 */
export async function checkBases(
  tx: Queryable,
  registry: ConnectorRegistry,
  { userId, id, bases }: { userId: string; id?: string; bases: readonly Base[] },
): Promise<ViewRow[]> {
  const known = new Map<string, ViewRow>();
  const all = new Set<ViewRow>();
  for (const [index, base] of bases.entries()) {
    const field = base.name === undefined ? 'basedOn' : `bases.${index}.basedOn`;
    registry.entity(base.provider, base.entity);
    checkBaseSearch(registry, { ...base, search: base.search ?? '' });
    if (base.basedOn === null) continue;
    const view = known.get(base.basedOn) ?? (await findView(tx, userId, base.basedOn));
    known.set(view.id, view);
    if (view.provider !== base.provider || view.entity !== base.entity)
      throw new AppError('validation-failed', 'A view must be based on a view of the same entity.', {
        fields: { [field]: 'Must be a view of the same entity' },
      });
    const chain = await chainOf(tx, userId, view, known);
    if (chain.some((row) => row.id === id)) refuse(field, `'${view.title}' builds on this view itself`);
    for (const row of chain) all.add(row);
  }
  checkInherited([...all]);
  return [...all];
}

/** Checks that no name of a base hides a function or a parameter. @throws AppError validation-failed */
export function checkBaseNames(bases: readonly StoredBase[], inputs: readonly Parameter[]): void {
  for (const [index, { name }] of bases.entries()) {
    const field = `bases.${index}.name`;
    if (LIBRARY_FUNCTIONS.has(name)) refuse(field, `$${name} is a function of the language`);
    if (inputs.some((input) => input.name === name)) refuse(field, `$${name} is a parameter`);
  }
}

/**
 * Checks that a view is still valid after one that it builds on changed.
 * @param chain the result of `chainOf`
 * @throws AppError validation-failed, limit-reached
 */
export function checkDependent(chain: readonly ViewRow[]): void {
  const view = chain.at(-1);
  try {
    checkSize(chain);
    checkInherited(chain);
    checkBaseNames(view?.bases ?? [], inputsOf(chain));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'validation-failed') throw error;
    // Its fields are those of another view than the one that is saved.
    throw new AppError(error.code, `'${view?.title}' builds on this view. ${error.message}`);
  }
}
