import { AS_OF_LIMITS, type ViewRuns } from '@datadeck/contract';
import type { Context } from '../../platform/context/index.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { findRecordSet } from '../records/index.ts';
import { listReachableRuns, type ReadSources } from '../sync/index.ts';
import { findTemplate, SEARCHES_NOW, sourcesOf } from '../templates/index.ts';
import { basesOf, chainOf, findView } from './graph.ts';
import { accountOfBase } from './plan.ts';

const NO_RUNS: ViewRuns = { results: [], count: 0, isCut: false, refusal: null };

/**
 * Lists the runs as of whose end a view can be read, newest first: as far as the undo logs of all its sources reach.
 * @throws AppError not-found, validation-failed for an account whose records are not shown
 */
export async function listViewRuns(
  { db }: Context,
  registry: ConnectorRegistry,
  request: { userId: string; viewId: string; page: number; account?: string | undefined },
): Promise<ViewRuns> {
  const { userId, viewId, page, account } = request;
  const chain = await chainOf(db, userId, await findView(db, userId, viewId));
  const bases = chain.flatMap(basesOf).filter(({ basedOn }) => basedOn === null);
  if (bases.some(({ search }) => search)) return { ...NO_RUNS, refusal: SEARCHES_NOW };
  const { provider } = chain.at(-1) ?? {};
  const sources: ReadSources[] = [];
  for (const base of bases) {
    const { entity, templateKey } = base;
    const set = await findRecordSet(db, registry, {
      userId,
      entity,
      account: accountOfBase(base, { provider, account }),
    });
    const { template } = findTemplate(registry, { entity, templateKey: templateKey ?? '' });
    if (set) sources.push({ set, entities: sourcesOf(entity, template) });
  }
  const [first, ...others] = sources;
  if (!first) return NO_RUNS;
  const limit = AS_OF_LIMITS.runsPage;
  const runs = await listReachableRuns(db, [first, ...others], { limit, offset: (page - 1) * limit });
  return { ...runs, refusal: null };
}
