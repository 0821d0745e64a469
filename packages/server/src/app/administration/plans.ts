import { type AdminPlans, PLANS } from '@datadeck/contract';
import { countByPlan } from '../../features/accounts/index.ts';
import type { Product } from '../product.ts';

/** Returns the accounts of each plan, and the limits of each entity. */
export async function describePlans({ context, registry }: Product): Promise<AdminPlans> {
  const { PLAN_LIMITS } = context.config;
  return {
    source: PLAN_LIMITS === undefined ? 'product' : PLAN_LIMITS === 'none' ? 'none' : 'file',
    accounts: await countByPlan(context.db),
    entities: registry.all().flatMap(({ title: provider, entities }) =>
      entities.map(({ id, title, limits }) => ({
        entity: id,
        title,
        provider,
        limits: Object.fromEntries(
          PLANS.map((plan) => {
            const { cap, monthlyRuns, scopes = 1 } = limits[plan];
            return [plan, { cap, monthlyRuns, scopes }];
          }),
        ) as AdminPlans['entities'][number]['limits'],
      })),
    ),
  };
}
