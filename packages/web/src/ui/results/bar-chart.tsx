import { scaleLinear } from 'd3-scale';
import { formatCount } from '../duration.ts';
import { CONTROL } from '../text-field.tsx';
import type { Distribution } from './distribution.ts';

const ROW = 24;
/** Numbers from here on are written as powers of ten. */
const HUGE = 1e15;

interface BarChartProps {
  distribution: Distribution;
  label: string;
  /** Says which part of the values is drawn. */
  note?: string | undefined;
  /** Chooses the numeric field that the bars show. */
  onMeasure?: ((measure: string) => void) | undefined;
  /** Formats a number. */
  format?: (value: number) => string;
}

const BELOW_ONE = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });

/** Formats a number for a narrow column. The exact number is its tooltip. */
function asNumber(value: number): string {
  if (Math.abs(value) >= HUGE) return value.toPrecision(4);
  return Math.abs(value) < 1 ? BELOW_ONE.format(value) : formatCount(Math.round(value * 100) / 100);
}

function Caption({ distribution: { measure, measures }, label, note, onMeasure }: BarChartProps) {
  return (
    <figcaption className="mb-3 flex flex-wrap items-center gap-x-2 gap-y-1 text-12 text-ink-3">
      {onMeasure && measures.length > 1 ? (
        <label className="flex items-center gap-2">
          {label}:
          <select
            value={measure}
            onChange={(event) => onMeasure(event.target.value)}
            className={`${CONTROL} h-7 w-auto! bg-surface!`}
          >
            {measures.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      ) : (
        <span>{measure === '' ? label : `${label}: ${measure}`}</span>
      )}
      {note !== undefined && <span>{note}</span>}
    </figcaption>
  );
}

/** Shows horizontal bars with their numbers; for assistive technology they are a table. */
export function BarChart(props: BarChartProps) {
  const { distribution, format = asNumber } = props;
  const { measure, bars } = distribution;
  const numbers = bars.map(({ value }) => value ?? 0);
  const [least, most] = [Math.min(0, ...numbers), Math.max(0, ...numbers)];
  const scale = scaleLinear()
    .domain([least, most === least ? 1 : most])
    .range([0, 100]);
  return (
    <figure className="p-4">
      <Caption {...props} />
      <table className="w-full text-12">
        <thead className="sr-only">
          <tr>
            {bars[0]?.labels.map((_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the columns never change their order
              <th key={index} scope="col">
                Name
              </th>
            ))}
            <th scope="col">{measure === '' ? 'Value' : measure}</th>
            <th scope="col">Bar</th>
          </tr>
        </thead>
        <tbody>
          {bars.map(({ labels, value }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two bars may have the same labels
            <tr key={index} style={{ height: ROW }}>
              {labels.map((name, part) => {
                const Name = part === 0 ? 'th' : 'td';
                return (
                  <Name
                    // biome-ignore lint/suspicious/noArrayIndexKey: the columns never change their order
                    key={part}
                    {...(part === 0 && { scope: 'row' })}
                    title={name}
                    dir="auto"
                    className="max-w-28 truncate pr-3 text-left font-normal text-ink-2 tabular-nums sm:max-w-44"
                  >
                    {name}
                  </Name>
                );
              })}
              <td
                title={value === null ? undefined : String(value)}
                className="pr-3 text-right whitespace-nowrap text-ink tabular-nums"
              >
                {value === null ? '–' : format(value)}
              </td>
              <td aria-hidden="true" className="w-full min-w-12">
                <svg aria-hidden="true" width="100%" height="12" className="block">
                  {value !== null && value !== 0 && (
                    <rect
                      x={`${scale(Math.min(0, value))}%`}
                      width={`${Math.max(0.5, scale(Math.max(0, value)) - scale(Math.min(0, value)))}%`}
                      height="12"
                      rx="2"
                      className="fill-accent"
                    />
                  )}
                </svg>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
