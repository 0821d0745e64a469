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

/** Shows a date in the product's format, with the full timestamp on hover. */
export function DateTime({ iso, className }: { iso: string; className?: string }) {
  return (
    <time dateTime={iso} title={iso} className={className}>
      {formatDate(iso)}
    </time>
  );
}
