import { isRecord } from '@datadeck/contract/table-columns';
import type { AnswerReader, DecodedAnswer, ReadAnswer } from './answer-reader.ts';
import { ProofStoppedError } from './proof-stopped-error.ts';
import { type Leaf, leavesOf, nameOf, type Place, valueAt, valuesOf, withValue } from './tree.ts';

/** Where an answer has a value: in its body, or in a header. */
export type Slot = { place: Place } | { header: string };
interface Edit {
  slot: Slot;
  value: unknown;
}

/** How an answer names the next page. */
export interface NextPage {
  /** Absent where the last record is the cursor. */
  slot?: Slot;
  /** Makes an answer one with a next page, and the last one; without `last`, the page after the last one is empty. */
  more: readonly Edit[];
  last?: readonly Edit[];
}

/** A recorded answer, of which a stand-in makes others. */
export interface AnswerTemplate {
  answer: DecodedAnswer;
  /** Where the records are, and those that were recorded. */
  list: Place;
  elements: readonly unknown[];
  /** What the document reads of the recorded answer. */
  recorded: ReadAnswer;
  next: NextPage | undefined;
  total: Slot | undefined;
}

const MAX_LISTS = 60;
/** A number that no recording has: probes write it where a cursor or a count may be. */
const PROBE = 7_350_113;
const PATHS = /\b(response|headers)((?:\s*\.\s*(?:[A-Za-z_][\w-]*|`[^`]{1,99}`|"[^"]{1,99}"))+)/g;

/** Returns the elements of a list; in XML a list of one is its element. */
function elementsAt(tree: unknown, place: Place): unknown[] {
  const value = valueAt(tree, place);
  return (Array.isArray(value) ? value : [value]).filter(isRecord);
}

/** Applies changes to an answer. */
export function edited({ tree, headers }: DecodedAnswer, edits: readonly Edit[]): DecodedAnswer {
  let body = tree;
  const names = new Map(Object.entries(headers));
  for (const { slot, value } of edits) {
    if ('place' in slot) body = withValue(body, slot.place, value);
    else if (value === undefined || value === null) names.delete(slot.header);
    else names.set(slot.header, String(value));
  }
  return { tree: body, headers: Object.fromEntries(names) };
}

/** Returns the answer with other records. */
export function withElements(
  { answer, list }: Pick<AnswerTemplate, 'answer' | 'list'>,
  elements: readonly unknown[],
): DecodedAnswer {
  return edited(answer, [{ slot: { place: list }, value: elements }]);
}

/** Returns the paths that an expression names, as slots. */
function namedSlots(source: string): Slot[] {
  return [...source.matchAll(PATHS)].map(([, root, path = '']) => {
    const names = path
      .split('.')
      .slice(1)
      .map((name) => name.trim().replaceAll(/^[`"]|[`"]$/g, ''));
    return root === 'headers' ? { header: names.join('.') } : { place: names };
  });
}

/** Finds the parts of a recorded answer by changing it and reading it again. */
class TemplateFinder {
  readonly #reader: AnswerReader;
  readonly #answer: DecodedAnswer;
  readonly #recorded: ReadAnswer;

  constructor(reader: AnswerReader, answer: DecodedAnswer, recorded: ReadAnswer) {
    this.#reader = reader;
    this.#answer = answer;
    this.#recorded = recorded;
  }

  async find(): Promise<AnswerTemplate> {
    const list = await this.#list();
    const elements = elementsAt(this.#answer.tree, list);
    const [next, total] = [await this.#next(list), await this.#total(list)];
    return { answer: this.#answer, recorded: this.#recorded, list, elements, next, total };
  }

  /** Returns where the list is: without its elements the document finds no record, with one more it finds one more. */
  async #list(): Promise<Place> {
    const { tree } = this.#answer;
    const { decode } = this.#reader.entity.request;
    const isXml = decode === 'xml' || decode === 'feed';
    const candidates = [...valuesOf(tree)]
      .filter(({ place, value }) =>
        Array.isArray(value) ? value.some(isRecord) : isXml && isRecord(value) && place.length > 0,
      )
      .map(({ place }) => place)
      .slice(0, MAX_LISTS)
      .reverse();
    for (const place of candidates) {
      const elements = elementsAt(tree, place);
      const of = (changed: unknown[]) => this.#read([{ slot: { place }, value: changed }]);
      const one = await of([...elements, elements[0]]);
      if (one?.entries !== this.#recorded.entries + 1) continue;
      if (((await of([]))?.entries ?? 0) === 0) return place;
    }
    throw new ProofStoppedError(
      'undecided',
      'records',
      'The records are computed from the answer in a way that cannot be imitated, so this could not be proved.',
    );
  }

  #read(edits: readonly Edit[]): Promise<ReadAnswer | undefined> {
    return this.#reader.read(edited(this.#answer, edits));
  }

  #valueOf(slot: Slot): unknown {
    return 'place' in slot ? valueAt(this.#answer.tree, slot.place) : this.#answer.headers[slot.header];
  }

  /** Returns the parts of the answer outside of its list that an expression names. */
  #slotsOf(source: string, list: Place): Slot[] {
    const { tree, headers } = this.#answer;
    const isNamed = (name: string) => name !== '' && source.toLowerCase().includes(name.toLowerCase());
    const places = leavesOf(tree, list).map(({ place }: Leaf) => place);
    const slots: Slot[] = [
      ...places.filter((place) => isNamed(nameOf(place))).map((place) => ({ place })),
      ...Object.keys(headers)
        .filter(isNamed)
        .map((header) => ({ header })),
      // What a last page leaves out.
      ...namedSlots(source).filter((slot) => {
        const value = this.#valueOf(slot);
        return value === undefined || value === null;
      }),
    ];
    return [...new Map(slots.map((slot) => [JSON.stringify(slot), slot])).values()].slice(0, MAX_LISTS);
  }

  /** Returns the changes of each flag and count that may say whether there is a next page; none is the first. */
  #flagsOf(slots: readonly Slot[]): Edit[][] {
    const flags = slots.flatMap((slot): Edit[][] => {
      const value = this.#valueOf(slot);
      if (typeof value === 'boolean') return [true, false].map((other) => [{ slot, value: other }]);
      if (value === 'true' || value === 'false')
        return ['true', 'false'].map((other) => [{ slot, value: other }]);
      const isText = typeof value === 'string';
      if (typeof value !== 'number' && !(isText && /^\d{1,9}$/.test(value))) return [];
      return [10 * PROBE, 0].map((other) => [{ slot, value: isText ? String(other) : other }]);
    });
    return [[], ...flags];
  }

  async #next(list: Place): Promise<NextPage | undefined> {
    const { pagination } = this.#reader.entity;
    if (!('next' in pagination)) return undefined;
    const isAddress = pagination.kind === 'address';
    const slots = this.#slotsOf(pagination.next, list);
    const flags = this.#flagsOf(slots);
    for (const flag of flags)
      for (const slot of slots) {
        const isNumber = !isAddress && typeof this.#valueOf(slot) === 'number';
        const value = isAddress ? `/proof/${PROBE}` : isNumber ? PROBE : String(PROBE);
        const text = JSON.stringify((await this.#read([...flag, { slot, value }]))?.next ?? '');
        if (!text.includes(String(PROBE)) && !text.includes(String(PROBE + 1))) continue;
        const last = await this.#last({ slot, value }, flags);
        return { slot, more: flag, ...(last && { last }) };
      }
    return this.#recorded.next === null ? undefined : { more: [] };
  }

  /** Returns the changes after which there is no next page; undefined without any. */
  async #last({ slot, value }: Edit, flags: readonly Edit[][]): Promise<Edit[] | undefined> {
    for (const end of [null, '', undefined, value])
      for (const flag of flags) {
        const edits = [
          ...flag.filter((one) => JSON.stringify(one.slot) !== JSON.stringify(slot)),
          { slot, value: end },
        ];
        const read = await this.#read(edits);
        if (read && read.next === null) return edits;
      }
    return undefined;
  }

  async #total(list: Place): Promise<Slot | undefined> {
    const { total } = this.#reader.entity;
    if (total === undefined) return undefined;
    for (const slot of this.#slotsOf(total, list)) {
      const value = typeof this.#valueOf(slot) === 'number' ? PROBE : String(PROBE);
      if ((await this.#read([{ slot, value }]))?.total === PROBE) return slot;
    }
    return undefined;
  }
}

function hasList(tree: unknown): boolean {
  return [...valuesOf(tree)].some(({ value }) => Array.isArray(value) && value.some(isRecord));
}

/** Finds records, next page and count in a recorded answer. @throws ProofStoppedError if the document does not find its records */
export async function findTemplate(reader: AnswerReader, answer: DecodedAnswer): Promise<AnswerTemplate> {
  const read = await reader.readOrThrow(answer);
  if (read === 'failed')
    throw new ProofStoppedError(
      'failed',
      '/failed',
      'The recorded answer is a good one, but “failed” calls it a failure. Correct the expression.',
    );
  if (read.entries === 0) {
    if (hasList(answer.tree) || reader.entity.request.decode === 'feed')
      throw new ProofStoppedError(
        'failed',
        'records',
        'The expression finds no record in the recorded answer, which has a list. Correct the path to it.',
      );
    throw new ProofStoppedError(
      'undecided',
      'records',
      'The recorded answer has no records. Try it where there are some.',
    );
  }
  return new TemplateFinder(reader, answer, read).find();
}
