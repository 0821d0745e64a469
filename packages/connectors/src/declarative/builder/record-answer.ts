import { randomUUID } from 'node:crypto';
import type {
  ConnectorDocument,
  DocumentEntity,
  DocumentRequest,
} from '@datadeck/contract/connector-document';
import { decodeElements } from '../decode.ts';
import { writeAnswer } from '../written-answer.ts';
import { type DocumentWords, documentWords, type ListNames, listNames } from './document-words.ts';
import type { SecretHider } from './hide-secret.ts';
import { isCountName, isServiceName, MemberNames, type MemberPath } from './member-names.ts';
import { IDENTITY, type RecordedAnswer } from './recorded-answer.ts';
import { ValueReplacer } from './replace-values.ts';
import { requestFingerprint } from './request-fingerprint.ts';
import type { TrialPageTask } from './trial-task.ts';

type Decode = DocumentRequest['decode'];

/** Longest recorded text, and how many elements of lists it has: fewer where it would be longer. */
const MAX_TEXT = 100_000;
const ELEMENTS = [20, 10, 5, 2, 1];
/** Most members of an object. */
const MAX_MEMBERS = 300;
const MAX_HEADER = 4000;
const MAX_ADDRESS = 4000;
/** Headers that say something about pages. */
const PAGE_HEADER = /^(?:link|x-(?:total|next|page|per|prev|offset|limit)[a-z-]*)$/;
const COUNT = /^\d{1,6}$/;
/** An address without a host: `/items?page=2`. */
const RELATIVE = /^(?:\/[^\s?]{0,500})?\?[^\s=]{1,100}=/;
/** What the interpreter itself compares with in feeds. */
const FEED_TEXTS = ['html', 'xhtml', 'text', 'text/html', 'text/plain', 'alternate', 'self', 'next'];

interface Recorded {
  task: Pick<TrialPageTask, 'index' | 'answer' | 'status' | 'variables'> & { keepsNames?: boolean };
  document: ConnectorDocument;
  /** The decoded answer. */
  response: unknown;
  hider: SecretHider;
}

/** What decides which values of an answer are replaced. */
interface Kept {
  words: DocumentWords;
  names: MemberNames;
  /** Parameters that number pages. */
  paging: readonly string[];
  list: ListNames;
}

/** Writes a decoded answer with other values. */
class AnswerWriter {
  readonly #replacer: ValueReplacer;
  readonly #kept: Kept;
  readonly #most: number;
  readonly lengths: Record<string, number> = {};
  hasReplacedNames = false;

  constructor(replacer: ValueReplacer, kept: Kept, most: number) {
    this.#replacer = replacer;
    this.#kept = kept;
    this.#most = most;
  }

  /** @param place where the value is written */
  value(value: unknown, path: MemberPath = [], place: readonly (string | number)[] = []): unknown {
    if (typeof value === 'string' || typeof value === 'number') return this.#scalar(value, path, place);
    if (Array.isArray(value)) {
      if (value.length > this.#most) this.lengths[JSON.stringify(place)] = value.length;
      return value.slice(0, this.#most).map((item, index) => this.value(item, path, [...place, index]));
    }
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).slice(0, MAX_MEMBERS);
    return Object.fromEntries(
      members.map(([name, inner]) => {
        const written = this.#name(name, path);
        return [written, this.value(inner, [...path, name], [...place, written])];
      }),
    );
  }

  /** Returns a value of a header. */
  header(name: string, value: string): string {
    if (name === 'content-type') return /^[\w/.+-]{1,60}/.exec(value)?.[0] ?? 'application/json';
    if (name === 'link') return this.#link(value);
    if (COUNT.test(value) && isCountName(name)) return value;
    return this.#address(value) ?? this.#replacer.text(value);
  }

  /** Keeps the relations of a header `Link`, and no other parameter. */
  #link(value: string): string {
    const links = [...value.matchAll(/<([^<>]{0,4000})>[^<]{0,500}?;\s*rel="?([a-z]{1,20})"?/gi)];
    return links
      .map(
        ([, address = '', relation = '']) =>
          `<${this.#address(address) ?? this.#replacer.text(address)}>; rel="${relation}"`,
      )
      .join(', ');
  }

  #name(name: string, path: MemberPath): string {
    if (this.#kept.names.mayKeep(name, path) && !this.#replacer.hasSecret(name)) return name;
    this.hasReplacedNames = true;
    return this.#replacer.name(name);
  }

  /** Returns whether a value counts records or pages by its name and those above it: not `balance.total`. */
  #isCountAt(path: MemberPath): boolean {
    const { records, total } = this.#kept.list;
    const name = path.at(-1) ?? '';
    return (
      (isCountName(name) || total.has(name)) &&
      path.slice(0, -1).every((one) => isServiceName(one) || records.has(one) || total.has(one))
    );
  }

  #scalar(value: string | number, path: MemberPath, place: readonly (string | number)[]): unknown {
    const isInList = place.some((key) => typeof key === 'number');
    if (!isInList && COUNT.test(String(value)) && this.#isCountAt(path)) return value;
    if (typeof value === 'number') return this.#replacer.number(value);
    return this.#address(value) ?? this.#replacer.text(value);
  }

  /** Returns an address with other parts; undefined for other texts. */
  #address(value: string): string | undefined {
    if (value.length > MAX_ADDRESS || this.#replacer.hasSecret(value)) return undefined;
    const parameter = (name: string, one: string): [string, string] => this.#parameter(name, one);
    if (/^https?:\/\//i.test(value)) return this.#replacer.address(value, parameter);
    if (!RELATIVE.test(value)) return undefined;
    const url = URL.parse(value, 'https://host.example.com/');
    if (!url) return undefined;
    const written = this.#replacer.pathAndQuery(url, parameter);
    return value.startsWith('?') ? written.slice(1) : written;
  }

  #parameter(name: string, value: string): [string, string] {
    const { names, paging } = this.#kept;
    const isCount = COUNT.test(value) && (paging.includes(name) || isCountName(name));
    return [
      names.isKnown(name) ? name : this.#replacer.name(name),
      isCount ? value : this.#replacer.text(value),
    ];
  }
}

function headersOf({ task, hider }: Recorded, { words }: Kept, writer: AnswerWriter): Record<string, string> {
  const mentioned = new Set([...words.names, ...words.texts].map((name) => name.toLowerCase()));
  const entries = Object.entries(task.answer.headers).filter(
    ([name, value]) =>
      (name === 'content-type' || PAGE_HEADER.test(name) || mentioned.has(name)) &&
      value.length <= MAX_HEADER &&
      !hider.isIn(value),
  );
  return Object.fromEntries(entries.map(([name, value]) => [name, writer.header(name, value)]));
}

/** Returns what of an answer is kept. @param entity undefined for the answer about the account */
function keptOf(
  { task, document }: Recorded,
  entity: DocumentEntity | undefined,
  decode: Decode,
  tree: unknown,
): Kept {
  const found = documentWords(document, entity?.id ?? IDENTITY);
  const words = decode === 'feed' ? { ...found, texts: new Set([...found.texts, ...FEED_TEXTS]) } : found;
  const { pagination = { kind: 'none' as const } } = entity ?? {};
  const paging = [
    'parameter' in pagination ? pagination.parameter : '',
    'sizeParameter' in pagination ? (pagination.sizeParameter ?? '') : '',
  ];
  const names = new MemberNames(tree, {
    words,
    keepsPlain: decode === 'xml' || decode === 'feed' || task.keepsNames === true,
  });
  const list = listNames({ records: entity?.records ?? '', total: entity?.total });
  return { words, names, paging, list };
}

/**
 * Returns the shape of an answer in its format with replaced values, for a stand-in: dates stay dates in their order, numbers
 * numbers, addresses addresses. What the expressions of the document compare with stays, and nothing else of the answer; nothing of
 * the request is recorded. Undefined where it would be too long or have the secret.
 * @param recorded `task.index`: place of the entity in the document; without one, the answer is about the account
 */
export function recordAnswer(recorded: Recorded): RecordedAnswer | undefined {
  const { task, document, response, hider } = recorded;
  const entity = document.entities[task.index];
  const request = entity?.request ?? document.identity?.request;
  if (!request) return undefined;
  const { decode } = request;
  const id = entity?.id ?? IDENTITY;
  const tree = decode === 'feed' ? decodeElements('feed', task.answer.bytes) : response;
  const kept = keptOf(recorded, entity, decode, tree);
  const { words } = kept;
  const now = Date.parse(task.variables.now) || Date.now();
  const replacer = new ValueReplacer(randomUUID(), { words, hider, response: tree, now });
  for (const most of ELEMENTS) {
    const writer = new AnswerWriter(replacer, kept, most);
    const text = writeAnswer(decode, writer.value(tree));
    if (text.length > MAX_TEXT) continue;
    const answer: RecordedAnswer = {
      entity: id,
      fingerprint: requestFingerprint(document, id),
      words: [...words.texts, ...words.names],
      numbers: [...words.numbers],
      hasReplacedNames: writer.hasReplacedNames,
      status: task.status,
      headers: headersOf(recorded, kept, writer),
      text,
      lengths: writer.lengths,
    };
    return hider.isIn(JSON.stringify(answer)) ? undefined : answer;
  }
  return undefined;
}
