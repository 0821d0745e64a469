import type { Schedule } from '@datadeck/contract';
import { Repeat, TriangleAlert } from 'lucide-react';
import { formatDate } from '../../ui/date-time.tsx';
import { nextSentence } from './schedule-words.ts';

/** Shows 'hourly' or 'daily', with the time of the next run on hover. */
export function ScheduleMark({ schedule }: { schedule: Schedule }) {
  const isBlocked = schedule.blockedReason !== null;
  const Icon = isBlocked ? TriangleAlert : Repeat;
  return (
    <span
      title={nextSentence(schedule)}
      className={`inline-flex items-baseline gap-1.5 whitespace-nowrap text-12 tabular-nums ${isBlocked ? 'text-error-text' : 'text-ink-3'}`}
    >
      <Icon aria-hidden="true" size={12} className="shrink-0 self-center" />
      <span className="font-medium">{schedule.every}</span>
      <span>next {formatDate(schedule.nextAt ?? '')}</span>
      {isBlocked && <span className="sr-only">{nextSentence(schedule)}</span>}
    </span>
  );
}
