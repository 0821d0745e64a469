import { History } from 'lucide-react';
import { useMemo } from 'react';
import { classNames } from './class-names.ts';
import { DateTime } from './date-time.tsx';
import { formatCount } from './duration.ts';
import { IconButton } from './icon-button.tsx';
import type { RowHistory } from './row-history.ts';
import { columnsOf } from './table-columns.ts';

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

function Cell({ value, column }: { value: unknown; column: string }) {
  if (value === undefined || value === null) return <span className="text-ink-3">–</span>;
  if (typeof value === 'number') {
    const shown = formatNumber(value, column);
    return shown === String(value) ? shown : <span title={String(value)}>{shown}</span>;
  }
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string' && INSTANT.test(value)) return <DateTime iso={value} />;
  const text = typeof value === 'string' ? value : (inWords(value) ?? JSON.stringify(value));
  return (
    <span
      title={text.slice(0, 2000)}
      className={classNames(typeof value !== 'string' && 'font-mono text-12 text-ink-3')}
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
  return members.length <= 4 ? members.join(' · ') : null;
}

/** Names of columns whose numbers name things: `id`, `_id`, `number`, `user_id`, `userId`. */
const NAMING = /^(?:_?id|number)$|_id$|I[dD]$/;
/** Significant digits of a fraction: the noise of binary arithmetic is beyond them. */
const DIGITS = 12;

/** Nothing is rounded away: large counts get separators, fractions lose the noise of arithmetic alone. */
function formatNumber(value: number, column: string): string {
  if (!Number.isInteger(value)) return String(Number(value.toPrecision(DIGITS)));
  return Math.abs(value) < 10_000 || NAMING.test(column) ? String(value) : formatCount(value);
}

interface DataTableProps {
  rows: readonly unknown[];
  label: string;
  /** Columns that come first, where the rows have them. */
  preferred?: readonly string[];
  onPickColumn?: ((name: string) => void) | undefined;
  history?: RowHistory | undefined;
  className?: string;
}

function HistoryCell({ row, history }: { row: unknown; history: RowHistory }) {
  const name = history.nameOf(row);
  return (
    <td className="sticky left-0 border-b bg-surface px-1">
      {name !== undefined && (
        <IconButton
          size="sm"
          label={`History of ${name}`}
          icon={<History size={14} />}
          onClick={() => history.onOpen(row)}
        />
      )}
    </td>
  );
}

/** Rows as a table: a column for each field that any row has. */
export function DataTable({
  rows,
  label,
  preferred = [],
  onPickColumn,
  history,
  className = 'max-h-[28rem]',
}: DataTableProps) {
  const columns = useMemo(() => columnsOf(rows, preferred), [rows, preferred]);
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      className={classNames('overflow-auto focus-visible:-outline-offset-2', className)}
    >
      <table className="w-full border-separate border-spacing-0 text-13">
        <thead>
          <tr>
            {history && (
              <th scope="col" className="sticky top-0 left-0 z-10 w-8 border-b bg-surface">
                <span className="sr-only">History</span>
              </th>
            )}
            {columns.map(({ name, isNumeric }) => (
              <th
                key={name}
                scope="col"
                className={classNames(
                  'sticky top-0 whitespace-nowrap border-b bg-surface px-3 py-2 text-12 font-medium text-ink-3',
                  isNumeric ? 'text-right' : 'text-left',
                )}
              >
                {onPickColumn ? (
                  <button
                    type="button"
                    title="Put this field into the expression"
                    className="hover:text-accent-text"
                    onClick={() => onPickColumn(name)}
                  >
                    {name}
                  </button>
                ) : (
                  name
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a page have no other identity
            <tr key={index} className="hover:bg-hover">
              {history && <HistoryCell row={row} history={history} />}
              {columns.map(({ name, read, isNumeric }) => (
                <td
                  key={name}
                  className={classNames(
                    'max-w-80 truncate border-b px-3 py-1.5',
                    isNumeric && 'text-right tabular-nums',
                  )}
                >
                  <Cell value={read(row)} column={name} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
