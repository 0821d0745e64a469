import type { Schedule } from '@datadeck/contract';

/** Ways to choose the times of a schedule. */
export type ScheduleKind = 'hourly' | 'daily' | 'weekdays' | 'cron';

/** The times that a form holds: each kind uses its own part. */
export interface ChosenTimes {
  kind: ScheduleKind;
  /** Minute of an hour, as typed. */
  minute: string;
  /** Time of a day, `07:30`; empty when incomplete. */
  time: string;
  /** The cron line, as typed. */
  line: string;
}

/** Returns the cron line of chosen times; empty while they are incomplete. */
export function cronLineOf({ kind, minute, time, line }: ChosenTimes): string {
  if (kind === 'cron') return line.trim();
  if (kind === 'hourly') return minute.trim() === '' ? '' : `${minute.trim()} * * * *`;
  const [hours, minutes] = time.split(':');
  if (!hours || !minutes) return '';
  return `${Number(minutes)} ${Number(hours)} * * ${kind === 'daily' ? '*' : '1-5'}`;
}

const HOURLY = /^(\d{1,2}) \* \* \* \*$/;
const DAYS = /^(\d{1,2}) (\d{1,2}) \* \* (\*|1-5)$/;

/** Describes the times of a schedule: `Daily at 07:30, Europe/Berlin`; a cron line as it is. */
export function timesInWords({
  every,
  cron,
  timeZone,
}: Pick<Schedule, 'every' | 'cron' | 'timeZone'>): string {
  if (cron === null) return every === 'hourly' ? 'Hourly' : 'Daily';
  const [, past] = HOURLY.exec(cron) ?? [];
  if (past !== undefined) return `Hourly at minute ${past}, ${timeZone}`;
  const [, minute = '', hour = '', weekdays] = DAYS.exec(cron) ?? [];
  if (weekdays === undefined) return `${cron}, ${timeZone}`;
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  return `${weekdays === '*' ? 'Daily' : 'Mondays to Fridays'} at ${time}, ${timeZone}`;
}
