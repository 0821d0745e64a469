import { z } from 'zod';
import { accountNameSchema } from './endpoint.ts';
import { settingValuesSchema } from './entities.ts';

/** Intervals of scheduled syncs. */
export const SCHEDULE_INTERVALS = ['hourly', 'daily'] as const;
export type ScheduleInterval = (typeof SCHEDULE_INTERVALS)[number];

/** Reasons why a scheduled run was not started. */
export const SCHEDULE_BLOCKED_REASONS = ['month-used-up', 'reconnect-needed', 'plan-forbids'] as const;

/** The schedule of an entity: `{ providerId: 'github', entityLabel: 'gh-pulls', every: 'daily', … }`. */
export const scheduleSchema = z.object({
  providerId: z.string(),
  entityLabel: z.string(),
  /** The account that its runs read. */
  account: z.string(),
  every: z.enum(['off', ...SCHEDULE_INTERVALS]),
  /** Settings of the scheduled runs. */
  entitySettings: z.record(z.string(), z.string()),
  /** ISO instant of the next run; null when off. */
  nextAt: z.string().nullable(),
  /** Reason why the last scheduled run was not started; null if it was. */
  blockedReason: z.enum(SCHEDULE_BLOCKED_REASONS).nullable(),
});
export type Schedule = z.infer<typeof scheduleSchema>;

/** Request to change a schedule: `{ every: 'daily', entitySettings: { owner: 'octocat', repo: 'hello-world' } }`. */
export const saveScheduleSchema = scheduleSchema.pick({ every: true }).extend({
  account: accountNameSchema,
  entitySettings: settingValuesSchema.nullish(),
});
export type SaveSchedule = z.infer<typeof saveScheduleSchema>;

/** Scheduled runs in a month of 30 days, by interval. */
export const RUNS_PER_MONTH: Record<ScheduleInterval, number> = { hourly: 720, daily: 30 };
