import { z } from 'zod';
import { settingValuesSchema } from './entities.ts';

export const SCHEDULE_INTERVALS = ['hourly', 'daily'] as const;
export type ScheduleInterval = (typeof SCHEDULE_INTERVALS)[number];

/** What keeps a schedule from running at its next time. */
export const SCHEDULE_HINDRANCES = ['month-used-up', 'reconnect-needed', 'plan-forbids'] as const;

/** How often an entity is synchronised by itself. */
export const scheduleSchema = z.object({
  providerId: z.string(),
  entityLabel: z.string(),
  every: z.enum(['off', ...SCHEDULE_INTERVALS]),
  /** Settings of the runs. */
  entitySettings: z.record(z.string(), z.string()),
  /** ISO instant of the next run; null: off. */
  nextAt: z.string().nullable(),
  /** Why the last time passed without a run; null: it did not. */
  hindrance: z.enum(SCHEDULE_HINDRANCES).nullable(),
});
export type Schedule = z.infer<typeof scheduleSchema>;

export const saveScheduleSchema = scheduleSchema.pick({ every: true }).extend({
  entitySettings: settingValuesSchema.nullish(),
});
export type SaveSchedule = z.infer<typeof saveScheduleSchema>;

/** Runs of a schedule in a month of 30 days. */
export const RUNS_A_MONTH: Record<ScheduleInterval, number> = { hourly: 720, daily: 30 };
