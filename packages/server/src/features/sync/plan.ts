import type { Json } from '@datadeck/connectors';
import { limitOf, type StartSync, type SyncPlan } from '@datadeck/contract';
import type { Context } from '../../platform/context/index.ts';
import {
  type ConnectorRegistry,
  openClient,
  providerFailure,
  type Schedulers,
} from '../connections/index.ts';
import { storedReader } from '../records/index.ts';
import { chooseUsableAccount } from './choose-account.ts';
import { pastPace, secondsFor } from './duration.ts';
import { checkSettings, cursorFor, type Requester } from './start.ts';

/** Timeout for making a plan. */
const TIMEOUT_MS = 20_000;

/**
 * Estimates what a sync with these settings would fetch, cost and take. Sends a few cheap requests to the provider and
 * starts nothing.
 * @throws AppError validation-failed, not-connected, reconnect-needed, rate-limited, provider-unavailable
 */
export async function planSync(
  context: Context,
  parts: { registry: ConnectorRegistry; schedulers: Schedulers },
  request: Pick<StartSync, 'providerId' | 'entityLabel' | 'account' | 'entitySettings'> & {
    by: Requester;
    /** Aborted when the caller disconnects. */
    signal: AbortSignal;
  },
): Promise<SyncPlan> {
  const { userId, plan } = request.by;
  const connector = parts.registry.connector(request.providerId);
  const entity = parts.registry.entity(request.providerId, request.entityLabel);
  const settings = checkSettings(entity, request.entitySettings);
  const { account } = request;
  const connection = await chooseUsableAccount(context.db, connector, { userId, entity: entity.id, account });
  const { cap } = entity.limits[plan];
  const scope = entity.scopeOf(settings);
  const source = { userId, connectionId: connection.id, entity: entity.id };
  const cursor = (await cursorFor(context.db, source, { scope, cap })) as Json;
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const limits = { signal, waitTimeoutMs: TIMEOUT_MS };
  const client = openClient(context, { ...parts, connector, connection }, limits);
  try {
    const stored = storedReader(context.db, { ...source, scope });
    const startedAt = performance.now();
    const estimate = await entity.estimate({ client, settings, cursor, limit: limitOf(cap), stored });
    const requestsMs = Math.max(0, performance.now() - startedAt - client.waitedMs);
    const pace = {
      requestSeconds: requestsMs / 1000 / Math.max(1, client.requests),
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
