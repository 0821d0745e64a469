const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);

/** Numbers of these columns are parts of a date, from the longest to the shortest: name, smallest and largest value. */
const PARTS: readonly (readonly [name: RegExp, from: number, to: number])[] = [
  [/^year$/i, 1900, 2200],
  [/^quarter$/i, 1, 4],
  [/^month$/i, 0, 12],
  [/^week$/i, 0, 53],
  [/^(day|weekday|dayOfWeek|day_of_week)$/i, 0, 31],
  [/^hour$/i, 0, 24],
  [/^minute$/i, 0, 59],
];
/** Ranks of columns that hold names of days and months, and whole periods. */
const RANK = { period: -1, month: 2, day: 4 } as const;

const PERIOD = /^\d{4}(-(\d{2}|W\d{2}|Q[1-4]))?(-\d{2})?$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

export const isTimestamp = (value: unknown) => typeof value === 'string' && TIMESTAMP.test(value);

/** Returns the position of a name, such as `Mon` or `monday`, in a list of names; -1 if it is not in it. */
function indexIn(names: readonly string[], value: unknown): number {
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  return text.length < 3 ? -1 : names.findIndex((name) => name === text || name.slice(0, 3) === text);
}

/** A column whose values are points or parts of time. */
export interface TimeColumn {
  /** Columns are compared in the order of their ranks: year before month before hour. */
  rank: number;
  /** Returns a value that sorts by time. */
  keyOf: (value: unknown) => string | number;
}

/** Recognises a column of periods (`2026-11`), timestamps, names of days or months, or parts of dates (`hour`). */
export function timeColumn(name: string, values: readonly unknown[]): TimeColumn | undefined {
  if (values.length === 0) return undefined;
  const isPeriod = (value: unknown) =>
    isTimestamp(value) || (typeof value === 'string' && PERIOD.test(value));
  if (values.every(isPeriod)) return { rank: RANK.period, keyOf: String };
  if (values.every((value) => indexIn(WEEKDAYS, value) >= 0))
    return { rank: RANK.day, keyOf: (value) => indexIn(WEEKDAYS, value) };
  if (values.every((value) => indexIn(MONTHS, value) >= 0))
    return { rank: RANK.month, keyOf: (value) => indexIn(MONTHS, value) };
  const rank = PARTS.findIndex(
    ([pattern, from, to]) =>
      pattern.test(name) &&
      values.every((value) => Number.isInteger(value) && Number(value) >= from && Number(value) <= to),
  );
  return rank < 0 ? undefined : { rank, keyOf: Number };
}
