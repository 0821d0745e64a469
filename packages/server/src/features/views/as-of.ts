import { AS_OF_LIMITS, type ViewRuns } from '@datadeck/contract';
import type { Context } from '../../platform/context/index.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { findSearchedSet } from '../search/index.ts';
import { listReachableRuns, type ReadSources } from '../sync/index.ts';
import { findTemplate, sourcesOf } from '../templates/index.ts';
import { basesOf, chainOf, findView } from './graph.ts';
import { accountOfBase } from './plan.ts';

const NO_RUNS: ViewRuns = { results: [], count: 0, isCut: false };

/**
 * Lists the runs as of whose end a view can be read, newest first: as far as the undo logs of all its sources reach.
 * @throws AppError not-found, validation-failed for an account whose records are not shown
 */
export async function listViewRuns(
  context: Context,
  registry: ConnectorRegistry,
  request: { userId: string; viewId: string; page: number; account?: string | undefined },
): Promise<ViewRuns> {
  const { db } = context;
  const { userId, viewId, page, account } = request;
  const chain = await chainOf(db, userId, await findView(db, userId, viewId));
  const bases = chain.flatMap(basesOf).filter(({ basedOn }) => basedOn === null);
  const { provider } = chain.at(-1) ?? {};
  const sources: ReadSources[] = [];
  for (const base of bases) {
    const { entity, templateKey } = base;
    const set = await findSearchedSet(context, registry, {
      userId,
      entity,
      account: accountOfBase(base, { provider, account }),
      search: base.search ?? '',
    });
    const { template } = findTemplate(registry, { entity, templateKey: templateKey ?? '' });
    if (set) sources.push({ set, entities: sourcesOf(entity, template) });
  }
  const [first, ...others] = sources;
  if (!first) return NO_RUNS;
  const limit = AS_OF_LIMITS.runsPage;
  return listReachableRuns(db, [first, ...others], { limit, offset: (page - 1) * limit });
}
