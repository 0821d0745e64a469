import type { Results } from '@datadeck/contract';
import type { Context } from '../../platform/context/index.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { exampleRecords, requirePrepared, sourceOf } from '../records/index.ts';

/**
 * Returns example records of an entity, none before the provider was first connected. @throws AppError not-found,
 * unavailable
 */
export async function readExamples(
  context: Context,
  registry: ConnectorRegistry,
  request: { userId: string; providerId: string; entityLabel: string; limit: number },
): Promise<Results> {
  const { userId, limit } = request;
  const entity = registry.entity(request.providerId, request.entityLabel);
  const source = await sourceOf(context, registry, { userId, entity: entity.id });
  if (!source) return { results: [], count: 0 };
  await requirePrepared(context.db, source, { entity });
  return exampleRecords(context.db, source, { entity, limit });
}
