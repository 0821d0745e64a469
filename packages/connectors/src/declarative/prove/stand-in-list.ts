import { timeIn } from '../date-form.ts';
import { firstNumber } from '../page-numbers.ts';
import { parameterOf } from '../wire-request.ts';
import { CONTENT_TYPES, writeAnswer } from '../written-answer.ts';
import type { AnswerReader } from './answer-reader.ts';
import { type AnswerTemplate, edited, type Slot, withElements } from './answer-template.ts';
import type { RecordTemplate, StandInRecord } from './record-template.ts';
import { valueAt } from './tree.ts';

/** Parameter of the addresses of next pages. */
export const PAGE_PARAMETER = 'datadeck-page';
/** Records of a page. */
export const PAGE_SIZE = 3;
/** Cursors are this number and more. */
const FIRST_CURSOR = 4_400_000;
/** Recorded headers that are not those of another answer. */
const OWN_HEADERS =
  /^(?:date|content-length|content-encoding|content-type|transfer-encoding|connection|keep-alive|location|etag|link|retry-after|set-cookie)$/i;

function isOwnHeader(name: string): boolean {
  return OWN_HEADERS.test(name) || name.toLowerCase().includes('ratelimit');
}

/** An answer that is sent. */
interface SentPage {
  body: string;
  headers: Record<string, string>;
}

/** A record of a list: its state, or an element that was put in as it is. */
export type ListItem = StandInRecord & { element?: unknown };

/** One list of a stand-in: its records, and its pages as the document asks for them. */
export class StandInList {
  readonly reader: AnswerReader;
  readonly #template: AnswerTemplate;
  readonly #records: RecordTemplate;
  /** Positions of pages by the cursors that the document sends. */
  readonly #positions = new Map<string, number>();
  items: ListItem[] = [];

  constructor(reader: AnswerReader, templates: { answer: AnswerTemplate; records: RecordTemplate }) {
    this.reader = reader;
    this.#template = templates.answer;
    this.#records = templates.records;
  }

  /** Returns the element of a record. */
  elementOf(item: ListItem): unknown {
    return item.element ?? this.#records.write(item);
  }

  /** Returns the ids that records have by the document, in their order; shorter for records without a key. */
  async idsOf(items: readonly ListItem[]): Promise<string[]> {
    const elements = items.map((item) => this.elementOf(item));
    const read = await this.reader.read(withElements(this.#template, elements));
    return (read?.records ?? []).map(({ id }) => id);
  }

  /** Returns the records as the document stores them, as JSON. */
  async documents(): Promise<string[]> {
    const elements = this.items.map((item) => this.elementOf(item));
    const read = await this.reader.read(withElements(this.#template, elements));
    return (read?.records ?? []).map(({ data }) => data.toString());
  }

  /** Returns the page that a request asks for; undefined for a cursor that was never sent. */
  async page(values: ReadonlyMap<string, string>, url: URL): Promise<SentPage | undefined> {
    const { pagination } = this.reader.entity;
    const all = this.#ordered(this.#changedSince(values));
    const start = this.#startOf(values);
    if (start === undefined) return undefined;
    const end = pagination.kind === 'none' ? all.length : start + PAGE_SIZE;
    const rows = all.slice(start, end);
    return this.#written(rows, { end, total: all.length, url });
  }

  /** Returns the record that the service lists last; undefined if changes move no record of this list. */
  get last(): ListItem | undefined {
    return this.#records.sortedBy === undefined ? undefined : this.#ordered(this.items).at(-1);
  }

  #ordered(items: readonly ListItem[]): ListItem[] {
    const { sortedBy } = this.#records;
    const rankOf = (item: ListItem) =>
      sortedBy === undefined ? (item.number * 7919) % 1009 : item[sortedBy];
    return items.toSorted((a, b) => rankOf(b) - rankOf(a) || b.number - a.number);
  }

  /** Returns the records that an incremental run asks for; all, if its parameter says nothing that can be read. */
  #changedSince(values: ReadonlyMap<string, string>): readonly ListItem[] {
    const { incremental, columns } = this.reader.entity;
    const { parameter } = incremental ?? {};
    if (incremental === undefined || parameter === undefined) return this.items;
    const value = values.get(parameter.name);
    const first = parameterOf(this.reader.request, parameter);
    if (value === undefined || value === first) return this.items;
    if (columns[incremental.column]?.type === 'time') {
      const time = timeIn(value);
      return time === undefined ? this.items : this.items.filter(({ changed }) => changed >= time);
    }
    const from = Number(/-?\d+(?:\.\d+)?/.exec(value)?.[0] ?? Number.NaN);
    if (Number.isNaN(from)) return this.items;
    return this.items.filter((item) => this.#records.growthOf(item) >= from);
  }

  #startOf(values: ReadonlyMap<string, string>): number | undefined {
    const { pagination } = this.reader.entity;
    switch (pagination.kind) {
      case 'none':
        return 0;
      case 'page':
      case 'offset': {
        const first = firstNumber(pagination);
        const value = Number(values.get(pagination.parameter) ?? first);
        return pagination.kind === 'page' ? (value - first) * PAGE_SIZE : value;
      }
      case 'cursor': {
        const { parameter } = pagination;
        const first = parameterOf(this.reader.request, { in: pagination.in, name: parameter });
        const value = values.get(parameter);
        return value === undefined || value === String(first) ? 0 : this.#positions.get(value);
      }
      case 'link':
      case 'address':
        return Number(values.get(PAGE_PARAMETER) ?? 0);
    }
  }

  async #written(
    rows: readonly ListItem[],
    { end, total, url }: { end: number; total: number; url: URL },
  ): Promise<SentPage> {
    const { pagination, request } = this.reader.entity;
    const { next, total: totalSlot, answer } = this.#template;
    const hasMore = end < total;
    const target = new URL(url);
    target.searchParams.set(PAGE_PARAMETER, String(end));
    const kept = Object.entries(answer.headers).filter(
      ([name]) => !isOwnHeader(name) || (totalSlot && 'header' in totalSlot && totalSlot.header === name),
    );
    const elements = rows.map((row) => this.elementOf(row));
    const edits = [
      ...(totalSlot ? [editOf(totalSlot, answer.tree, total)] : []),
      ...(next && !hasMore && next.last ? next.last : []),
      ...(next && (hasMore || !next.last) ? next.more : []),
      ...(next?.slot && (hasMore || !next.last)
        ? [
            pagination.kind === 'address'
              ? { slot: next.slot, value: target.href }
              : editOf(next.slot, answer.tree, FIRST_CURSOR + end),
          ]
        : []),
    ];
    const page = edited(
      { ...withElements(this.#template, elements), headers: Object.fromEntries(kept) },
      edits,
    );
    const [names] = this.#template.elements;
    const headers = {
      ...page.headers,
      'content-type': CONTENT_TYPES[request.decode],
      ...(pagination.kind === 'link' && hasMore && { link: `<${target.href}>; rel="next"` }),
    };
    if (pagination.kind === 'cursor') await this.#learnCursor({ ...page, headers }, end);
    return { body: writeAnswer(request.decode, page.tree, Object.keys(names ?? {})), headers };
  }

  /** Notes which cursor the document sends after a page; the first page with a cursor keeps it. */
  async #learnCursor(page: Parameters<AnswerReader['read']>[0], end: number): Promise<void> {
    const { pagination } = this.reader.entity;
    const next = (await this.reader.read(page))?.next;
    if (!next || pagination.kind !== 'cursor') return;
    const value = parameterOf(next, { in: pagination.in, name: pagination.parameter });
    if (!this.#positions.has(String(value))) this.#positions.set(String(value), end);
  }
}

/** Returns the change that writes a number where an answer has a number or its text. */
function editOf(slot: Slot, tree: unknown, value: number): { slot: Slot; value: unknown } {
  const isNumber = 'place' in slot && typeof valueAt(tree, slot.place) === 'number';
  return { slot, value: isNumber ? value : String(value) };
}
