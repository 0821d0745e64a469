import { CHART_LIMITS, type GroupKey } from '@datadeck/contract';

/** The key of rows whose groups are not compared, because there are too many. */
export const OTHERS = Symbol('others');
type Key = GroupKey | typeof OTHERS;

/** Numbers of a group in a series: how many rows, and the sum of those that have a number. */
interface Cell {
  rows: number;
  numbers: number;
  sum: number;
}

/** Returns a value as the key of a group. Long texts are cut, objects are their JSON. */
export function keyOf(value: unknown): GroupKey {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > CHART_LIMITS.label ? `${text.slice(0, CHART_LIMITS.label - 1)}…` : text;
}

/** Adds up rows by group and series. Both are bounded: further ones are added to `OTHERS`. */
export class GroupTable<G extends Key | number = Key> {
  #cells = new Map<G | typeof OTHERS, Map<Key, Cell>>();
  readonly #series = new Set<Key>();
  readonly #measure: 'count' | 'sum';

  constructor(measure: 'count' | 'sum') {
    this.#measure = measure;
  }

  get groups(): (G | typeof OTHERS)[] {
    return [...this.#cells.keys()];
  }

  get series(): Key[] {
    return [...this.#series];
  }

  /** Returns whether a row of this group would be added to `OTHERS`. */
  isFullFor(group: G): boolean {
    return !this.#cells.has(group) && this.#cells.size >= CHART_LIMITS.comparedGroups;
  }

  /** Adds one row. @param number what is added up; undefined if the row has none */
  add(group: G, series: GroupKey, number: number | undefined): void {
    const isSeries = this.#series.has(series) || this.#series.size < CHART_LIMITS.comparedSeries;
    const cell = this.#cell(this.isFullFor(group) ? OTHERS : group, isSeries ? series : OTHERS);
    cell.rows++;
    if (number === undefined) return;
    cell.numbers++;
    cell.sum += number;
  }

  #cell(group: G | typeof OTHERS, series: Key): Cell {
    this.#series.add(series);
    const row = this.#cells.get(group) ?? new Map<Key, Cell>();
    this.#cells.set(group, row);
    const cell = row.get(series) ?? { rows: 0, numbers: 0, sum: 0 };
    row.set(series, cell);
    return cell;
  }

  /** Adds the groups up to fewer ones. */
  regroup(groupOf: (group: G) => G): void {
    const before = this.#cells;
    this.#cells = new Map();
    for (const [group, row] of before)
      for (const [series, { rows, numbers, sum }] of row) {
        const cell = this.#cell(group === OTHERS ? group : groupOf(group), series);
        cell.rows += rows;
        cell.numbers += numbers;
        cell.sum += sum;
      }
  }

  /** Returns the number of rows of some groups. */
  rows(groups: readonly G[]): number {
    let rows = 0;
    for (const group of groups) for (const cell of this.#cells.get(group)?.values() ?? []) rows += cell.rows;
    return rows;
  }

  /** Returns the number of some groups and series together; null if there is none to add up. */
  value(groups: readonly (G | typeof OTHERS)[], series: readonly Key[]): number | null {
    let numbers = 0;
    let total = 0;
    for (const group of groups)
      for (const one of series) {
        const cell = this.#cells.get(group)?.get(one);
        if (!cell) continue;
        numbers += this.#measure === 'count' ? cell.rows : cell.numbers;
        total += this.#measure === 'count' ? cell.rows : cell.sum;
      }
    if (this.#measure === 'count') return total;
    return numbers > 0 && Number.isFinite(total) ? total : null;
  }
}
