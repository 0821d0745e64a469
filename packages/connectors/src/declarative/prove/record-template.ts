import { type DateForm, dateFormOf } from '../date-form.ts';
import type { AnswerReader, ReadAnswer } from './answer-reader.ts';
import { type AnswerTemplate, withElements } from './answer-template.ts';
import { ProofStoppedError } from './proof-stopped-error.ts';
import { type Leaf, leavesOf, nameOf, type Place, valueAt, withValue } from './tree.ts';

/** What a stand-in knows of a record. Times in ms since 1970. */
export interface StandInRecord {
  number: number;
  created: number;
  changed: number;
  /** Grows with each change of any record. */
  revision: number;
}

type Effect = 'key' | 'date' | 'sorted' | 'growth';
interface Effective extends Leaf {
  effects: ReadonlySet<Effect>;
  form: DateForm | undefined;
}

/** Keys are this number and more. */
const FIRST_KEY = 1000;
const MAX_LEAVES = 300;
/** An instant that no recording has. */
const OTHER_TIME = Date.UTC(2013, 2, 14, 1, 59, 26);
/** Names of fields that move when a record changes. */
const CHANGE = /updat|modif|chang|edited|activity|touch/i;

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
const parentOf = (place: Place) => JSON.stringify(place.slice(0, -1));

function variationOf({ value }: Leaf, form: DateForm | undefined): unknown {
  if (form) return form.write(OTHER_TIME);
  // One more than a number of 17 digits is the same number.
  if (typeof value === 'number') return Math.abs(value) < 1e15 ? value + 1 : value * 2;
  if (typeof value !== 'string') return undefined;
  return /^\d{1,15}$/.test(value) ? String(Number(value) + 1) : `${value.slice(0, 200)}x`;
}

/** Writes records in the form of a recorded one: with keys, dates and revisions of their own. */
export class RecordTemplate {
  readonly #elements: readonly unknown[];
  readonly #fields: { keys: Leaf[]; created: Effective[]; changed: Effective[]; revisions: Leaf[] };
  /** By what the service lists the newest first; undefined for lists in no order. */
  readonly sortedBy: 'created' | 'changed' | undefined;

  constructor(
    elements: readonly unknown[],
    fields: { keys: Leaf[]; created: Effective[]; changed: Effective[]; revisions: Leaf[] },
    sortedBy: 'created' | 'changed' | undefined,
  ) {
    this.#elements = elements;
    this.#fields = fields;
    this.sortedBy = sortedBy;
  }

  /** Returns a template that uses only the first recorded element. */
  ofFirst(): RecordTemplate {
    return new RecordTemplate(this.#elements.slice(0, 1), this.#fields, this.sortedBy);
  }

  /** Returns whether a change of a record can be seen: in a time, or in a number that grows. */
  get canChange(): boolean {
    return this.#fields.changed.length + this.#fields.revisions.length > 0;
  }

  /** Returns the value of a record's number that grows: its revision, or its key. */
  growthOf({ number, revision }: StandInRecord): number {
    return this.#fields.revisions.length > 0 ? revision : FIRST_KEY + number;
  }

  /** Where the key and the dates of a record are. */
  get places(): { keys: Place[]; dates: Place[]; others: Place[] } {
    const { keys, created, changed, revisions } = this.#fields;
    const taken = [...keys, ...created, ...changed, ...revisions].map(({ place }) => JSON.stringify(place));
    const others = leavesOf(this.#elements[0]).filter(({ place }) => !taken.includes(JSON.stringify(place)));
    const placesOf = (leaves: readonly Leaf[]) => leaves.map(({ place }) => place);
    return { keys: placesOf(keys), dates: placesOf([...created, ...changed]), others: placesOf(others) };
  }

  /** Returns the element of a record. */
  write({ number, created, changed, revision }: StandInRecord): unknown {
    const { keys, revisions } = this.#fields;
    let element = this.#elements[number % this.#elements.length];
    const set = (place: Place, value: unknown) => {
      element = withValue(element, place, value);
    };
    for (const { place, value } of keys) {
      const isText = typeof value === 'string';
      const id = FIRST_KEY + number;
      set(place, !isText ? id : /^\d{1,15}$/.test(value) ? String(id) : `${value.slice(0, 100)}-${id}`);
    }
    for (const { place, value } of revisions)
      set(place, typeof value === 'number' ? revision : String(revision));
    for (const { place, form } of this.#fields.created) set(place, form?.write(created));
    for (const { place, form } of this.#fields.changed) set(place, form?.write(changed));
    return element;
  }
}

/** Returns the fields of an element that its key, date and times depend on: each is changed alone, and read again. */
async function effectiveLeaves(
  reader: AnswerReader,
  template: AnswerTemplate,
  { element, isDayFirst }: { element: unknown; isDayFirst: boolean },
): Promise<Effective[]> {
  const { sortedBy, incremental } = reader.entity;
  const readOne = async (one: unknown) => (await reader.read(withElements(template, [one])))?.records[0];
  const base = await readOne(element);
  const found: Effective[] = [];
  for (const leaf of leavesOf(element).slice(0, MAX_LEAVES)) {
    const form = dateFormOf(leaf.value, isDayFirst);
    const value = variationOf(leaf, form);
    const record = value === undefined ? undefined : await readOne(withValue(element, leaf.place, value));
    if (!record || !base) continue;
    const column = (name: string | undefined) =>
      name !== undefined && !isSame(record.columns[name], base.columns[name]);
    const effects = new Set<Effect>();
    if (record.id !== base.id) effects.add('key');
    if (!isSame(record.occurredAt, base.occurredAt)) effects.add('date');
    if (column(sortedBy)) effects.add('sorted');
    if (column(incremental?.column)) effects.add('growth');
    found.push({ ...leaf, effects, form });
  }
  return found;
}

/** Returns the fields of a time that move with each change of a record. */
function changedFields(leaves: readonly Effective[]): Effective[] {
  const dated = leaves.filter(({ form, effects }) => form !== undefined && !effects.has('key'));
  const growing = dated.filter(({ effects }) => effects.has('growth'));
  const relevant = growing.length > 0 ? growing : dated.filter(({ effects }) => effects.size > 0);
  const parents = new Set(relevant.map(({ place }) => parentOf(place)));
  const named = dated.filter(({ place }) => CHANGE.test(nameOf(place)) && parents.has(parentOf(place)));
  return named.length > 0 ? named : growing;
}

/** Returns whether the recorded elements are in the order of their changes, the newest first. */
function isInOrderOf({ place }: Leaf, elements: readonly unknown[], isDayFirst: boolean): boolean {
  const times = elements.map(
    (element) => dateFormOf(valueAt(element, place), isDayFirst)?.time ?? Number.NaN,
  );
  return times.length > 2 && times.every((time, index) => index === 0 || time < (times[index - 1] ?? 0));
}

/** Throws if the recorded records have no keys of their own, no dates, or another order than the document says. */
export function checkRecorded(
  { entity }: Pick<AnswerReader, 'entity'>,
  { records, entries }: ReadAnswer,
): void {
  const { sortedBy, incremental, columns, parent } = entity;
  const ids = new Set(records.map(({ id }) => id));
  if (records.length === 0)
    throw new ProofStoppedError(
      'failed',
      'key',
      'No record of the recorded answer has a key. Name a field that is different in each record.',
    );
  if (ids.size < records.length)
    throw new ProofStoppedError(
      'failed',
      'key',
      `${records.length - ids.size} of the ${entries} recorded records have the key of another one, and would replace it. Name a field that is different in each record.`,
    );
  if (records.every(({ occurredAt }) => occurredAt.getTime() === 0))
    throw new ProofStoppedError(
      'failed',
      'date',
      'The expression finds no date in the recorded answer, so all records would be dated 1970. Name a field with a date.',
    );
  const valuesOf = (name: string) =>
    records.map((record) => record.columns[name] ?? null).filter((value) => value !== null);
  if (sortedBy !== undefined) {
    const times = valuesOf(sortedBy).map(Number);
    if (times.length === 0)
      throw new ProofStoppedError(
        'failed',
        'sortedBy',
        `The column ${sortedBy} is empty in the recorded answer, so it is not what the service sorts by.`,
      );
    if (
      parent === undefined &&
      times.some((time, index) => time > (times[index - 1] ?? Number.POSITIVE_INFINITY))
    )
      throw new ProofStoppedError(
        'failed',
        'sortedBy',
        `The recorded answer is not sorted by ${sortedBy}, the newest first. Ask for that order in the request, or remove sortedBy.`,
      );
  }
  if (incremental && valuesOf(incremental.column).length === 0)
    throw new ProofStoppedError(
      'failed',
      'incremental.column',
      `The column ${incremental.column} is empty in the recorded answer, so changes cannot be found by it. Correct its expression${columns[incremental.column]?.type === 'time' ? ', or name a field with the time of the last change' : ''}.`,
    );
}

/** Finds key and dates in the elements of a template. @param isDayFirst see `dateFormOf` @throws ProofStoppedError for what does not come from the records */
export async function findRecordTemplate(
  reader: AnswerReader,
  template: AnswerTemplate,
  isDayFirst: boolean,
): Promise<RecordTemplate> {
  const { sortedBy, incremental } = reader.entity;
  checkRecorded(reader, template.recorded);
  const usable: unknown[] = [];
  for (const element of template.elements) {
    const record = (await reader.read(withElements(template, [element])))?.records[0];
    const needed = [sortedBy, incremental?.column].filter((name) => name !== undefined);
    if (record && record.occurredAt.getTime() !== 0 && needed.every((name) => record.columns[name] !== null))
      usable.push(element);
  }
  if (usable.length === 0)
    throw new ProofStoppedError(
      'undecided',
      'columns',
      'No recorded record has a key and all its dates. Try it where there are such records.',
    );
  const leaves = await effectiveLeaves(reader, template, { element: usable[0], isDayFirst });
  const having = (effect: Effect) => leaves.filter(({ effects }) => effects.has(effect));
  if (having('key').length === 0)
    throw new ProofStoppedError(
      'failed',
      'key',
      'Every record gets the same key, so each would replace the one before it. Name a field that is different in each record.',
    );
  if (having('date').length === 0)
    throw new ProofStoppedError(
      'failed',
      'date',
      'The date does not depend on the record. Name a field of the record with a date.',
    );
  if (incremental && having('growth').length === 0)
    throw new ProofStoppedError(
      'failed',
      'incremental.column',
      `The column ${incremental.column} does not depend on a field of the record, so it cannot grow with a change. Name a field that does.`,
    );
  const changed = changedFields(leaves);
  const isChanged = (leaf: Effective) => changed.includes(leaf);
  const created = leaves.filter(
    (leaf) =>
      leaf.form !== undefined && leaf.effects.size > 0 && !leaf.effects.has('key') && !isChanged(leaf),
  );
  const revisions = having('growth').filter((leaf) => leaf.form === undefined && !leaf.effects.has('key'));
  const byDocument = having('sorted').some(isChanged) ? 'changed' : 'created';
  const isRecordedInOrder = changed.some((leaf) => isInOrderOf(leaf, template.elements, isDayFirst));
  const order = sortedBy !== undefined ? byDocument : isRecordedInOrder ? 'changed' : undefined;
  return new RecordTemplate(usable, { keys: having('key'), created, changed, revisions }, order);
}
