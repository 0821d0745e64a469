import { CURVE_LIMITS, type CurveKind } from '@datadeck/contract';
import { isRecord } from '@datadeck/contract/table-columns';
import type { ResultFile } from '../../platform/evaluation/index.ts';

/** Most rows that are groups, and their size as JSON, bytes; it is parsed on the main thread. */
const MAX_GROUPS = 200;
const MAX_BYTES = 256 * 1024;
/** Names of numbers that identify a row. */
const IDENTIFIERS = /^(?:number|_?id|.{0,60}_id)$/i;

/** The numbers of a result by group; the name of a single one is empty. */
export interface Numbers {
  kind: CurveKind;
  values: Record<string, number>;
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** Returns the largest groups, in their order. */
function largest(groups: readonly (readonly [string, number])[]): Record<string, number> {
  const chosen =
    groups.length <= CURVE_LIMITS.groups
      ? groups
      : new Set(groups.toSorted(([, a], [, b]) => Math.abs(b) - Math.abs(a)).slice(0, CURVE_LIMITS.groups));
  const kept = new Map<string, number>();
  for (const group of groups) {
    if (chosen !== groups && !(chosen as Set<unknown>).has(group)) continue;
    const [name, number] = group;
    kept.set(freeName(storedName(name), kept), number);
  }
  return Object.fromEntries(kept);
}

/** Returns a name as the database stores it: short, and without what it cannot read out of JSON. */
function storedName(name: string): string {
  const { groupName } = CURVE_LIMITS;
  const short = name.length <= groupName ? name : `${name.slice(0, groupName - 1)}…`;
  return short.toWellFormed().replaceAll('\0', '\ufffd');
}

/** Returns a name that is not taken, with a number at its end if need be. */
function freeName(name: string, taken: ReadonlyMap<string, number>): string {
  let free = name;
  for (let n = 2; taken.has(free); n++) {
    const end = ` ${n}`;
    free = `${name.slice(0, CURVE_LIMITS.groupName - end.length).toWellFormed()}${end}`;
  }
  return free;
}

/** Returns a row as a group: its texts are the name, its only number that is no identifier the value. */
function groupOf(row: unknown): readonly [string, number] | undefined {
  if (!isRecord(row)) return undefined;
  const names: string[] = [];
  let found: number | undefined;
  for (const [name, value] of Object.entries(row)) {
    if (typeof value === 'string' || typeof value === 'boolean') names.push(String(value));
    else if (!isNumber(value) || found !== undefined || IDENTIFIERS.test(name)) return undefined;
    else found = value;
  }
  return found === undefined || names.length === 0 ? undefined : [names.join(' · '), found];
}

/** Returns rows as groups; undefined if one of them is none, or two have the same name. */
function groupsOf(rows: readonly unknown[]): Record<string, number> | undefined {
  const groups: (readonly [string, number])[] = [];
  for (const row of rows) {
    const group = groupOf(row);
    if (!group) return undefined;
    groups.push(group);
  }
  const isUnique = new Set(groups.map(([name]) => name)).size === groups.length;
  return groups.length > 0 && isUnique ? largest(groups) : undefined;
}

/** Returns whether an object may be the only row of a list: something in it identifies it, or has no number. */
function isRow(value: unknown, mayBeGroups: boolean): value is Record<string, unknown> {
  if (!isRecord(value)) return false;
  return Object.entries(value).some(
    ([name, of]) => IDENTIFIERS.test(name) || (!mayBeGroups && !isNumber(of)),
  );
}

/** Returns the numbers of a value that is no array; undefined if it has none. */
function numbersOf(value: unknown): Numbers | undefined {
  if (isNumber(value)) return { kind: 'number', values: { '': value } };
  if (!isRecord(value)) return undefined;
  const row = groupOf(value);
  if (row) return { kind: 'groups', values: largest([row]) };
  const groups = Object.entries(value).filter((entry): entry is [string, number] => isNumber(entry[1]));
  return groups.length === 0 ? undefined : { kind: 'groups', values: largest(groups) };
}

/**
 * Reads the numbers of a result: a number, the numbers of an object, or rows of texts and one number. Any other list is
 * counted, also when a filter leaves one row, which is no list then, or nothing.
 * @param before what the result had the last time, which decides what else may mean several things; absent if unknown
 * @returns undefined for a value without a number
 */
export async function readNumbers(
  result: Pick<ResultFile, 'count' | 'isArray' | 'bytes' | 'page'>,
  before?: CurveKind,
): Promise<Numbers | undefined> {
  const { count, isArray, bytes } = result;
  const rows: Numbers = { kind: 'rows', values: { '': count } };
  const isCounted = isArray || before === 'rows' || (count === 0 && before === undefined);
  if (bytes > MAX_BYTES || count > MAX_GROUPS) return isCounted ? rows : undefined;
  const items = JSON.parse(await result.page(0, MAX_GROUPS)) as unknown[];
  if (!isArray) {
    const [value] = items;
    const isList = value === undefined ? isCounted : isRow(value, before !== 'rows');
    return isList ? rows : numbersOf(value);
  }
  const groups = groupsOf(items);
  return groups ? { kind: 'groups', values: groups } : rows;
}
