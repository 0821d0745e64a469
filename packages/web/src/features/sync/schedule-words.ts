import {
  limitOf,
  RUNS_PER_MONTH,
  type Schedule,
  type ScheduleInterval,
  type UserEntity,
} from '@datadeck/contract';
import { formatDate } from '../../ui/date-time.tsx';
import { formatCount } from '../../ui/duration.ts';

const NAMES: Record<ScheduleInterval, string> = { hourly: 'Hourly', daily: 'Daily' };

/** Returns whether a schedule needs more runs a month than the plan allows. */
export function exceedsPlan(every: Schedule['every'], { usage }: UserEntity): boolean {
  return every !== 'off' && RUNS_PER_MONTH[every] > limitOf(usage.allowed);
}

/** Describes the runs of a schedule under a plan without a limit of runs. */
function unlimitedSentence(every: Schedule['every']): string {
  const ends = 'Your plan has no limit of runs.';
  return every === 'off'
    ? ends
    : `${NAMES[every]} uses about ${formatCount(RUNS_PER_MONTH[every])} runs a month. ${ends}`;
}

/** Describes how many of the monthly runs a schedule uses. */
export function costSentence(every: Schedule['every'], { usage }: UserEntity): string {
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

const BLOCKED_REASONS: Record<NonNullable<Schedule['blockedReason']>, string> = {
  'month-used-up': "The month's runs are used up.",
  'reconnect-needed': 'The provider no longer grants access. Connect it again.',
  'plan-forbids': 'Your plan no longer allows schedules.',
};

/** Describes when the next run starts, and why the last one could not start. */
export function nextSentence({ nextAt, blockedReason }: Schedule): string {
  if (nextAt === null) return '';
  const next = `Next run: ${formatDate(nextAt)}.`;
  return blockedReason === null ? next : `${BLOCKED_REASONS[blockedReason]} ${next}`;
}
