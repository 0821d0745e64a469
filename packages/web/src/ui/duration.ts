/** Formats seconds as `under 0.1 s`, `0.4 s`, `12 s`, `3 min 05 s` or `2 h 10 min`. */
export function formatDuration(seconds: number): string {
  if (seconds > 0 && seconds < 0.05) return 'under 0.1 s';
  if (seconds < 10) return `${Math.round(seconds * 10) / 10} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${String(whole % 60).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

const COUNT = new Intl.NumberFormat('en-US');

/** Formats a count with its noun: `1 record`, `12,345 records`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** Formats a count with separators: `12,345`. */
export function formatCount(count: number): string {
  return COUNT.format(count);
}
