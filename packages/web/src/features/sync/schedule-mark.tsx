import type { Schedule } from '@datadeck/contract';
import { Repeat, TriangleAlert } from 'lucide-react';
import { formatDate } from '../../ui/date-time.tsx';
import { timesInWords } from './schedule-times.ts';
import { nextSentence } from './schedule-words.ts';

/** Returns the schedule to show for an entity: one that is blocked, else the one with the next run. */
function shownOf(schedules: readonly Schedule[]): Schedule | undefined {
  const [next] = schedules.toSorted((a, b) => (a.nextAt ?? '').localeCompare(b.nextAt ?? ''));
  return schedules.find(({ blockedReason }) => blockedReason !== null) ?? next;
}

function wordsOf(schedule: Schedule, count: number): string {
  if (count > 1) return `${count} schedules`;
  return schedule.every === 'cron' ? 'scheduled' : schedule.every;
}

/** Shows 'hourly', 'daily', 'scheduled' or the number of schedules, with the time of the next run. */
export function ScheduleMark({ schedules }: { schedules: readonly Schedule[] }) {
  const schedule = shownOf(schedules);
  if (!schedule) return null;
  const isBlocked = schedule.blockedReason !== null;
  const Icon = isBlocked ? TriangleAlert : Repeat;
  const sentence = nextSentence(schedule);
  return (
    <span
      title={schedule.every === 'cron' ? `${timesInWords(schedule)}. ${sentence}` : sentence}
      className={`inline-flex items-baseline gap-1.5 whitespace-nowrap text-12 tabular-nums ${isBlocked ? 'text-error-text' : 'text-ink-3'}`}
    >
      <Icon aria-hidden="true" size={12} className="shrink-0 self-center" />
      <span className="font-medium">{wordsOf(schedule, schedules.length)}</span>
      <span>next {formatDate(schedule.nextAt ?? '')}</span>
      {isBlocked && <span className="sr-only">{sentence}</span>}
    </span>
  );
}
