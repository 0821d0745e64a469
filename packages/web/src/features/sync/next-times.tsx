import { DateTime } from '../../ui/date-time.tsx';

/** Shows the next times of a schedule, in the reader's time zone. */
export function NextTimes({ times }: { times: readonly string[] }) {
  return (
    <p className="flex flex-wrap gap-x-3 text-12 text-ink-2 tabular-nums">
      <span className="text-ink-3">Next runs, in your time</span>
      {times.map((time) => (
        <DateTime key={time} iso={time} className="whitespace-nowrap" />
      ))}
    </p>
  );
}
