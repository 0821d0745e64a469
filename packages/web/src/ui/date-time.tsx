import { useEffect, useState } from 'react';

const FORMAT = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: '2-digit',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});

/** Formats a date as `Nov 20, 2026, 11:46 AM`; returns an empty string for an invalid date. */
export function formatDate(iso: string): string {
  const date = new Date(iso);
  if (iso === '' || Number.isNaN(date.getTime())) return '';
  // ICU puts a narrow no-break space before AM and PM.
  return FORMAT.format(date).replaceAll('\u202f', ' ');
}

const DAY_FORMAT = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});

/** Formats a day such as `2026-01-31` as `Jan 31, 2026`. */
export function formatDay(day: string): string {
  return DAY_FORMAT.format(new Date(`${day}T00:00:00Z`));
}

const STEPS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];
const RELATIVE_FORMAT = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' });

/** Formats a past instant relative to now: `3 days ago`, `yesterday`, `just now`; empty for an invalid one. */
export function formatAge(iso: string, now = Date.now()): string {
  const seconds = (now - Date.parse(iso)) / 1000;
  if (Number.isNaN(seconds)) return '';
  const step = STEPS.find(([, size]) => seconds >= size);
  return step ? RELATIVE_FORMAT.format(-Math.floor(seconds / step[1]), step[0]) : 'just now';
}

/** Shows a date in the product's format, with the full timestamp on hover. */
export function DateTime({ iso, className }: { iso: string; className?: string }) {
  return (
    <time dateTime={iso} title={iso} className={className}>
      {formatDate(iso)}
    </time>
  );
}

/** Interval at which a shown age is renewed, ms. */
const MINUTE = 60_000;

/** Shows how long ago an instant was, with the full timestamp on hover. Follows the clock. */
export function Age({ iso, className }: { iso: string; className?: string }) {
  const [, renew] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => renew((count) => count + 1), MINUTE);
    return () => clearInterval(timer);
  }, []);
  return (
    <span title={iso} className={className}>
      {formatAge(iso)}
    </span>
  );
}
