import { copiedInstant } from '../../sdk/column-values.ts';
import { storableInstant } from '../../sdk/instant.ts';

const INSTANT = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Returns whether the day exists; Date.parse accepts 30 February as a day in March. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

/** Parses an ISO text in UTC or with an offset; undefined for anything else and for years outside 1 to 9999. */
export function instantOf(text: string | null | undefined): Date | undefined {
  const usual = copiedInstant(text, 0);
  if (usual) return usual;
  const day = text?.match(INSTANT)?.[1];
  return text && day && isDay(day) ? storableInstant(Date.parse(text)) : undefined;
}
