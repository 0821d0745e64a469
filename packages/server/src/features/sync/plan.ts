import type { Estimate, Json } from '@datadeck/connectors';
import type { StartSync, SyncPlan } from '@datadeck/contract';
import type { Context } from '../../platform/context.ts';
import {
  type ConnectorRegistry,
  openClient,
  providerFailure,
  type Schedulers,
  usableConnection,
} from '../connections/index.ts';
import { checkSettings, cursorFor, type Starter } from './start.ts';

/** What one request takes, about. Gmail and GitHub answer in 100 to 500 ms. */
const REQUEST_SECONDS = 0.25;
/** A plan that takes longer than this to make is given up. */
const PATIENCE_MS = 20_000;

/** Seconds that the requests take within the quota: a minute's units may be spent at once, more take their minutes. */
export function secondsFor(
  cost: Pick<Estimate, 'requests' | 'units'>,
  quota: { unitsPerMinute: number; concurrency: number },
): number {
  const byQuota = cost.units > quota.unitsPerMinute ? (60 * cost.units) / quota.unitsPerMinute : 0;
  return Math.max(byQuota, (cost.requests * REQUEST_SECONDS) / quota.concurrency);
}

/**
 * What a sync with these settings would fetch, cost and take. Asks the provider a few cheap questions; starts nothing.
 * @throws AppError validation-failed, not-connected, reconnect-needed, rate-limited, provider-unavailable
 */
export async function planSync(
  context: Context,
  parts: { registry: ConnectorRegistry; schedulers: Schedulers },
  request: Pick<StartSync, 'providerId' | 'entityLabel' | 'entitySettings'> & {
    by: Starter;
    /** Ends the plan: its caller has left. */
    signal: AbortSignal;
  },
): Promise<SyncPlan> {
  const { userId, plan } = request.by;
  const connector = parts.registry.connector(request.providerId);
  const entity = parts.registry.entity(request.providerId, request.entityLabel);
  const settings = checkSettings(entity, request.entitySettings);
  const connection = await usableConnection(context, userId, connector);
  const { cap } = entity.limits[plan];
  const source = { userId, connectionId: connection.id, entity: entity.id };
  const cursor = (await cursorFor(context.db, source, { scope: entity.scopeOf(settings), cap })) as Json;
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(PATIENCE_MS)]);
  const limits = { signal, patienceMs: PATIENCE_MS };
  const client = openClient(context, { ...parts, connector, connection }, limits);
  try {
    const estimate = await entity.estimate({ client, settings, cursor, limit: cap });
    const { unitsPerMinute } = connector.quota;
    const waitUntil = parts.schedulers.get(connector, connection).notBefore;
    return {
      ...estimate,
      incremental: cursor !== null,
      unitsPerMinute: Number.isFinite(unitsPerMinute) ? unitsPerMinute : null,
      seconds: Math.round(secondsFor(estimate, connector.quota) * 10) / 10,
      cap,
      waitUntil: waitUntil > Date.now() ? new Date(waitUntil).toISOString() : null,
    };
  } catch (error) {
    throw providerFailure(error);
  }
}
