import type { SyncProgress } from '@datadeck/contract';
import { useEffect, useState } from 'react';
import { formatCount, formatDuration } from '../../ui/duration.ts';

const PHASES: Record<SyncProgress['phase'], string> = {
  queued: 'Waiting for a free worker',
  listing: 'Listing records',
  fetching: 'Fetching records',
  waiting: 'Waiting for the provider',
  finishing: 'Finishing',
  done: 'Finishing',
};

/** Returns the seconds until a timestamp, counting down; 0 when it has passed. */
function useCountdown(iso: string | null): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (iso === null) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [iso]);
  return iso === null ? 0 : Math.max(0, Math.ceil((Date.parse(iso) - now) / 1000));
}

function remaining({ total, records, rate }: SyncProgress): string | null {
  if (total === null || rate <= 0 || records >= total) return null;
  return `about ${formatDuration((total - records) / rate)} left`;
}

/** Returns the share that was read, of the records or of a list of scopes; null when it is unknown. */
function shareOf({ records, total, scope }: SyncProgress): number | null {
  if (total !== null && total > 0) return Math.min(1, records / total);
  return scope && scope.count > 1 ? (scope.place - 1) / scope.count : null;
}

/** A thin progress bar; it pulses when the total is unknown. */
export function ProgressBar({ progress, label }: { progress: SyncProgress; label: string }) {
  const share = shareOf(progress);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={share === null ? undefined : Math.round(share * 100)}
      className="h-1 overflow-hidden rounded-full bg-sunken"
    >
      <div
        className={
          share === null
            ? 'h-full w-full animate-beat bg-secondary'
            : 'h-full bg-secondary transition-[width] duration-150'
        }
        style={share === null ? undefined : { width: `${share * 100}%` }}
      />
    </div>
  );
}

const TIME = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' });

function timeOf(iso: string | null): string {
  return iso === null ? '' : TIME.format(new Date(iso));
}

/** Shows the progress of a running sync: records, rate, time left, and the reason for waiting. */
export function SyncProgressView({ progress }: { progress: SyncProgress }) {
  const wait = useCountdown(progress.retryAt);
  const details = [
    progress.rate > 0 ? `${formatCount(Math.round(progress.rate))} records/s` : null,
    remaining(progress),
  ].filter((part) => part !== null);
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 truncate text-13 font-medium">{PHASES[progress.phase]}</span>
        <span className="whitespace-nowrap text-13 text-ink-2 tabular-nums">
          {formatCount(progress.records)}
          {progress.total !== null && ` of ${formatCount(progress.total)}`} records
        </span>
      </div>
      <ProgressBar progress={progress} label="Synchronization progress" />
      {/* Always one line high, so that nothing moves when a wait starts or ends. */}
      <p className="h-4 truncate text-12 text-ink-3 tabular-nums">
        {wait > 0
          ? `The provider asks to wait until ${timeOf(progress.retryAt)} (${formatDuration(wait)})`
          : details.join(' · ')}
      </p>
    </div>
  );
}
