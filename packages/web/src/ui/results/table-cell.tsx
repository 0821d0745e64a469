import { isIdentifier } from '@datadeck/contract/table-columns';
import { classNames } from '../class-names.ts';
import { DateTime } from '../date-time.tsx';
import { formatCount } from '../duration.ts';

/** Maximum length of a tooltip, characters. */
const MAX_TITLE_LENGTH = 2000;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

/** Shows a value of a row in readable form, with the full value on hover. */
export function Cell({ value, column }: { value: unknown; column: string }) {
  if (value === undefined || value === null) return <span className="text-ink-3">–</span>;
  if (typeof value === 'number') {
    const shown = formatNumber(value, column);
    return shown === String(value) ? shown : <span title={String(value)}>{shown}</span>;
  }
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string' && TIMESTAMP.test(value)) return <DateTime iso={value} />;
  const words = typeof value === 'string' ? value : readable(value);
  const text = words ?? JSON.stringify(value);
  return (
    <span
      title={text.slice(0, MAX_TITLE_LENGTH)}
      className={classNames(words === null && 'font-mono text-12 text-ink-3')}
    >
      {text}
    </span>
  );
}

const isScalar = (value: unknown) => typeof value !== 'object' && value !== undefined;

/** Formats a small flat value: a list with commas, an object as its values; null for other values. */
function readable(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const members = Object.values(value);
  if (members.length === 0 || !members.every(isScalar)) return null;
  if (Array.isArray(value)) return members.join(', ');
  return members.length <= 4 ? members.filter((member) => member !== '').join(' · ') : null;
}

/** Significant digits of a fraction; the digits beyond are rounding errors of binary arithmetic. */
const SIGNIFICANT_DIGITS = 12;

const EXACT = new Intl.NumberFormat('en-US', { maximumSignificantDigits: SIGNIFICANT_DIGITS });

/** Formats a number without losing information: adds separators, and removes only floating-point noise. */
function formatNumber(value: number, column: string): string {
  const isLarge = Math.abs(value) >= 10_000;
  if (!Number.isInteger(value))
    return isLarge ? EXACT.format(value) : String(Number(value.toPrecision(SIGNIFICANT_DIGITS)));
  return isLarge && !isIdentifier(column) ? formatCount(value) : String(value);
}
