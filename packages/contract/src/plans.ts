import { z } from 'zod';

/** The plans of users. */
export const PLANS = ['demo', 'standard', 'pro'] as const;
/** One of `PLANS`, e.g. `pro`. */
export const planSchema = z.enum(PLANS);
export type Plan = z.infer<typeof planSchema>;

/**
 * By plan: largest number of records that a sync keeps of a scope (`cap`), of runs per calendar month in UTC, and of scopes of a
 * source; null for no limit. Absent `scopes`: one.
 */
export type PlanLimits = Readonly<
  Record<Plan, { cap: number | null; monthlyRuns: number | null; scopes?: number | null }>
>;

/** Returns a limit as a number that can be compared: infinity for no limit. */
export function limitOf(limit: number | null): number {
  return limit ?? Number.POSITIVE_INFINITY;
}

const DOCUMENT_LIMITS: PlanLimits = {
  demo: { cap: 10, monthlyRuns: 50, scopes: 1 },
  standard: { cap: 500, monthlyRuns: 50, scopes: 100 },
  pro: { cap: 5000, monthlyRuns: 300, scopes: 1000 },
};

/**
 * Limits of the entities in the specification (point 9). Connectors use them in their declarations; an operator may change
 * them on the server, so only the server's answers say what holds.
 */
export const PLAN_LIMITS = {
  'gmail-labels': {
    demo: { cap: 10, monthlyRuns: 100 },
    standard: { cap: 10, monthlyRuns: 100 },
    pro: { cap: 50, monthlyRuns: 1000 },
  },
  'gmail-messages': DOCUMENT_LIMITS,
  'gh-pulls': DOCUMENT_LIMITS,
} as const satisfies Record<string, PlanLimits>;

/** An address that a shell reads as one plain word; the first character keeps it from being an option. */
const PLAIN_ADDRESS = /^[\w+][\w.+-]{0,63}@[\w.-]{1,255}$/;

/** Whose limits an administrator can raise: `{ id: '0b1f…', email: 'ada@example.org', emailVerified: true, plan: 'standard' }`. */
export interface LimitedUser {
  id: string;
  email: string;
  /** Commands find accounts by verified addresses only. */
  emailVerified: boolean;
  plan: Plan;
}

/** Returns the command that puts a user on the next plan; undefined if there is none. */
export function planCommand({ id, email, emailVerified, plan }: LimitedUser): string | undefined {
  if (plan !== 'standard') return undefined;
  return `datadeck plan ${emailVerified && PLAIN_ADDRESS.test(email) ? email : id} pro`;
}

/** Says how the administrator raises a limit of a user's plan. */
export function limitRemedy(user: LimitedUser): string {
  const command = planCommand(user);
  return `The administrator can raise this: ${command === undefined ? '' : `\`${command}\`, or `}PLAN_LIMITS`;
}

/** Returns whether the plan allows changes (specification, point 6). */
export function mayChange(plan: Plan | undefined): boolean {
  return plan === 'standard' || plan === 'pro';
}
