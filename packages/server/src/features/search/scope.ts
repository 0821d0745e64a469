import { choicesOf, type ParsedSearch, parseSearch, type SearchCondition } from '@datadeck/contract';
import { AppError } from '../../platform/app-error.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { readTimeZone } from '../accounts/index.ts';
import { type Connection, type ConnectorRegistry, listShownConnections } from '../connections/index.ts';
import type { ShownAccount } from '../records/index.ts';

/** An account of a user, which `account:` finds by each of its names. */
export interface SearchedAccount extends ShownAccount {
  provider: string;
  /** The name that the user gave it; empty without one. */
  title: string;
}

/** Where a search looks: the shown accounts of a user, and for one entity its id. */
export interface SearchScope {
  userId: string;
  connectionIds: readonly string[];
  accounts: readonly SearchedAccount[];
  /** Addresses and logins of the user in all shown accounts, for `from:me`. */
  ownNames: readonly string[];
  /** Time zone in which days begin. */
  timeZone: string;
  entity: string | undefined;
  /** Entities that no connector has any more: their records are not found. */
  former: readonly string[];
}

/** Returns whether a text is the name of an account, or the name that the user gave it, in any case. */
export function isCalled({ account, title }: SearchedAccount, name: string): boolean {
  const wanted = name.toLowerCase();
  return account.toLowerCase() === wanted || (title !== '' && title.toLowerCase() === wanted);
}

/**
 * Limits a scope to the accounts that a search names as a whole, as in `account:work invoice` and `account:{work home}`: of a
 * record that several accounts have, the newest copy of these accounts is found.
 */
export function withinAccounts(scope: SearchScope, condition: SearchCondition): SearchScope {
  const choices = choicesOf(condition).filter(({ facet }) => facet === 'account');
  const accounts = scope.accounts.filter((one) =>
    choices.every(({ filters }) => filters.some(({ value }) => isCalled(one, value))),
  );
  return { ...scope, accounts, connectionIds: accounts.map(({ connectionId }) => connectionId) };
}

function toSearched({ id, provider, account, title }: Connection): SearchedAccount {
  return { connectionId: id, provider, account, title };
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
  request: {
    userId: string;
    providerId?: string | undefined;
    entityLabel?: string | undefined;
    account?: string | undefined;
  },
): Promise<SearchScope> {
  const { userId, providerId, entityLabel: entity, account = '' } = request;
  if (entity !== undefined) registry.providerOf(entity);
  if (providerId !== undefined) registry.connector(providerId);
  const shown = (await listShownConnections(db, userId)).map(toSearched);
  const accounts = shown.filter(
    (one) =>
      (providerId === undefined || one.provider === providerId) &&
      (account === '' || one.account === account),
  );
  return {
    userId,
    connectionIds: accounts.map(({ connectionId }) => connectionId),
    accounts,
    ownNames: shown.map((one) => one.account),
    timeZone: await readTimeZone(db, userId),
    entity,
    former: registry.formerEntities(),
  };
}
