import {
  limitOf,
  RUNS_PER_MONTH,
  type SaveSchedule,
  type Schedule,
  type ScheduleInterval,
  type UserEntity,
} from '@datadeck/contract';
import { formatDate } from '../../ui/date-time.tsx';
import { countOf, formatCount } from '../../ui/duration.ts';

const NAMES: Record<ScheduleInterval, string> = { hourly: 'Hourly', daily: 'Daily' };

/** Returns whether a schedule needs more runs a month than the plan allows. */
export function exceedsPlan(every: SaveSchedule['every'], { usage }: UserEntity): boolean {
  return every !== 'off' && RUNS_PER_MONTH[every] > limitOf(usage.allowed);
}

/** Describes the runs of a schedule under a plan without a limit of runs. */
function unlimitedSentence(every: SaveSchedule['every']): string {
  const ends = 'Your plan has no limit of runs.';
  return every === 'off'
    ? ends
    : `${NAMES[every]} uses about ${formatCount(RUNS_PER_MONTH[every])} runs a month. ${ends}`;
}

/** Describes how many of the monthly runs a schedule uses. */
export function costSentence(every: SaveSchedule['every'], { usage }: UserEntity): string {
  if (usage.allowed === null) return unlimitedSentence(every);
  const allowed = formatCount(usage.allowed);
  if (every === 'off')
    return `Daily uses about ${RUNS_PER_MONTH.daily} of your ${allowed} runs a month, hourly about ${RUNS_PER_MONTH.hourly}.`;
  const needed = formatCount(RUNS_PER_MONTH[every]);
  if (RUNS_PER_MONTH[every] <= usage.allowed)
    return `${NAMES[every]} uses about ${needed} runs a month; your plan allows ${allowed}.`;
  const days = Math.max(1, Math.floor((usage.allowed / RUNS_PER_MONTH[every]) * 30));
  return `${NAMES[every]} uses about ${needed} runs a month; your plan allows ${allowed}. They last about ${days === 1 ? 'a day' : `${days} days`}; after that, you cannot synchronize until the month ends, not even manually.`;
}

/** Describes the runs of a schedule by a cron line: `23 runs a month; your plan allows 50`. */
export function runsInWords(runs: number, { usage }: Pick<UserEntity, 'usage'>): string {
  const words = `${countOf(runs, 'run')} a month`;
  return usage.allowed === null ? words : `${words}; your plan allows ${formatCount(usage.allowed)}`;
}

/** Describes a cron line that needs more runs than the plan has beside the entity's other schedules; empty when it fits. */
export function excessInWords(
  runs: number,
  others: readonly Schedule[],
  { usage }: Pick<UserEntity, 'usage'>,
): string {
  const used = others.reduce((total, { runsPerMonth }) => total + runsPerMonth, 0);
  if (runs + used <= limitOf(usage.allowed)) return '';
  const beside = used === 0 ? '' : `, and the other schedules need ${formatCount(used)}`;
  return `This schedule needs ${countOf(runs, 'run')} a month; your plan has ${formatCount(usage.allowed ?? 0)}${beside}. Choose fewer times.`;
}

const BLOCKED_REASONS: Record<NonNullable<Schedule['blockedReason']>, string> = {
  'month-used-up': "The month's runs are used up.",
  'reconnect-needed': 'The provider no longer grants access. Connect it again.',
  'plan-forbids': 'Your plan no longer allows schedules.',
};

/** Describes why the last run could not start. */
export function blockedSentence(reason: NonNullable<Schedule['blockedReason']>): string {
  return BLOCKED_REASONS[reason];
}

/** Describes when the next run starts, and why the last one could not start. */
export function nextSentence({ nextAt, blockedReason }: Schedule): string {
  if (nextAt === null) return '';
  const next = `Next run: ${formatDate(nextAt)}.`;
  return blockedReason === null ? next : `${BLOCKED_REASONS[blockedReason]} ${next}`;
}
