/** Charts that `scripts/chart-pictures.ts` takes pictures of: each kind with each set of rows. */
import type { Chart } from '../packages/contract/src/index.ts';

const SUM = { measure: 'sum', y: 'n' } as const;

/** Settings by name. The rows have the fields name, state, at and n. */
export const CHARTS: Readonly<Record<string, Chart>> = {
  number: { kind: 'number', ...SUM },
  bars: { kind: 'bars', x: 'name', ...SUM, order: 'value' },
  stacked: { kind: 'bars', x: 'name', series: 'state', ...SUM, top: 10 },
  beside: { kind: 'bars', x: 'name', series: 'state', ...SUM, top: 8, layout: 'beside' },
  columns: { kind: 'bars', x: 'at', series: 'state', measure: 'count' },
  line: { kind: 'line', x: 'at', series: 'state', ...SUM },
  area: { kind: 'area', x: 'at', series: 'state', ...SUM },
  'heat-map': { kind: 'heat-map', x: 'at', ...SUM },
  distribution: { kind: 'distribution', x: 'n', measure: 'count' },
  table: { kind: 'table', measure: 'count' },
  text: { kind: 'text', measure: 'count' },
};

/** Rows from 1 to a number, as JSONata; `$i` is the number of the row. */
const rows = (count: number, fields: string) => `$map([1..${count}], function($i) {{ ${fields} }})`;
const STATE = '"state": ["open", "closed", "draft"][$i % 3]';
const at = (hours: number) => `"at": $fromMillis(1772006400000 + $i * ${hours * 3_600_000})`;

/** Expressions that return the rows, by name. They read no records. */
export const ROWS: Readonly<Record<string, string>> = {
  empty: '[]',
  one: '[{ "name": "amy", "state": "open", "at": "2026-03-04T08:00:00Z", "n": 3 }]',
  many: rows(900, `"name": "name " & ($i % 70), ${STATE}, ${at(7)}, "n": ($i * 7919) % 97`),
  missing: rows(
    40,
    `"name": $i % 4 = 0 ? null : "name " & ($i % 9), "state": $i % 5 = 0 ? null : ["open", "closed"][$i % 2], ${at(31)}, "n": $i % 3 = 0 or ($i > 12 and $i < 25) ? null : $i`,
  ),
  negative: rows(60, `"name": "name " & ($i % 7), ${STATE}, ${at(25)}, "n": ($i * 31) % 41 - 20`),
  huge: rows(30, `"name": "name " & ($i % 6), ${STATE}, ${at(25)}, "n": $i * 1e300`),
  long: rows(
    24,
    `"name": $i % 3 = 0 ? "الاسم الطويل جدا " & $i : $substring("A name that never ends and ends not even here ".$ & "x".$ & "Donaudampfschifffahrtsgesellschaftskapitän", 0, 300) & $i, "state": "a state with a name that is long " & ($i % 9), ${at(25)}, "n": $i`,
  ),
};
