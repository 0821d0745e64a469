import type { DocumentEntity } from '@datadeck/contract/connector-document';
import { isRecord } from '@datadeck/contract/table-columns';
import { type ColumnValue, type JsonObject, storable } from '../../sdk/index.ts';
import { columnValue, instantOf } from '../column-value.ts';
import type { Input } from '../expression.ts';
import { scalarText } from '../scalar-text.ts';
import type { SecretHider } from './hide-secret.ts';
import type { TrialRows } from './trial-rows.ts';
import type { TrialPage } from './trial-task.ts';

/** Records that a trial shows, and the longest value of a column. */
export const SHOWN = 5;
const MAX_VALUE = 200;
/** Longest value that a message quotes. */
const MAX_QUOTED = 80;
const MAX_KEY = 2000;

const TYPE_NAMES: Readonly<Record<string, string>> = {
  text: 'text',
  texts: 'list of texts',
  integer: 'whole number below 2,147,483,648',
  bigint: 'whole number',
  number: 'number',
  boolean: 'true or false',
  time: 'time',
};

/** An expression that is the path of a field. */
const FIELD = /^record(?:\.[A-Za-z0-9_`@$ -]+)+$/;

type Report = (path: string, message: string) => void;

/** Returns a value as a message quotes it. */
export function quote(value: unknown, hider: SecretHider): string {
  if (value === undefined || value === null) return 'nothing';
  const text = typeof value === 'string' ? `“${value}”` : (JSON.stringify(value) ?? 'a function');
  return hider.shorten(text, MAX_QUOTED);
}

function textOf(value: ColumnValue): string {
  if (value === null) return '';
  return value instanceof Date
    ? value.toISOString()
    : Array.isArray(value)
      ? value.join(', ')
      : String(value);
}

const isNothing = (value: unknown) => value === undefined || value === null;

/** Tries what an entity reads of its records. */
export class TrialColumns {
  readonly #entity: DocumentEntity;
  readonly #at: string;
  readonly #rows: TrialRows;
  readonly #report: Report;
  readonly #hider: SecretHider;

  /** @param at path of the entity in the document */
  constructor(
    entity: DocumentEntity,
    at: string,
    { rows, report, hider }: { rows: TrialRows; report: Report; hider: SecretHider },
  ) {
    this.#hider = hider;
    this.#entity = entity;
    this.#at = at;
    this.#rows = rows;
    this.#report = report;
  }

  /** Returns the records as they are stored: with added fields. */
  stored(entries: readonly JsonObject[], input: Input): JsonObject[] {
    const whole = entries.map((entry) => ({ ...entry }));
    const rows = entries.map((record) => ({ ...input, record }));
    for (const [name, expression] of Object.entries(this.#entity.add)) {
      const values = this.#rows.values(`${this.#at}.add.${name}`, expression, rows);
      for (const [index, value] of values.entries())
        if (value !== undefined) Object.assign(whole[index] ?? {}, { [name]: value });
    }
    const path = `${this.#at}.key`;
    const keys = this.#rows
      .values(
        path,
        this.#entity.key,
        whole.map((record) => ({ ...input, record })),
      )
      .map((key) => storable(scalarText(key) ?? ''));
    this.#checkKeys(path, keys);
    return whole.map((record, index) =>
      keys[index] && Object.hasOwn(record, 'id') ? { ...record, id: keys[index] } : record,
    );
  }

  #checkKeys(path: string, keys: readonly string[]): void {
    const missing = keys.findIndex((key) => key === '' || key.length > MAX_KEY);
    if (missing >= 0) {
      const count = keys.filter((key) => key === '' || key.length > MAX_KEY).length;
      this.#report(
        path,
        `It yields no text or number for ${count === 1 ? `record ${missing + 1}` : `${count} records, the first of which is record ${missing + 1}`}: records without a key are left out.`,
      );
    }
    const first = new Map<string, number>();
    for (const [index, key] of keys.entries()) {
      const before = first.get(key);
      if (key !== '' && before !== undefined) {
        this.#report(
          path,
          `Records ${before + 1} and ${index + 1} have the same key ${quote(key, this.#hider)}: only one of them is stored.`,
        );
        return;
      }
      first.set(key, index);
    }
  }

  /** Returns the columns with their values, and reports those that do not fit their types. */
  columns(records: readonly JsonObject[]): TrialPage['columns'] {
    const rows = records.map((record) => ({ record }));
    this.#checkDates(rows);
    const { columns, sortedBy, incremental, titleColumn } = this.#entity;
    return Object.entries(columns).map(([name, { type, value: expression }]) => {
      const path = `${this.#at}.columns.${name}.value`;
      const raw = this.#rows.values(path, expression, rows);
      const values = raw.map((value) => columnValue(type, value));
      const wrong = values.findIndex((value, index) => value === null && !isNothing(raw[index]));
      if (wrong >= 0)
        this.#report(
          path,
          `It yields ${quote(raw[wrong], this.#hider)} for record ${wrong + 1}, which is no ${TYPE_NAMES[type]}.`,
        );
      const filled = values.filter((value) => value !== null).length;
      const isMissing = records.length > 0 && raw.every((value) => value === undefined);
      if (isMissing && wrong < 0) this.#reportMissing(name, path, expression);
      if (name === sortedBy) this.#checkOrder(values);
      if (name === incremental?.column && filled === 0 && records.length > 0)
        this.#report(
          `${this.#at}.incremental.column`,
          `No record of this page has a value of ${name}: later runs would read everything.`,
        );
      if (name === titleColumn && filled < values.length && filled > 0)
        this.#report(
          `${this.#at}.titleColumn`,
          `${values.length - filled} of ${values.length} records have no ${name}: they have no title.`,
        );
      return {
        name,
        type,
        values: values.slice(0, SHOWN).map((value) => this.#hider.shorten(textOf(value), MAX_VALUE)),
        filled,
      };
    });
  }

  /** Reports a field that no record has, not even without a value. Other expressions may well yield nothing. */
  #reportMissing(name: string, path: string, expression: string): void {
    if (name === this.#entity.titleColumn)
      this.#report(
        `${this.#at}.titleColumn`,
        'It yields nothing for any record of this page: records would have no title.',
      );
    else if (FIELD.test(expression))
      this.#report(path, 'No record of this page has this field. Check its name in the answer.');
  }

  #checkDates(rows: readonly Input[]): void {
    const path = `${this.#at}.date`;
    const dates = this.#rows.values(path, this.#entity.date, rows);
    const wrong = dates.findIndex((value) => instantOf(value) === null);
    if (wrong < 0) return;
    const value = dates[wrong];
    const what = isNothing(value)
      ? 'It yields nothing'
      : `It yields ${quote(value, this.#hider)}, which is no date,`;
    this.#report(path, `${what} for record ${wrong + 1}: a record without a date is dated 1970.`);
  }

  #checkOrder(values: readonly ColumnValue[]): void {
    const times = values.map((value) => (value instanceof Date ? value.getTime() : Number.NaN));
    const wrong = times.findIndex((time, index) => index > 0 && time > (times[index - 1] ?? 0));
    if (wrong > 0)
      this.#report(
        `${this.#at}.sortedBy`,
        `Record ${wrong + 1} is newer than record ${wrong}, but the list must come newest first. Ask the service to sort it, or leave this out.`,
      );
  }
}

/** Returns the entries that an expression found, and those of them that are records. */
export function entriesOf(found: unknown): { entries: unknown[]; records: JsonObject[] } {
  const entries = isNothing(found) ? [] : Array.isArray(found) ? [...found] : [found];
  return { entries, records: entries.filter(isRecord) as JsonObject[] };
}
