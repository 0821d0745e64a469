import { MAX_SCOPE_CHOICES, type ScopeChoice, type ScopeDefinition } from '@datadeck/connectors';
import { SCOPE_LIMITS, type ScopeChoices } from '@datadeck/contract';
import type { Context } from '../../platform/context/index.ts';
import {
  type Connection,
  type ConnectorRegistry,
  openClient,
  providerFailure,
  type Schedulers,
} from '../connections/index.ts';
import { countByScope } from '../records/index.ts';
import { chooseUsableAccount } from './choose-account.ts';
import { requireScopes, scopeKeyOf } from './resolve-scopes.ts';

/** Timeout for listing the scopes of an account. */
const TIMEOUT_MS = 30_000;
/** How long a listing is kept, so that typing a search does not ask the provider for each letter. */
const FRESH_MS = 60_000;
const MAX_KEPT = 50;

interface KeptListing {
  listed: Promise<ScopeChoice[]>;
  at: number;
}

/** Listings of this process by connection, grant and entity. */
const kept = new Map<string, KeptListing>();

/** Returns a kept listing, or lists again. A failed one is not kept. */
function listOnce(key: string, list: () => Promise<ScopeChoice[]>): Promise<ScopeChoice[]> {
  const known = kept.get(key);
  if (known && Date.now() - known.at < FRESH_MS) return known.listed;
  kept.delete(key);
  if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value ?? '');
  const listed = list();
  kept.set(key, { listed, at: Date.now() });
  listed.catch(() => kept.delete(key));
  return listed;
}

/** Returns the patterns over groups, with the number of scopes that each selects. */
function patternsOf(scopes: ScopeDefinition, choices: readonly ScopeChoice[]): ScopeChoices['patterns'] {
  const groups = [...new Set(choices.map(({ group }) => group))].filter((group) => group !== '');
  return scopes.patterns(groups.slice(0, SCOPE_LIMITS.named)).map(({ pattern, title }) => ({
    pattern,
    title,
    count: choices.filter((choice) => scopes.selects(pattern, choice)).length,
  }));
}

interface ChoicesRequest {
  userId: string;
  providerId: string;
  entityLabel: string;
  account?: string | undefined;
  search?: string | undefined;
  page: number;
}

/**
 * Lists the scopes that an account can see, with the number of stored records of each.
 * @param request.search part of the name or title, in any case
 * @throws AppError validation-failed, not-connected, reconnect-needed, rate-limited, provider-unavailable
 */
export async function listScopeChoices(
  context: Context,
  parts: { registry: ConnectorRegistry; schedulers: Schedulers },
  request: ChoicesRequest,
): Promise<ScopeChoices> {
  const { userId, providerId, account, search = '', page } = request;
  const connector = parts.registry.connector(providerId);
  const entity = parts.registry.entity(providerId, request.entityLabel);
  parts.registry.requireOffered(connector.key);
  const scopes = requireScopes(entity);
  const connection = await chooseUsableAccount(context.db, connector, { userId, entity: entity.id, account });
  const key = [userId, connection.id, connection.connectedAt.getTime(), entity.id].join('/');
  const choices = await listOnce(key, () =>
    listAll(context, { ...parts, connector, connection }, scopes),
  ).catch((error: unknown) => {
    throw providerFailure(error);
  });
  const wanted = search.trim().toLowerCase();
  const found = choices.filter(({ name, title }) => `${name}\n${title}`.toLowerCase().includes(wanted));
  const stored = await countByScope(context.db, { userId, connectionId: connection.id, entity: entity.id });
  const shown = found.slice((page - 1) * SCOPE_LIMITS.choicesPage, page * SCOPE_LIMITS.choicesPage);
  return {
    results: shown.map((choice) => ({
      ...choice,
      stored: stored.get(scopeKeyOf(entity, scopes, choice.name)) ?? 0,
    })),
    count: found.length,
    patterns: patternsOf(scopes, choices),
    isLimited: choices.length >= MAX_SCOPE_CHOICES,
  };
}

async function listAll(
  context: Context,
  access: Parameters<typeof openClient>[1] & { connection: Connection },
  scopes: ScopeDefinition,
): Promise<ScopeChoice[]> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const client = openClient(context, access, { signal, waitTimeoutMs: TIMEOUT_MS });
  const all: ScopeChoice[] = [];
  for await (const batch of scopes.list({ client, signal })) all.push(...batch);
  return all;
}
