import type { EntityDefinition, EstimateRequest } from '@datadeck/connectors';
import { limitOf, type Verification } from '@datadeck/contract';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
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
import { settingsOf } from './to-response.ts';

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
  const connection = requireUsable(await findConnection(context.db, userId, run.connectionId), connector);
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const limits = { signal, waitTimeoutMs: TIMEOUT_MS };
  const client = openClient(context, { ...parts, connector, connection }, limits);
  const stored = await idsInScope(context.db, run);
  const source = {
    client,
    settings: settingsOf(run),
    limit: limitOf(run.cap),
    stored: storedReader(context.db, run),
  };
  const entity = parts.registry.entity(run.provider, run.entity);
  const { total, gone } = await compareIds(entity, source, stored).catch((error: unknown) => {
    throw providerFailure(error);
  });
  const expected = Math.min(total, limitOf(run.cap));
  return {
    checkedAt: new Date().toISOString(),
    provider: total,
    stored: stored.size,
    missing: Math.max(0, expected - (stored.size - gone)),
    gone,
  };
}

/**
 * Lists the provider's ids, newest first. For a scope truncated by the plan's cap, stops once every stored id has
 * appeared: the provider may have hundreds of thousands more, and their count is enough.
 * @returns the provider's number of records, and how many stored records it no longer has
 */
async function compareIds(
  entity: EntityDefinition,
  source: Pick<EstimateRequest, 'client' | 'settings' | 'limit' | 'stored'>,
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
