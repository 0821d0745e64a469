import type { AlertKind, ChangedRow, ViewDifference } from '@datadeck/contract';
import { ChevronDown } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import { causeOf } from '../../api/failure.ts';
import { countOf } from '../../ui/duration.ts';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { useViewDifferenceQuery } from './as-of-api.ts';
import { formatChange } from './curve-series.ts';

const KINDS: Record<AlertKind, { word: string; sign: string; tone: string }> = {
  appeared: { word: 'added', sign: '+', tone: 'text-success-text' },
  disappeared: { word: 'gone', sign: '−', tone: 'text-error-text' },
  changed: { word: 'changed', sign: '~', tone: 'text-accent-text' },
};

/** Says the first fields of a row. */
function fieldsOf(row: unknown): string {
  if (typeof row !== 'object' || row === null) return String(row);
  return Object.entries(row)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(' · ');
}

function Row({ row: { kind, row, before } }: { row: ChangedRow }) {
  const { word, sign, tone } = KINDS[kind];
  return (
    <li className="flex gap-3 border-t py-1 text-12 first:border-t-0">
      <span className={`w-16 shrink-0 font-medium ${tone}`}>
        <span aria-hidden="true">{sign} </span>
        {word}
      </span>
      <span dir="auto" className="min-w-0 wrap-anywhere text-ink-2">
        {fieldsOf(row) || 'A row without simple fields'}
        {before !== undefined && fieldsOf(before) !== fieldsOf(row) && (
          <span className="block text-ink-3">before: {fieldsOf(before)}</span>
        )}
      </span>
    </li>
  );
}

/** Returns the values of then and now of a view that yields one simple value; undefined for other differences. */
function singleValue({ rows, appeared, disappeared, changed }: ViewDifference) {
  const [now, then] = ['appeared', 'disappeared'].map((kind) => rows.find((row) => row.kind === kind)?.row);
  const isSingle = appeared === 1 && disappeared === 1 && changed === 0;
  return isSingle && typeof now !== 'object' && typeof then !== 'object' ? { now, then } : undefined;
}

interface DifferenceProps {
  viewId: string;
  /** Id of the run. */
  run: string;
  parameters: string | undefined;
  account: string | undefined;
}

/** How the rows of a view changed since a run: their numbers, and on request the first of them. */
export function DifferenceToNow(request: DifferenceProps) {
  const { currentData, isError, error, isFetching, refetch } = useViewDifferenceQuery(request);
  if (isError)
    return (
      <LoadFailure
        sentence="The difference to now could not be read."
        detail={causeOf(error)}
        busy={isFetching}
        onRetry={refetch}
      />
    );
  if (!currentData) return <p className="text-12 text-ink-3">Comparing with now…</p>;
  const { rows } = currentData;
  const kinds = (['appeared', 'disappeared', 'changed'] as const).filter((kind) => currentData[kind] > 0);
  const count = kinds.reduce((sum, kind) => sum + currentData[kind], 0);
  if (count === 0) return <p className="text-12 text-ink-2">Its rows are those of now.</p>;
  const single = singleValue(currentData);
  if (single)
    return (
      <p className="text-12 text-ink-2 tabular-nums">
        Then {String(single.then)}, now <strong className="font-medium text-ink">{String(single.now)}</strong>
        {typeof single.now === 'number' && typeof single.then === 'number' && (
          <> ({formatChange(single.now - single.then)})</>
        )}
      </p>
    );
  return (
    <Collapsible.Root>
      <Collapsible.Trigger className="group flex flex-wrap items-center gap-x-3 gap-y-1 text-12 text-ink-2">
        <ChevronDown
          aria-hidden="true"
          size={14}
          className="-rotate-90 text-ink-3 transition-transform duration-100 group-data-[state=open]:rotate-0"
        />
        <span>Since then:</span>
        {kinds.map((kind) => (
          <span key={kind} className={`font-medium tabular-nums ${KINDS[kind].tone}`}>
            {countOf(currentData[kind], 'row')} {KINDS[kind].word}
          </span>
        ))}
      </Collapsible.Trigger>
      <Collapsible.Content className="pt-2">
        <ul aria-label="Rows that differ from now" className="max-h-64 overflow-auto">
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two rows may be equal, and none has a state
            <Row key={index} row={row} />
          ))}
        </ul>
        {count > rows.length && (
          <p className="pt-1 text-12 text-ink-3">And {countOf(count - rows.length, 'more row')}.</p>
        )}
      </Collapsible.Content>
    </Collapsible.Root>
  );
}
