import { z } from 'zod';

export const PLANS = ['demo', 'standard', 'pro'] as const;
export const planSchema = z.enum(PLANS);
export type Plan = z.infer<typeof planSchema>;

/** Records a sync keeps at most, and runs a calendar month (UTC) may hold, by plan. */
export type PlanLimits = Readonly<Record<Plan, { cap: number; monthlyRuns: number }>>;

const DOCUMENT_LIMITS: PlanLimits = {
  demo: { cap: 10, monthlyRuns: 50 },
  standard: { cap: 500, monthlyRuns: 50 },
  pro: { cap: 5000, monthlyRuns: 300 },
};

/** The limits of the specified entities (specification, point 9); each entity declares its own. */
export const PLAN_LIMITS = {
  'gmail-labels': {
    demo: { cap: 10, monthlyRuns: 100 },
    standard: { cap: 10, monthlyRuns: 100 },
    pro: { cap: 50, monthlyRuns: 1000 },
  },
  'gmail-messages': DOCUMENT_LIMITS,
  'gh-pulls': DOCUMENT_LIMITS,
} as const satisfies Record<string, PlanLimits>;

/** True for the plans that may change things (specification, point 6). */
export function mayChange(plan: Plan | undefined): boolean {
  return plan === 'standard' || plan === 'pro';
}
