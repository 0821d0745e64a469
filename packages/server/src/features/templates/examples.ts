import type { Results } from '@datadeck/contract';
import type { Context } from '../../platform/context/index.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { exampleRecords, findRecordSet, openRecords } from '../records/index.ts';

/**
 * Returns example records of an entity, none before the provider was first connected. @throws AppError not-found,
 * unavailable
 */
export async function readExamples(
  context: Context,
  registry: ConnectorRegistry,
  request: {
    userId: string;
    providerId: string;
    entityLabel: string;
    account?: string | undefined;
    limit: number;
  },
): Promise<Results> {
  const { userId, account, limit } = request;
  const entity = registry.entity(request.providerId, request.entityLabel);
  const set = await findRecordSet(context.db, registry, { userId, entity: entity.id, account });
  if (!set) return { results: [], count: 0 };
  return exampleRecords(context.db, await openRecords(context.db, set, { entity }), { entity, limit });
}
