import { z } from 'zod';
import { accountNameSchema, defineEndpoints, idSchema, okSchema } from './endpoint.ts';
import { settingValuesSchema } from './entities.ts';
import { scopeListSchema } from './scopes.ts';
import { timeZoneSchema } from './time-zones.ts';

/** Intervals of scheduled syncs. */
export const SCHEDULE_INTERVALS = ['hourly', 'daily'] as const;
export type ScheduleInterval = (typeof SCHEDULE_INTERVALS)[number];

/** Reasons why a scheduled run was not started. */
export const SCHEDULE_BLOCKED_REASONS = ['month-used-up', 'reconnect-needed', 'plan-forbids'] as const;

/** Schedules per user, and the longest cron line, UTF-16 units. */
export const SCHEDULE_LIMITS = { perUser: 50, cron: 100 } as const;

/** Five fields of numbers, `*`, lists, ranges, steps, and names of three letters. */
const CRON_LINE = /^(?:[\d*,/-]|[A-Za-z]{3})+(?:[ \t]+(?:[\d*,/-]|[A-Za-z]{3})+){4}$/;

/** A cron line of five fields, e.g. `30 7 * * 1-5`. The server also checks its values. */
export const cronLineSchema = z
  .string()
  .trim()
  .min(1, 'Required')
  .max(SCHEDULE_LIMITS.cron, `Must be ${SCHEDULE_LIMITS.cron} characters or less`)
  .regex(CRON_LINE, 'Must be a cron line of five fields, such as 30 7 * * 1-5');

const timesSchema = z.object({
  /** Minute, hour, day of the month, month and day of the week at which runs start. */
  cron: cronLineSchema,
  /** Time zone of the cron line, e.g. `Europe/Berlin`. */
  timeZone: timeZoneSchema,
});
export type ScheduleTimes = z.infer<typeof timesSchema>;

/** The next times of a cron line: `{ nextTimes: ['2026-11-26T06:30:00.000Z', …], runsPerMonth: 31 }`. */
export const timetableSchema = z.object({
  /** ISO instants of the next runs, at most three; empty when off. */
  nextTimes: z.array(z.string()),
  /** Scheduled runs in the month that has most of them, e.g. 31. */
  runsPerMonth: z.number().int(),
});
export type Timetable = z.infer<typeof timetableSchema>;

/** A schedule of an entity: `{ providerId: 'github', entityLabel: 'gh-pulls', every: 'daily', … }`. */
export const scheduleSchema = timetableSchema.extend({
  /** Null when off. */
  _id: z.string().nullable(),
  providerId: z.string(),
  entityLabel: z.string(),
  /** The account that its runs read. */
  account: z.string(),
  /** `cron` for the times of a cron line. */
  every: z.enum(['off', ...SCHEDULE_INTERVALS, 'cron']),
  /** The cron line; null for other intervals. */
  cron: z.string().nullable(),
  /** Time zone of the cron line; `UTC` for other intervals. */
  timeZone: z.string(),
  /** Settings of the scheduled runs. */
  entitySettings: z.record(z.string(), z.string()),
  /** Names and patterns of the scopes that its runs read, none: those of the source; absent: the scope of its settings. */
  scopes: z.array(z.string()).optional(),
  /** ISO instant of the next run; null when off. */
  nextAt: z.string().nullable(),
  /** Reason why the last scheduled run was not started; null if it was. */
  blockedReason: z.enum(SCHEDULE_BLOCKED_REASONS).nullable(),
});
export type Schedule = z.infer<typeof scheduleSchema>;

const settingsSchema = z.object({
  entitySettings: settingValuesSchema.nullish(),
  /** Scopes that its runs read instead of the one of the settings; empty: those of the source. */
  scopes: scopeListSchema.nullish(),
});

/** Request to set an interval: `{ every: 'daily', entitySettings: { owner: 'octocat', repo: 'hello-world' } }`. */
export const saveScheduleSchema = settingsSchema.extend({
  every: z.enum(['off', ...SCHEDULE_INTERVALS]),
  account: accountNameSchema,
});
export type SaveSchedule = z.infer<typeof saveScheduleSchema>;

/** Request to change a schedule: `{ cron: '30 7 * * 1-5', timeZone: 'Europe/Berlin', entitySettings: { … } }`. */
export const updateScheduleSchema = timesSchema.extend(settingsSchema.shape);
export type UpdateSchedule = z.infer<typeof updateScheduleSchema>;

/** Request to add a schedule to an entity: that of a change, with `providerId`, `entityLabel` and optionally `account`. */
export const createScheduleSchema = updateScheduleSchema.extend({
  providerId: idSchema,
  entityLabel: idSchema,
  account: accountNameSchema,
});
export type CreateSchedule = z.infer<typeof createScheduleSchema>;

/** Scheduled runs in a month of 30 days, by interval. */
export const RUNS_PER_MONTH: Record<ScheduleInterval, number> = { hourly: 720, daily: 30 };

/** Endpoints of schedules. */
export const SCHEDULE_ENDPOINTS = defineEndpoints({
  schedules: {
    method: 'GET',
    path: '/api/integrations/schedules',
    summary: 'Schedules of the shown accounts',
    access: 'user',
    response: z.array(scheduleSchema),
  },
  createSchedule: {
    method: 'POST',
    path: '/api/integrations/schedules',
    summary: 'Add a schedule by a cron line to an entity',
    access: 'change',
    body: createScheduleSchema,
    response: scheduleSchema,
    status: 201,
  },
  saveSchedule: {
    method: 'PUT',
    path: '/api/integrations/schedules/{providerId}/{entityLabel}',
    summary: 'Synchronise an entity hourly, daily or not at all',
    access: 'change',
    params: z.object({ providerId: idSchema, entityLabel: idSchema }),
    body: saveScheduleSchema,
    response: scheduleSchema,
  },
  updateSchedule: {
    method: 'PUT',
    path: '/api/integrations/schedules/{id}',
    summary: 'Change the cron line, time zone or settings of a schedule',
    access: 'change',
    params: z.object({ id: idSchema }),
    body: updateScheduleSchema,
    response: scheduleSchema,
  },
  deleteSchedule: {
    method: 'DELETE',
    path: '/api/integrations/schedules/{id}',
    summary: 'Delete a schedule',
    access: 'change',
    params: z.object({ id: idSchema }),
    response: okSchema,
  },
  timetable: {
    method: 'GET',
    path: '/api/integrations/timetable',
    summary: 'The next times of a cron line, and its runs a month',
    access: 'user',
    query: timesSchema,
    response: timetableSchema,
  },
});
