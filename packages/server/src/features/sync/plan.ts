import {
  type EntityDefinition,
  type Estimate,
  type Json,
  type ProviderClient,
  ProviderError,
} from '@datadeck/connectors';
import { limitOf, SCOPE_LIMITS, type StartSync, type SyncPlan } from '@datadeck/contract';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import {
  type ConnectorRegistry,
  openClient,
  providerFailure,
  type Schedulers,
} from '../connections/index.ts';
import { type RecordSource, storedReader } from '../records/index.ts';
import { chooseUsableAccount } from './choose-account.ts';
import { cursorFor } from './cursors.ts';
import { pastPace, secondsFor } from './duration.ts';
import { ABOUT_SCOPE, requireScopes, resolveScopes } from './resolve-scopes.ts';
import { type Requester, selectScopes } from './start.ts';

/** Timeout for making a plan. */
const TIMEOUT_MS = 20_000;

/** Scopes of a plan that are asked about at the same time. The client keeps to the provider's quota. */
const CONCURRENCY = 4;
/** Largest number of scopes that are asked about. The others are estimated from them. */
const MAX_ESTIMATED = 60;

/** What a plan is made with. */
interface Planning {
  db: Queryable;
  entity: EntityDefinition;
  source: RecordSource;
  cap: number | null;
  client: ProviderClient;
  since: string | null;
  signal: AbortSignal;
}

/** Estimates a run over the scope of some settings. */
async function estimateScope(
  { db, entity, source, cap, client, since }: Planning,
  settings: Readonly<Record<string, string>>,
): Promise<Estimate & { incremental: boolean }> {
  const scope = entity.scopeOf(settings);
  const cursor = (await cursorFor(db, source, { scope, cap, since })) as Json;
  const stored = storedReader(db, { ...source, scope });
  const wanted = since === null ? {} : { since };
  const estimate = await entity.estimate({
    client,
    settings,
    cursor,
    limit: limitOf(cap),
    stored,
    ...wanted,
  });
  return { ...estimate, incremental: cursor !== null };
}

type ScopesOfPlan = NonNullable<SyncPlan['scopes']>;

/** Estimates a run over a list of scopes from some of them. */
async function estimateScopes(
  planning: Planning,
  given: readonly string[],
  limit: number | null,
): Promise<Estimate & { incremental: boolean; scopes: ScopesOfPlan }> {
  const { entity, client, signal } = planning;
  const scopes = requireScopes(entity);
  const { names, cut } = await resolveScopes(entity, given, { client, signal, limit });
  const sum = { total: 0 as number | null, records: 0, requests: 0, units: 0, points: 0, incremental: true };
  const results: ScopesOfPlan['results'] = [];
  let estimated = 0;
  const estimateNext = async (name: string) => {
    try {
      const one = await estimateScope(planning, scopes.settingsOf(name));
      estimated++;
      sum.total = sum.total === null || one.total === null ? null : sum.total + one.total;
      sum.records += one.records;
      sum.requests += one.requests;
      sum.units += one.units;
      sum.points += one.points ?? 0;
      sum.incremental &&= one.incremental;
      results.push({ name, total: one.total, records: one.records, message: null });
    } catch (error) {
      if (!(error instanceof ProviderError) || !ABOUT_SCOPE.has(error.failure)) throw error;
      results.push({ name, total: null, records: 0, message: error.message });
    }
  };
  const asked = names.slice(0, MAX_ESTIMATED);
  for (let index = 0; index < asked.length; index += CONCURRENCY)
    await Promise.all(asked.slice(index, index + CONCURRENCY).map(estimateNext));
  const share = estimated === 0 ? 0 : names.length / results.length;
  const scaled = (value: number) => Math.round(value * share);
  return {
    total: sum.total === null || asked.length < names.length ? null : sum.total,
    records: scaled(sum.records),
    requests: scaled(sum.requests),
    units: scaled(sum.units),
    ...(sum.points > 0 && { points: scaled(sum.points) }),
    incremental: sum.incremental,
    scopes: {
      count: names.length,
      estimated,
      results: results.toSorted((one, other) => names.indexOf(one.name) - names.indexOf(other.name)),
      cutCount: cut.length,
      cut: cut.slice(0, SCOPE_LIMITS.named),
    },
  };
}

/**
 * Estimates what a sync would fetch, cost and take. Sends a few cheap requests to the provider and starts nothing.
 * @throws AppError validation-failed, not-connected, reconnect-needed, rate-limited, provider-unavailable
 */
export async function planSync(
  context: Context,
  parts: { registry: ConnectorRegistry; schedulers: Schedulers },
  request: Pick<
    StartSync,
    'providerId' | 'entityLabel' | 'account' | 'entitySettings' | 'scopes' | 'since'
  > & {
    by: Requester;
    /** Aborted when the caller disconnects. */
    signal: AbortSignal;
  },
): Promise<SyncPlan> {
  const { userId, plan } = request.by;
  const connector = parts.registry.connector(request.providerId);
  const entity = parts.registry.entity(request.providerId, request.entityLabel);
  parts.registry.requireOffered(connector.key);
  const { account } = request;
  const connection = await chooseUsableAccount(context.db, connector, { userId, entity: entity.id, account });
  const { cap, scopes: limit = 1 } = entity.limits[plan];
  const source = { userId, connectionId: connection.id, entity: entity.id };
  const { settings, givenScopes, since } = await selectScopes(context.db, entity, { ...request, source });
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const client = openClient(
    context,
    { ...parts, connector, connection },
    { signal, waitTimeoutMs: TIMEOUT_MS },
  );
  const planning = { db: context.db, entity, source, cap, client, since, signal };
  try {
    const startedAt = performance.now();
    const estimate =
      givenScopes === null
        ? await estimateScope(planning, settings)
        : await estimateScopes(planning, givenScopes, limit);
    const requestsMs = Math.max(0, performance.now() - startedAt - client.waitedMs);
    const pace = {
      requestSeconds: requestsMs / 1000 / Math.max(1, client.requests),
      runSeconds: await pastPace(context.db, source, estimate.requests),
    };
    const { unitsPerMinute } = connector.quota;
    const waitUntil = parts.schedulers.get(connector, connection).notBefore;
    return {
      ...estimate,
      unitsPerMinute: Number.isFinite(unitsPerMinute) ? unitsPerMinute : null,
      seconds: Math.round(secondsFor(estimate, connector.quota, pace) * 10) / 10,
      cap,
      waitUntil: waitUntil > Date.now() ? new Date(waitUntil).toISOString() : null,
    };
  } catch (error) {
    throw providerFailure(error);
  }
}
