import type { Json } from '@datadeck/connectors';
import type { StartSync, SyncPlan } from '@datadeck/contract';
import type { Context } from '../../platform/context/index.ts';
import {
  type ConnectorRegistry,
  openClient,
  providerFailure,
  type Schedulers,
  usableConnection,
} from '../connections/index.ts';
import { pastPace, secondsFor } from './duration.ts';
import { checkSettings, cursorFor, type Starter } from './start.ts';

/** A plan that takes longer than this to make is given up. */
const TIMEOUT_MS = 20_000;

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
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const limits = { signal, waitTimeoutMs: TIMEOUT_MS };
  const client = openClient(context, { ...parts, connector, connection }, limits);
  try {
    const begin = performance.now();
    const estimate = await entity.estimate({ client, settings, cursor, limit: cap });
    const askedMs = Math.max(0, performance.now() - begin - client.waitedMs);
    const pace = {
      requestSeconds: askedMs / 1000 / Math.max(1, client.requests),
      runSeconds: await pastPace(context.db, source, estimate.requests),
    };
    const { unitsPerMinute } = connector.quota;
    const waitUntil = parts.schedulers.get(connector, connection).notBefore;
    return {
      ...estimate,
      incremental: cursor !== null,
      unitsPerMinute: Number.isFinite(unitsPerMinute) ? unitsPerMinute : null,
      seconds: Math.round(secondsFor(estimate, connector.quota, pace) * 10) / 10,
      cap,
      waitUntil: waitUntil > Date.now() ? new Date(waitUntil).toISOString() : null,
    };
  } catch (error) {
    throw providerFailure(error);
  }
}
