import type { Verification } from '@datadeck/contract';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context.ts';
import {
  type ConnectorRegistry,
  openClient,
  providerFailure,
  type Schedulers,
  usableConnection,
} from '../connections/index.ts';
import { idsInScope } from '../records/index.ts';
import { findSync } from './list.ts';
import { settingsOf } from './wire.ts';

/** Listing ids of the largest plan takes seconds; a provider that takes longer is given up. */
const PATIENCE_MS = 60_000;

/**
 * Compares the ids that a sync's scope holds with the provider's, without fetching the records where the provider lists
 * ids alone. Of a scope larger than the plan keeps, only what is stored and how much of it can be compared.
 * @throws AppError not-found, sync-running, not-connected, reconnect-needed, rate-limited, provider-unavailable
 */
export async function verifySync(
  context: Context,
  parts: { registry: ConnectorRegistry; schedulers: Schedulers },
  request: { userId: string; id: string },
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
  const limits = { signal: AbortSignal.timeout(PATIENCE_MS), patienceMs: PATIENCE_MS };
  const client = openClient(context, { ...parts, connector, connection }, limits);
  const stored = await idsInScope(context.db, run);
  const known = new Set<string>();
  try {
    const settings = settingsOf(run);
    for await (const ids of parts.registry.entity(run.provider, run.entity).listIds({ client, settings }))
      for (const one of ids) known.add(one);
  } catch (error) {
    throw providerFailure(error);
  }
  const gone = [...stored].filter((one) => !known.has(one)).length;
  const due = Math.min(known.size, run.cap);
  return {
    checkedAt: new Date().toISOString(),
    provider: known.size,
    stored: stored.size,
    missing: Math.max(0, due - (stored.size - gone)),
    gone,
  };
}
