import {
  type EntityDefinition,
  type ProviderClient,
  ProviderError,
  type ProviderFailure,
  type ScopeDefinition,
} from '@datadeck/connectors';
import { limitOf, SCOPE_LIMITS } from '@datadeck/contract';
import { AppError } from '../../platform/app-error.ts';

/** Failures that concern one scope: the others can be read. */
export const ABOUT_SCOPE = new Set<ProviderFailure>(['not-found', 'forbidden', 'invalid', 'malformed']);

/** The scopes that a list of names and patterns means. */
export interface ResolvedScopes {
  /** Names in the order in which they are read: the named ones, then those of the patterns. */
  names: string[];
  /** Names beyond the plan's number. */
  cut: string[];
}

/** Returns the definition of an entity's scopes. @throws AppError validation-failed for an entity of one scope */
export function requireScopes({
  title,
  scopes,
}: Pick<EntityDefinition, 'title' | 'scopes'>): ScopeDefinition {
  if (scopes) return scopes;
  const message = `${title} are not divided into scopes.`;
  throw new AppError('validation-failed', message, { fields: { scopes: message } });
}

/**
 * Checks names and patterns of scopes, and removes repetitions. @throws AppError validation-failed with the field `scopes`
 */
export function checkScopes(
  entity: Pick<EntityDefinition, 'title' | 'scopes'>,
  texts: readonly string[],
): string[] {
  const scopes = requireScopes(entity);
  for (const text of texts) {
    const problem = scopes.problemOf(text);
    if (problem === undefined) continue;
    const message = `${text.slice(0, 100).toWellFormed()}: ${problem}`;
    throw new AppError('validation-failed', message, { fields: { scopes: message } });
  }
  return [...new Set(texts)];
}

/** Returns the key by which an entity stores the records of a scope. */
export function scopeKeyOf(
  { scopeOf }: Pick<EntityDefinition, 'scopeOf'>,
  scopes: ScopeDefinition,
  name: string,
): string {
  return scopeOf(scopes.settingsOf(name));
}

/**
 * Finds the scopes that names and patterns mean. Lists the provider's scopes only for patterns.
 * @param given checked names and patterns @param limit the plan's number of scopes; null for any
 * @throws ProviderError; not-found when no scope matches
 */
export async function resolveScopes(
  entity: Pick<EntityDefinition, 'title' | 'scopes' | 'scopeOf'>,
  given: readonly string[],
  request: { client: ProviderClient; signal: AbortSignal; limit: number | null },
): Promise<ResolvedScopes> {
  const scopes = requireScopes(entity);
  const { client, signal } = request;
  const limit = Math.min(limitOf(request.limit), SCOPE_LIMITS.perSource);
  const found = new Map<string, string>();
  const add = (name: string) => {
    const key = scopeKeyOf(entity, scopes, name);
    if (!found.has(key)) found.set(key, name);
  };
  for (const text of given) if (!scopes.isPattern(text)) add(text);
  for (const pattern of given.filter((text) => scopes.isPattern(text)))
    for await (const choices of scopes.list({ client, pattern, signal }))
      for (const choice of choices) if (scopes.selects(pattern, choice)) add(choice.name);
  const names = [...found.values()];
  if (names.length === 0)
    throw new ProviderError('not-found', `No ${scopes.one} matches ${given.slice(0, 3).join(', ')}.`, {
      field: 'scopes',
    });
  return { names: names.slice(0, limit), cut: names.slice(limit) };
}
