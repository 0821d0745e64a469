import { z } from 'zod';

export const PLANS = ['demo', 'standard', 'pro'] as const;
export const planSchema = z.enum(PLANS);
export type Plan = z.infer<typeof planSchema>;

export const ENTITY_LABELS = ['gmail-labels', 'gmail-messages', 'gh-pulls'] as const;
export type EntityLabel = (typeof ENTITY_LABELS)[number];

/** Records a sync keeps at most, and runs a calendar month (UTC) may hold, by plan (specification, point 9). */
export const PLAN_LIMITS: Record<EntityLabel, Record<Plan, { cap: number; monthlyRuns: number }>> = {
  'gmail-labels': {
    demo: { cap: 10, monthlyRuns: 100 },
    standard: { cap: 10, monthlyRuns: 100 },
    pro: { cap: 50, monthlyRuns: 1000 },
  },
  'gmail-messages': {
    demo: { cap: 10, monthlyRuns: 50 },
    standard: { cap: 500, monthlyRuns: 50 },
    pro: { cap: 5000, monthlyRuns: 300 },
  },
  'gh-pulls': {
    demo: { cap: 10, monthlyRuns: 50 },
    standard: { cap: 500, monthlyRuns: 50 },
    pro: { cap: 5000, monthlyRuns: 300 },
  },
};

/** True for the plans that may change things (specification, point 6). */
export function mayChange(plan: Plan | undefined): boolean {
  return plan === 'standard' || plan === 'pro';
}
