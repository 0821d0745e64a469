const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Returns a number of bytes as text with a decimal unit, e.g. `1.2 MB`; a fraction only below ten. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  const value = bytes / 1000 ** power;
  const maximumFractionDigits = power > 0 && value < 10 ? 1 : 0;
  return `${value.toLocaleString('en', { maximumFractionDigits })} ${UNITS[power]}`;
}
