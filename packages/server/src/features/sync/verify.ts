import {
  type EntityDefinition,
  type EstimateRequest,
  type ProviderClient,
  ProviderError,
} from '@datadeck/connectors';
import { limitOf, type Verification } from '@datadeck/contract';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import {
  type ConnectorRegistry,
  findConnection,
  openClient,
  providerFailure,
  requireUsable,
  type Schedulers,
} from '../connections/index.ts';
import { idsInScope, storedReader } from '../records/index.ts';
import { findSync } from './list.ts';
import { namesOfRun } from './list-scopes.ts';
import { ABOUT_SCOPE, requireScopes } from './resolve-scopes.ts';
import { type SyncRow, settingsOf } from './to-response.ts';

/** Listing the ids of a full plan takes seconds; slower providers time out. */
const TIMEOUT_MS = 60_000;

/**
 * Compares the stored ids of a sync's scope with the provider's ids. Does not fetch records if the provider can list
 * ids alone. For a scope larger than the plan's cap, compares only the stored ids and the total count.
 * @throws AppError not-found, sync-running, not-connected, reconnect-needed, rate-limited, provider-unavailable
 */
export async function verifySync(
  context: Context,
  parts: { registry: ConnectorRegistry; schedulers: Schedulers },
  request: { userId: string; id: string; signal: AbortSignal },
): Promise<Verification> {
  const { userId, id } = request;
  const run = await findSync(context.db, userId, id);
  if (run.status === 'started')
    throw new AppError('sync-running', 'The sync is still running. Verify it when it has ended.');
  const connector = parts.registry.connector(run.provider);
  parts.registry.requireOffered(run.provider);
  const connection = requireUsable(await findConnection(context.db, userId, run.connectionId), connector);
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const limits = { signal, waitTimeoutMs: TIMEOUT_MS };
  const client = openClient(context, { ...parts, connector, connection }, limits);
  const entity = parts.registry.entity(run.provider, run.entity);
  const comparison = { db: context.db, entity, run, client };
  try {
    const compared =
      run.givenScopes === null
        ? await compareScope(comparison, settingsOf(run))
        : await compareScopes(comparison, signal);
    return { checkedAt: new Date().toISOString(), ...compared };
  } catch (error) {
    throw providerFailure(error);
  }
}

/** What a comparison is made with. */
interface Comparing {
  db: Queryable;
  entity: EntityDefinition;
  run: SyncRow;
  client: ProviderClient;
}

type Compared = Omit<Verification, 'checkedAt' | 'scopes'>;

/** Compares the stored ids of a scope with the provider's. */
async function compareScope(
  { db, entity, run, client }: Comparing,
  settings: Readonly<Record<string, string>>,
): Promise<Compared> {
  const target = { ...run, scope: entity.scopeOf(settings) };
  const stored = await idsInScope(db, target);
  const since = run.since === null ? {} : { since: run.since };
  const limit = limitOf(run.cap);
  const source = { client, settings, limit, stored: storedReader(db, target), ...since };
  const { total, gone } = await compareIds(entity, source, stored);
  const missing = Math.max(0, Math.min(total, limit) - (stored.size - gone));
  return { provider: total, stored: stored.size, missing, gone };
}

/** Largest number of scopes that a response names. */
const MAX_NAMED = 100;

/** Compares the scopes of a run one after another, until the time is over. */
async function compareScopes(
  comparison: Comparing,
  signal: AbortSignal,
): Promise<Compared & Pick<Verification, 'scopes'>> {
  const { db, entity, run } = comparison;
  const names = await namesOfRun(db, run);
  const sum: Compared = { provider: 0, stored: 0, missing: 0, gone: 0 };
  const results: NonNullable<Verification['scopes']>['results'] = [];
  let compared = 0;
  for (const name of names) {
    if (signal.aborted) break;
    try {
      const one = await compareScope(comparison, requireScopes(entity).settingsOf(name));
      compared++;
      for (const key of Object.keys(sum) as (keyof Compared)[]) sum[key] += one[key];
      const { missing, gone } = one;
      if (missing + gone > 0) results.push({ name, missing, gone, message: null });
    } catch (error) {
      if (signal.aborted) break;
      if (!(error instanceof ProviderError) || !ABOUT_SCOPE.has(error.failure)) throw error;
      results.push({ name, missing: 0, gone: 0, message: error.message });
    }
  }
  return { ...sum, scopes: { count: names.length, compared, results: results.slice(0, MAX_NAMED) } };
}

/**
 * Lists the provider's ids, newest first. For a scope truncated by the plan's cap, stops once every stored id has
 * appeared: the provider may have hundreds of thousands more, and their count is enough.
 * @returns the provider's number of records, and how many stored records it no longer has
 */
async function compareIds(
  entity: EntityDefinition,
  source: Pick<EstimateRequest, 'client' | 'settings' | 'limit' | 'stored' | 'since'>,
  stored: ReadonlySet<string>,
): Promise<{ total: number; gone: number }> {
  const isCut = stored.size >= source.limit;
  const total = isCut ? (await entity.estimate({ ...source, cursor: null })).total : null;
  const listed = new Set<string>();
  const unmatched = new Set(stored);
  for await (const ids of entity.listIds(source)) {
    for (const id of ids) {
      listed.add(id);
      unmatched.delete(id);
    }
    if (total !== null && unmatched.size === 0) break;
  }
  return { total: Math.max(listed.size, total ?? 0), gone: unmatched.size };
}
