import { groupLabel, groupTitle, seriesLabel } from './chart-labels.ts';
import { CHARACTER, type PlotProps, shortened } from './plot.ts';

/** Height of a row, and of the names above and the title below, px. */
const ROW = 24;
const TOP = 26;
const BOTTOM = 26;
const NAMES = 0.34;
const NAME_DISTANCE = 44;
/** Opacity of a cell with zero, and of the smallest number beside it. */
const ZERO = 0.05;
const LEAST = 0.15;

/** Returns the height that a heat map needs, px. */
export function heatMapHeight({ visible }: Pick<PlotProps, 'visible'>): number {
  return TOP + visible.length * ROW + BOTTOM;
}

/** Cells of groups and series: the larger a number, the stronger its colour. Negative numbers have another one. */
export function HeatMapPlot({ data, visible, width, active }: PlotProps) {
  const names = visible.map((index) => seriesLabel(data, index));
  const left = Math.ceil(
    Math.min(width * NAMES, Math.max(...names.map(({ length }) => length), 1) * CHARACTER + 12),
  );
  const step = Math.max(1, (width - left) / Math.max(1, data.groups.length));
  const largest = Math.max(
    ...visible.flatMap((index) => data.series[index]?.values.map((value) => Math.abs(value ?? 0)) ?? []),
    Number.MIN_VALUE,
  );
  const every = Math.max(1, Math.ceil(NAME_DISTANCE / step));
  return (
    <svg
      aria-hidden="true"
      width={width}
      height={heatMapHeight({ visible })}
      className="block text-12 tabular-nums"
    >
      {data.groups.map((_, group) =>
        group % every === 0 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: groups are known by their position
          <text key={group} x={left + group * step + 1} y={14} className="fill-ink-3">
            {shortened(groupLabel(data, group, true), every * step)}
          </text>
        ) : null,
      )}
      {visible.map((index, row) => (
        <g key={index}>
          <text
            x={left - 8}
            y={TOP + row * ROW + 16}
            textAnchor="end"
            className="fill-ink-2"
            style={{ unicodeBidi: 'plaintext' }}
          >
            {shortened(names[row] ?? '', left - 8)}
          </text>
          {data.series[index]?.values.map((value, group) => {
            const isActive = active?.group === group && active.series === index;
            const strength = Math.abs(value ?? 0) / largest;
            return (
              <rect
                // biome-ignore lint/suspicious/noArrayIndexKey: groups are known by their position
                key={group}
                data-group={group}
                data-row={index}
                x={left + group * step + 0.5}
                y={TOP + row * ROW + 0.5}
                width={Math.max(0.5, step - 1)}
                height={ROW - 1}
                rx={2}
                // A cell without a number is empty, with a dashed edge.
                strokeDasharray={value === null ? '2 2' : undefined}
                strokeWidth={isActive ? 2 : 1}
                fillOpacity={value === null ? 0 : value === 0 ? ZERO : LEAST + (1 - LEAST) * strength}
                className={`${(value ?? 0) < 0 ? 'fill-chart-2' : 'fill-chart-1'} ${
                  isActive ? 'stroke-ink' : value === null ? 'stroke-line-strong' : 'stroke-transparent'
                }`}
              />
            );
          })}
        </g>
      ))}
      <text
        x={(left + width) / 2}
        y={heatMapHeight({ visible }) - 6}
        textAnchor="middle"
        className="fill-ink-3"
      >
        {shortened(groupTitle(data), width - left)}
      </text>
    </svg>
  );
}
