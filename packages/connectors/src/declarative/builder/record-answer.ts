import { randomUUID } from 'node:crypto';
import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import type { SecretHider } from './hide-secret.ts';
import type { RecordedAnswer } from './recorded-answer.ts';
import { type MemberPath, RepeatedWords, ValueReplacer } from './replace-values.ts';
import type { TrialPageTask } from './trial-task.ts';

/** Longest recorded text, and how many elements of lists it has: fewer where it would be longer. */
const MAX_TEXT = 100_000;
const ELEMENTS = [20, 10, 5, 2, 1];
/** Most members of an object. */
const MAX_MEMBERS = 300;
const MAX_HEADER = 4000;
/** Headers that say something about pages. */
const PAGE_HEADER = /^(?:link|x-(?:total|next|page|per|prev|offset|limit)[a-z-]*)$/;
/** Numbers that services need for paging, outside of lists. */
const COUNT_NAME = /total|count|page|size|limit|offset|per_|pages|last/i;

interface Recorded {
  task: TrialPageTask;
  document: ConnectorDocument;
  /** The decoded answer. */
  response: unknown;
  hider: SecretHider;
}

/** Writes a decoded answer with other values. */
class AnswerWriter {
  readonly #replacer: ValueReplacer;
  readonly #request: URL;
  readonly #queryValues: ReadonlySet<string>;
  readonly #most: number;

  constructor({ task }: Recorded, replacer: ValueReplacer, most: number) {
    this.#replacer = replacer;
    this.#request = new URL(task.answered);
    this.#queryValues = new Set([
      ...this.#request.searchParams.values(),
      ...Object.values(task.request.query),
    ]);
    this.#most = most;
  }

  value(value: unknown, path: MemberPath = [], isInList = false): unknown {
    if (typeof value === 'string') return this.#page(value) ?? this.#replacer.text(value, path);
    if (typeof value === 'number') {
      const isCount =
        !isInList && Number.isInteger(value) && value < 1e6 && COUNT_NAME.test(path.at(-1) ?? '');
      return isCount ? value : this.#replacer.number(value, path);
    }
    if (Array.isArray(value)) return value.slice(0, this.#most).map((item) => this.value(item, path, true));
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).slice(0, MAX_MEMBERS);
    return Object.fromEntries(
      members.map(([name, inner]) => [
        this.#replacer.name(name),
        this.value(inner, [...path, name], isInList),
      ]),
    );
  }

  /** Returns a value of a header. */
  header(name: string, value: string): string {
    if (name === 'content-type') return /^[\w/.+-]{1,60}/.exec(value)?.[0] ?? 'application/json';
    if (name === 'link')
      return value.replace(
        /<([^<>]*)>/g,
        (_, address: string) => `<${this.#page(address) ?? this.#replacer.address(address)}>`,
      );
    return /^\d{1,6}$/.test(value) ? value : (this.#page(value) ?? this.#replacer.text(value, []));
  }

  /** Returns an address of another page of the same list with its path; undefined for other texts. */
  #page(value: string): string | undefined {
    if (value.length > 4000 || !/^(?:https?:\/\/|\/|\?)/i.test(value)) return undefined;
    const url = URL.parse(value, this.#request.href);
    if (!url || url.origin !== this.#request.origin || url.pathname !== this.#request.pathname)
      return undefined;
    const query = new URLSearchParams();
    for (const [name, one] of url.searchParams) query.append(this.#replacer.name(name), this.#parameter(one));
    const rest = url.pathname + (query.size === 0 ? '' : `?${query}`);
    return /^https?:/i.test(value) ? url.origin + rest : rest;
  }

  #parameter(value: string): string {
    const isPlain = /^\d{1,6}$/.test(value) || this.#queryValues.has(value);
    return isPlain ? value : this.#replacer.text(value, []);
  }
}

function headersOf({ task, document, hider }: Recorded, writer: AnswerWriter): Record<string, string> {
  const text = JSON.stringify(document.entities).toLowerCase();
  const entries = Object.entries(task.answer.headers).filter(
    ([name, value]) =>
      (name === 'content-type' ||
        PAGE_HEADER.test(name) ||
        text.includes(`headers.${name}`) ||
        text.includes(`\`${name}\``)) &&
      value.length <= MAX_HEADER &&
      !hider.isIn(value),
  );
  return Object.fromEntries(entries.map(([name, value]) => [name, writer.header(name, value)]));
}

/**
 * Returns the shape of an answer of JSON with replaced values, for a stand-in: dates stay dates, numbers numbers, addresses of
 * the next page addresses of the same list. Undefined for other formats, and where it would be too long or have the secret.
 * Path and query are those below the base address, as they were sent.
 */
export function recordAnswer(recorded: Recorded): RecordedAnswer | undefined {
  const { task, document, response, hider } = recorded;
  const entity = document.entities[task.index];
  const kind = entity?.request.decode;
  if (!entity || (kind !== 'json' && kind !== 'ndjson')) return undefined;
  const replacer = new ValueReplacer(randomUUID(), { words: new RepeatedWords(response), hider });
  for (const most of ELEMENTS) {
    const writer = new AnswerWriter(recorded, replacer, most);
    const value = writer.value(response);
    const text =
      kind === 'ndjson' && Array.isArray(value)
        ? value.map((line) => `${JSON.stringify(line)}\n`).join('')
        : JSON.stringify(value);
    if (text.length > MAX_TEXT) continue;
    const { path, query, body } = task.request;
    const answer: RecordedAnswer = {
      entity: entity.id,
      path: URL.parse(path)?.pathname ?? path,
      query,
      ...(body && { body: JSON.stringify(body) }),
      status: task.status,
      headers: headersOf(recorded, writer),
      text,
    };
    return hider.isIn(JSON.stringify(answer)) ? undefined : answer;
  }
  return undefined;
}
