import { CURVE_LIMITS, type Curve, type CurvePoint, type DownloadFormat } from '@datadeck/contract';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { callOf } from '../../api/call-of.ts';
import { useDownload } from '../../api/download.ts';
import type { View } from '../../api/models.ts';
import { Button } from '../../ui/button.tsx';
import { DateTime, formatDate } from '../../ui/date-time.tsx';
import { countOf } from '../../ui/duration.ts';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { Menu } from '../../ui/menu.tsx';
import { clampPage, pageCount } from '../../ui/page-window.ts';
import { Pagination } from '../../ui/pagination.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { LoadingResult } from '../../ui/skeleton.tsx';
import { toasts } from '../../ui/toast.tsx';
import { CurveChart, LINE_STYLES } from './curve-chart.tsx';
import { type CurveLine, causeOf, formatNumber, linesOf, noteOf, rangeOf } from './curve-series.ts';
import { useCurvePointsQuery } from './curves-api.ts';

const FORMATS: readonly [label: string, format: DownloadFormat][] = [
  ['CSV', 'csv'],
  ['NDJSON', 'ndjson'],
  ['JSON', 'json'],
  ['XLSX', 'xlsx'],
  ['Parquet', 'parquet'],
];

/** Says the numbers of a point: `42`, or `open 3 · closed 9`. */
export function numbersText({ values }: CurvePoint): string {
  return Object.entries(values)
    .map(([name, number]) => (name === '' ? formatNumber(number) : `${name} ${formatNumber(number)}`))
    .join(' · ');
}

/** The names of the lines with the look of each. */
function Legend({ lines, hidden }: { lines: readonly CurveLine[]; hidden: number }) {
  if (lines.length === 1 && lines[0]?.name === '') return null;
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-12 text-ink-2">
      {lines.map(({ name }, index) => {
        const style = LINE_STYLES[index % LINE_STYLES.length];
        return (
          <li key={name} className="flex min-w-0 items-center gap-2">
            <svg aria-hidden="true" width="20" height="8" className="shrink-0">
              <line
                x2="20"
                y1="4"
                y2="4"
                strokeWidth="2"
                strokeDasharray={style?.dash}
                className={style?.stroke}
              />
            </svg>
            <span dir="auto" className="truncate">
              {name}
            </span>
          </li>
        );
      })}
      {hidden > 0 && <li className="text-ink-3">{countOf(hidden, 'smaller group')} only in the table</li>}
    </ul>
  );
}

/** The large drawing, with a slider that reads its points. */
function Drawing({ points }: { points: readonly CurvePoint[] }) {
  const { lines, hidden } = linesOf(points);
  const [position, setPosition] = useState(points.length - 1);
  const chosen = Math.min(position, points.length - 1);
  const point = points[chosen];
  const [least, most] = rangeOf(lines);
  if (!point) return null;
  const note = noteOf(point);
  return (
    <figure className="flex flex-col gap-2">
      <figcaption className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-12 text-ink-3">
        <DateTime iso={point.at} className="tabular-nums" />
        <span>{causeOf(point)}</span>
        <span dir="auto" className="text-13 font-medium wrap-anywhere text-ink tabular-nums">
          {numbersText(point)}
        </span>
        {note !== undefined && <span className="text-error-text">{note}</span>}
      </figcaption>
      <div className="flex gap-2">
        <div
          aria-hidden="true"
          className="flex h-40 shrink-0 flex-col justify-between text-right text-12 text-ink-3 tabular-nums"
        >
          <span>{formatNumber(most)}</span>
          <span>{formatNumber(least)}</span>
        </div>
        <CurveChart
          points={points}
          lines={lines}
          chosen={chosen}
          onChoose={setPosition}
          className="h-40 min-w-0 flex-1 border-b border-l"
        />
      </div>
      <div className="flex justify-between gap-2 text-12 text-ink-3 tabular-nums" aria-hidden="true">
        <span>{formatDate(points[0]?.at ?? '')}</span>
        <span>{formatDate(points.at(-1)?.at ?? '')}</span>
      </div>
      {points.length > 1 && (
        <input
          type="range"
          aria-label="Point of the history"
          aria-valuetext={`${formatDate(point.at)}, ${causeOf(point)}: ${numbersText(point)}`}
          min={0}
          max={points.length - 1}
          value={chosen}
          onChange={(event) => setPosition(Number(event.target.value))}
          className="w-full accent-accent"
        />
      )}
      <Legend lines={lines} hidden={hidden} />
    </figure>
  );
}

/** All points in pages. */
function PointTable({ viewId }: { viewId: string }) {
  const [page, setPage] = useState(1);
  const { data, isError, refetch } = useCurvePointsQuery({ viewId, page });
  if (isError) return <LoadFailure sentence="The points could not be loaded." onRetry={refetch} />;
  if (!data) return <LoadingResult className="h-40" />;
  const total = pageCount(data.count, CURVE_LIMITS.page);
  return (
    <>
      <div className="max-h-72 overflow-auto">
        <table className="w-full text-12">
          <caption className="sr-only">Points of the history, newest first</caption>
          <thead className="sticky top-0 bg-surface text-left text-ink-3">
            <tr>
              <th scope="col" className="py-1 pr-3 font-medium">
                When
              </th>
              <th scope="col" className="py-1 pr-3 font-medium">
                After
              </th>
              <th scope="col" className="py-1 font-medium">
                Number
              </th>
            </tr>
          </thead>
          <tbody>
            {data.results.map((point) => (
              <tr key={`${point.at}${point.cause}`} className="border-t align-top">
                <td className="py-1 pr-3 whitespace-nowrap text-ink-2 tabular-nums">
                  <DateTime iso={point.at} />
                </td>
                <td className="py-1 pr-3 text-ink-2">
                  {causeOf(point)}
                  {noteOf(point) !== undefined && <span className="block text-ink-3">{noteOf(point)}</span>}
                </td>
                <td dir="auto" className="py-1 wrap-anywhere text-ink tabular-nums">
                  {numbersText(point)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {total > 1 && (
        <Pagination
          label="Pages of the history"
          page={clampPage(page, total)}
          total={total}
          onChange={setPage}
        />
      )}
    </>
  );
}

/** The curve of a view in large, its points, and their download. */
export function CurveDetails({ view, curve }: { view: View; curve: Curve }) {
  const download = useDownload();
  async function save(format: DownloadFormat) {
    const file = await download(callOf('downloadCurve', { params: { viewId: view.id }, query: { format } }));
    if (file) saveFile(file, `history_${view.title}.${format}`);
    else toasts.error('There was an error fetching the data');
  }
  return (
    <div className="flex flex-col gap-4 px-4 pt-3 pb-4">
      <Drawing key={curve.since} points={curve.points} />
      <PointTable viewId={view.id} />
      <div className="flex flex-wrap items-center justify-between gap-2 text-12 text-ink-3">
        <span>
          {countOf(curve.count, 'point')}
          {curve.points.length < curve.count && `, ${curve.points.length} of them drawn`}
        </span>
        <Menu
          trigger={
            <Button size="sm" icon={<Download size={14} />}>
              Download history
            </Button>
          }
          items={FORMATS.map(([label, format]) => ({ label, onSelect: () => void save(format) }))}
        />
      </div>
    </div>
  );
}
