import { type ParsedSearch, parseSearch } from '@datadeck/contract';
import { AppError } from '../../platform/app-error.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { type ConnectorRegistry, listCurrentConnections } from '../connections/index.ts';

/** Where a search looks: the current connections of a user, and for one entity its id. */
export interface SearchScope {
  userId: string;
  connectionIds: readonly string[];
  /** Addresses and logins of the user, for `from:me`. */
  accounts: readonly string[];
  entity: string | undefined;
}

/**
 * @param field the field of the request with the text
 * @throws AppError validation-failed for a search that cannot run, with the first reason
 */
export function requireParsed(text: string, field = 'q'): ParsedSearch {
  const parsed = parseSearch(text);
  const error = parsed.problems.find(({ isError }) => isError);
  if (error)
    throw new AppError('validation-failed', error.message, {
      fields: { [field]: error.message },
      position: error.from,
    });
  return parsed;
}

/**
 * Returns where a request looks.
 * @throws AppError not-found for an unknown provider or entity
 */
export async function findScope(
  db: Queryable,
  registry: ConnectorRegistry,
  request: { userId: string; providerId?: string | undefined; entityLabel?: string | undefined },
): Promise<SearchScope> {
  const { userId, providerId, entityLabel: entity } = request;
  if (entity !== undefined) registry.providerOf(entity);
  if (providerId !== undefined) registry.connector(providerId);
  const connections = (await listCurrentConnections(db, userId)).filter(
    ({ provider }) => providerId === undefined || provider === providerId,
  );
  return {
    userId,
    connectionIds: connections.map(({ id }) => id),
    accounts: connections.map(({ account }) => account),
    entity,
  };
}
