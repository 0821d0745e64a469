import { type Component, componentOf, isComponent, textOf } from './component.ts';
import type { RequestParts } from './import-request.ts';
import { type Code, call, type Duration, stepOf } from './jinja/code.ts';
import { formatted, NOW, readDuration } from './jinja/dates.ts';
import { withHelpers } from './jinja/python-functions.ts';
import { translateTemplate } from './jinja/translate-template.ts';
import { attempt, UntranslatableError } from './jinja/untranslatable-error.ts';
import { scopeAt, type TemplateScope, variablesOf } from './variables.ts';

const DAY_MS = 86_400_000;
/** Longest month, which is read again where a manifest counts back in months. */
const MONTH_MS = 31 * DAY_MS;

/** How an entity reads what changed. */
export interface ImportedIncremental {
  /** Field that grows, and its value as columns of times read it. */
  field: string;
  value: string;
  /** Seconds. */
  lookBack: number;
  /** Whether runs that read everything begin at a time that moves, such as 30 days ago. */
  isMoving: boolean;
  /** Codes of the members of a slice: where it begins and ends. */
  slice: Map<string, Code>;
  /** Expression that yields the windows of time, as objects of the same members; absent where one request reads all. */
  windows?: string;
  /** Adds the times to a request. */
  inject(request: RequestParts): void;
}

/** How texts of a format are read, as milliseconds. */
const READERS: Readonly<Record<string, (text: string) => string>> = {
  '%s': (text) => `$int(${text}) * 1000`,
  '%s_as_float': (text) => `$float(${text}) * 1000`,
  '%ms': (text) => `$int(${text})`,
  '%epoch_microseconds': (text) => `$floor($int(${text}) / 1000)`,
  '%Y-%m': (text) => `$toMillis(${text} & "-01")`,
};
/** Parts of a date and a time, in the order of ISO 8601, and their digits. */
const PARTS = { Y: 4, m: 2, d: 2, H: 2, M: 2, S: 2 } as const;

/**
 * Returns how texts of a format with only numbers become those of ISO 8601: `%d/%m/%Y %H:%M`; other texts stay as they are.
 * @throws UntranslatableError for another format
 */
function isoOf(format: string): (text: string) => string {
  const found = [...format.matchAll(/%(.)/g)].map(([, directive = '']) => directive);
  const groups = Object.keys(PARTS).map((name) => found.indexOf(name) + 1);
  const isDate = groups.slice(0, 3).every((group) => group > 0);
  const isTime = groups.slice(3).every((group, index, all) => group === 0 || all[index - 1] !== 0);
  if (
    !isDate ||
    !isTime ||
    new Set(found).size < found.length ||
    groups.filter(Boolean).length < found.length
  )
    throw new UntranslatableError(`the date format ${format}`);
  const pattern = format
    .replace(/[/.*+?^$()[\]{}|\\-]/g, '\\$&')
    .replace(/%(.)/g, (_, name: keyof typeof PARTS) => `(\\d{${PARTS[name]}})`);
  const [year, month, day, hour = 0, minute = 0, second = 0] = groups;
  const time =
    hour === 0
      ? ''
      : `T$${hour}:${minute === 0 ? '00' : `$${minute}`}:${second === 0 ? '00' : `$${second}`}Z`;
  return (text) => `$replace(${text}, /^${pattern}$/, "$${year}-$${month}-$${day}${time}")`;
}

const isIso = (format: string) => /^%Y-%m-%d(?:[T _]|$)/.test(format);

/** Returns the value of the field that grows, as columns of times read it. They know names of months and most zones themselves. */
function columnOf(field: string, sync: Component): string {
  const { cursor_datetime_formats: given, datetime_format: format } = sync;
  const formats = [...(Array.isArray(given) ? given : []), format].map(String);
  const others = formats.filter((one) => !isIso(one) && !Object.hasOwn(READERS, one));
  const readers = others
    .map((one) => attempt(() => isoOf(one)))
    .flatMap((one) => ('value' in one ? [one.value] : []));
  const value = `record.${stepOf(field)}`;
  if (readers.length === 0) return value;
  return `($type(${value}) = "string" ? ${readers.reduce((text, read) => read(text), value)} : ${value})`;
}

function millisecondsOf(template: string, format: string, scope: TemplateScope): string {
  const { text } = translateTemplate(template, variablesOf(scope));
  const reader = Object.hasOwn(READERS, format) ? READERS[format] : undefined;
  if (reader) return reader(text);
  return isIso(format) ? `$ms(${text})` : `$toMillis(${isoOf(format)(text)})`;
}

/** Returns the milliseconds of a time of a manifest. @throws UntranslatableError */
function timeOf(time: unknown, format: string, outer: TemplateScope): string {
  if (!isComponent(time)) return millisecondsOf(String(time ?? ''), format, outer);
  const scope = scopeAt(time, outer);
  const own = textOf(time, 'datetime_format') || format;
  const [least, most] = [textOf(time, 'min_datetime'), textOf(time, 'max_datetime')];
  const plain = millisecondsOf(textOf(time, 'datetime'), own, scope);
  const above = least === '' ? plain : `$max([${plain}, ${millisecondsOf(least, own, scope)}])`;
  return most === '' ? above : `$min([${above}, ${millisecondsOf(most, own, scope)}])`;
}

/** Returns a time as a format prints it, which cuts it. @throws UntranslatableError for years */
function cutTo(source: string, format: string): string {
  const to = (length: number) => `$floor((${source}) / ${length}) * ${length}`;
  if (/%f|%_ms|%ms|%s_as_float|%epoch_microseconds/.test(format)) return source;
  if (/%S|%s|%T/.test(format)) return to(1000);
  if (format.includes('%M')) return to(60_000);
  if (/%H|%I/.test(format)) return to(3_600_000);
  if (/%d|%F/.test(format)) return to(DAY_MS);
  if (format.includes('%m')) return `$toMillis($fromMillis(${source}, "[Y0001]-[M01]") & "-01")`;
  throw new UntranslatableError(`the date format ${format}`);
}

function durationOf(sync: Component, name: string): Duration | undefined {
  const text = textOf(sync, name);
  if (text === '') return undefined;
  if (/\{\{/.test(text)) throw new UntranslatableError(`a computed ${name}`);
  return readDuration(text);
}

/** The names of a slice's members. */
interface SliceNames {
  start: string;
  end: string;
}

/** Returns an expression that cuts the time from `$from` to `$to` into windows. Each ends before the next one begins. */
function windowsOf(
  { months, ms }: Duration,
  granularity: Duration,
  { format, start, end }: SliceNames & { format: string },
): string {
  const textOfTime = (source: string) => formatted(call(source, 'instant'), format).source;
  // Times have milliseconds: one microsecond before one ends with 999 of them.
  const isMicro = granularity.ms > 0 && granularity.ms < 1;
  const before = isMicro
    ? textOfTime('($e - 1)').replaceAll('[f001]000', '[f001]999')
    : textOfTime(`(${moveBack('$e', granularity)})`);
  const window = `{${JSON.stringify(start)}: ${textOfTime('$f')}, ${JSON.stringify(end)}: $e >= $to ? ${textOfTime('$to')} : ${before}}`;
  if (months === 0) {
    if (ms <= 0) throw new UntranslatableError('windows without a length');
    const count = `$ceil(($to - $from) / ${ms})`;
    return `[[0..${count} - 1].($f := $from + $ * ${ms}; $e := $f + ${ms}; ${window})]`;
  }
  const next = `$months($f, ${months})${ms === 0 ? '' : ` + ${ms}`}`;
  return `($window := function($f){ ($e := ${next}; $e >= $to ? [${window}] : $append([${window}], $window($e))) }; $from < $to ? $window($from) : [])`;
}

function moveBack(source: string, { months, ms }: Duration): string {
  const moved = months === 0 ? source : `$months(${source}, ${-months})`;
  return ms === 0 ? moved : `${moved} - ${ms}`;
}

/** Whether a start depends on the current time (`day_delta`, `now_utc`); `max_datetime` does not count. */
function isMoving(time: unknown): boolean {
  const templates = isComponent(time) ? [time.datetime, time.min_datetime] : [time];
  return templates.some((template) =>
    /\b(?:now_utc|today_utc|today_with_timezone|day_delta)\b/.test(String(template ?? '')),
  );
}

/** Translates a cursor of times. @throws UntranslatableError */
export function importIncremental(stream: Component, outer: TemplateScope): ImportedIncremental | undefined {
  const sync = componentOf(stream, 'incremental_sync');
  if (!sync) return undefined;
  if (sync.type !== 'DatetimeBasedCursor') throw new UntranslatableError(`the cursor ${String(sync.type)}`);
  if (isComponent(sync.clamping)) throw new UntranslatableError('windows that are clamped');
  const scope = scopeAt(sync, outer);
  const { constant: field = '' } = translateTemplate(textOf(sync, 'cursor_field'), variablesOf(scope));
  if (field === '' || field.includes('.'))
    throw new UntranslatableError('a cursor field that is computed or nested');
  const format = textOf(sync, 'datetime_format');
  const back = durationOf(sync, 'lookback_window') ?? { months: 0, ms: 0 };
  const backMs = back.months * MONTH_MS + back.ms;
  // The product has counted `lookBack` back already; months differ in length.
  const seen = back.months === 0 ? '$toMillis(cursor)' : moveBack(`$toMillis(cursor) + ${backMs}`, back);
  const cut = cutTo(seen, format);
  const start = timeOf(sync.start_datetime, format, scope);
  const from = `$exists(cursor) ? $max([${start}, ${cut}]) : ${start}`;
  const to = sync.end_datetime ? timeOf(sync.end_datetime, format, scope) : NOW.source;
  const names: SliceNames = {
    start: textOf(sync, 'partition_field_start') || 'start_time',
    end: textOf(sync, 'partition_field_end') || 'end_time',
  };
  const step = durationOf(sync, 'step');
  const part = (name: string) => call(`part.${JSON.stringify(name).replace(/^"|"$/g, '`')}`, 'text');
  const [startCode, endCode] = step
    ? [part(names.start), part(names.end)]
    : [formatted(call(`(${from})`, 'instant'), format), formatted(call(`(${to})`, 'instant'), format)];
  const slice = new Map<string, Code>();
  for (const [name, value] of [
    [names.start, startCode],
    [names.end, endCode],
  ] as const) {
    slice.set(name, value);
    slice.set(`cursor_slice.${name}`, value);
  }
  const granularity = durationOf(sync, 'cursor_granularity') ?? { months: 0, ms: 0 };
  const windows =
    step &&
    withHelpers(`($from := ${from}; $to := ${to}; ${windowsOf(step, granularity, { ...names, format })})`);
  return {
    field,
    value: columnOf(field, sync),
    isMoving: isMoving(sync.start_datetime),
    lookBack: Math.min(Math.round(backMs / 1000), 31_536_000),
    slice,
    ...(windows !== undefined && { windows }),
    inject: (request) => {
      request.inject(componentOf(sync, 'start_time_option'), withHelpers(startCode.source));
      request.inject(componentOf(sync, 'end_time_option'), withHelpers(endCode.source));
    },
  };
}
