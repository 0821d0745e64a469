import type { EntityDefinition, EstimateRequest } from '@datadeck/connectors';
import type { Verification } from '@datadeck/contract';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import {
  type ConnectorRegistry,
  openClient,
  providerFailure,
  type Schedulers,
  usableConnection,
} from '../connections/index.ts';
import { findSync } from './list.ts';
import { idsInScope } from './storage/index.ts';
import { settingsOf } from './wire.ts';

/** Listing as many ids as a plan keeps takes seconds; a provider that takes longer is given up. */
const PATIENCE_MS = 60_000;

/**
 * Compares the ids that a sync's scope holds with the provider's, without fetching the records where the provider lists
 * ids alone. Of a scope larger than the plan keeps, only what is stored and how much of it can be compared.
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
  const connection = await usableConnection(context, userId, connector);
  if (connection.id !== run.connectionId)
    throw new AppError(
      'not-connected',
      `This data came from another ${connector.title} account. Connect that one to verify it.`,
    );
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(PATIENCE_MS)]);
  const limits = { signal, waitTimeoutMs: PATIENCE_MS };
  const client = openClient(context, { ...parts, connector, connection }, limits);
  const stored = await idsInScope(context.db, run);
  const source = { client, settings: settingsOf(run), limit: run.cap };
  const entity = parts.registry.entity(run.provider, run.entity);
  const { total, gone } = await compare(entity, source, stored).catch((error: unknown) => {
    throw providerFailure(error);
  });
  const due = Math.min(total, run.cap);
  return {
    checkedAt: new Date().toISOString(),
    provider: total,
    stored: stored.size,
    missing: Math.max(0, due - (stored.size - gone)),
    gone,
  };
}

/**
 * Lists the newest until each stored record was met, where as many are stored as the plan keeps: the provider may have
 * hundreds of thousands more, of which the count is enough.
 * @returns how many the provider has, and how many stored ones it has no longer
 */
async function compare(
  entity: EntityDefinition,
  source: Pick<EstimateRequest, 'client' | 'settings' | 'limit'>,
  stored: ReadonlySet<string>,
): Promise<{ total: number; gone: number }> {
  const isCut = stored.size >= source.limit;
  const total = isCut ? (await entity.estimate({ ...source, cursor: null })).total : null;
  const known = new Set<string>();
  const left = new Set(stored);
  for await (const ids of entity.listIds(source)) {
    for (const id of ids) {
      known.add(id);
      left.delete(id);
    }
    if (total !== null && left.size === 0) break;
  }
  return { total: Math.max(known.size, total ?? 0), gone: left.size };
}
