import { classNames } from '../class-names.ts';
import { DateTime } from '../date-time.tsx';
import { formatCount } from '../duration.ts';

/** Characters that a title shows at most. */
const LONGEST_TITLE = 2000;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

/** A value of a row as people read it, whole on hover. */
export function Cell({ value, column }: { value: unknown; column: string }) {
  if (value === undefined || value === null) return <span className="text-ink-3">–</span>;
  if (typeof value === 'number') {
    const shown = formatNumber(value, column);
    return shown === String(value) ? shown : <span title={String(value)}>{shown}</span>;
  }
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string' && INSTANT.test(value)) return <DateTime iso={value} />;
  const words = typeof value === 'string' ? value : inWords(value);
  const text = words ?? JSON.stringify(value);
  return (
    <span
      title={text.slice(0, LONGEST_TITLE)}
      className={classNames(words === null && 'font-mono text-12 text-ink-3')}
    >
      {text}
    </span>
  );
}

const isScalar = (value: unknown) => typeof value !== 'object' && value !== undefined;

/** A small flat value as people read it: a list with commas, an object as its values. */
function inWords(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const members = Object.values(value);
  if (members.length === 0 || !members.every(isScalar)) return null;
  if (Array.isArray(value)) return members.join(', ');
  return members.length <= 4 ? members.filter((member) => member !== '').join(' · ') : null;
}

/** Names of columns whose numbers name things: `id`, `_id`, `number`, `user_id`, `userId`. */
const NAMING = /^(?:_?id|number)$|_id$|I[dD]$/;
/** Significant digits of a fraction: the noise of binary arithmetic is beyond them. */
const DIGITS = 12;

const EXACT = new Intl.NumberFormat('en-US', { maximumSignificantDigits: DIGITS });

/** Nothing is rounded away: large numbers get separators, fractions lose the noise of arithmetic alone. */
function formatNumber(value: number, column: string): string {
  const isLarge = Math.abs(value) >= 10_000;
  if (!Number.isInteger(value))
    return isLarge ? EXACT.format(value) : String(Number(value.toPrecision(DIGITS)));
  return isLarge && !NAMING.test(column) ? formatCount(value) : String(value);
}
