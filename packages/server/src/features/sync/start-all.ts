import type { StartedAll } from '@datadeck/contract';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { describeEntities } from './entities.ts';
import { type Requester, startSync } from './start.ts';

/**
 * Starts a sync of each source that was synchronised before: with its scopes, or with the settings of its last sync.
 * @returns the started syncs, and why others were not started
 */
export async function startAllSyncs(
  context: Context,
  registry: ConnectorRegistry,
  by: Requester,
): Promise<StartedAll> {
  const all: StartedAll = { started: [], skipped: [] };
  for (const { id: entityLabel, providerId, accounts } of await describeEntities(context, registry, by))
    for (const { account, status, lastSettings, source } of accounts) {
      if (status === 'disconnected' || (lastSettings === null && source === null)) continue;
      const what = { providerId, entityLabel, account };
      try {
        const scopes = source ? { scopes: [] } : { entitySettings: lastSettings };
        all.started.push(await startSync(context, registry, { ...what, ...scopes, by }));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        all.skipped.push({ ...what, message: error.message });
      }
    }
  return all;
}
