import { isRecord } from '@datadeck/contract/table-columns';
import type { DocumentWords } from './document-words.ts';

/** Where a value is: the names of the members above it, without places in lists. */
export type MemberPath = readonly string[];

const IDENTIFIER = /^[A-Za-z_$@#][A-Za-z0-9_$#:.-]{0,60}$/;
/** Names made of these words alone belong to services, not to people. */
const SERVICE_WORDS =
  'next prev previous first last self cursor cursors page pages paging pagination info meta metadata response link links href url uri token continuation after before has more is end start total totals count counts size limit offset skip take per number num no current items item results result records record data elements rows entries values list found hits at index to from status ok error errors id ids batch sync marker odata x';
const KNOWN_WORDS = new Set(SERVICE_WORDS.split(' '));
const COUNT_WORDS = new Set(
  'total totals totalcount totalpages count counts page pages perpage pagesize pagecount pagenumber lastpage nextpage currentpage size limit offset skip take startat start last first next current found hits maxresults'.split(
    ' ',
  ),
);

const isIdWord = (word: string) => word === 'id' || word === 'ids';

/** Returns the words of a name in small letters: `nextPageToken` has three. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** Returns whether a member counts records or pages by all words of its name: `total_count`, not `account`, `last_four`, `last_id`. */
export function isCountName(name: string): boolean {
  const words = wordsOf(name);
  return isServiceName(name) && words.some((word) => COUNT_WORDS.has(word)) && !words.some(isIdWord);
}

/** Returns whether a name has only words that services use for lists and pages: `response_metadata`, `nextPageToken`. */
export function isServiceName(name: string): boolean {
  const words = wordsOf(name);
  return words.length > 0 && words.every((word) => KNOWN_WORDS.has(word) || COUNT_WORDS.has(word));
}

/** Which names of members belong to the service, and which are values: the keys of a map. */
export class MemberNames {
  readonly #words: DocumentWords;
  /** Whether plain names are those of a service: those of XML are. */
  readonly #keepsPlain: boolean;
  /** Number of objects by path, and how many of them have a name. */
  readonly #objects = new Map<string, { count: number; names: Map<string, number> }>();

  /** Counts the names of a decoded answer. */
  constructor(response: unknown, { words, keepsPlain }: { words: DocumentWords; keepsPlain: boolean }) {
    this.#words = words;
    this.#keepsPlain = keepsPlain;
    this.#count(response, []);
  }

  /**
   * Returns whether a name may be kept: the document mentions it, services use it, or two or more objects at the same
   * place have it, and at least half of them.
   * @param path that of the object
   */
  mayKeep(name: string, path: MemberPath): boolean {
    if (this.isKnown(name)) return true;
    const isPlain = IDENTIFIER.test(name) && !/\d{4}/.test(name) && !/@[^@]{1,60}\./.test(name);
    if (!isPlain) return false;
    if (this.#keepsPlain) return true;
    const { count, names } = this.#objects.get(JSON.stringify(path)) ?? { count: 0, names: new Map() };
    const having = names.get(name) ?? 0;
    return having > 1 && having * 2 >= count;
  }

  /** Returns whether the document mentions a name, or services use it. */
  isKnown(name: string): boolean {
    const { names, texts } = this.#words;
    return names.has(name) || texts.has(name) || (name.length <= 60 && isServiceName(name));
  }

  #count(value: unknown, path: MemberPath): void {
    if (Array.isArray(value)) for (const item of value) this.#count(item, path);
    else if (isRecord(value)) {
      const key = JSON.stringify(path);
      const object = this.#objects.get(key) ?? { count: 0, names: new Map<string, number>() };
      this.#objects.set(key, object);
      object.count++;
      for (const [name, inner] of Object.entries(value)) {
        object.names.set(name, (object.names.get(name) ?? 0) + 1);
        this.#count(inner, [...path, name]);
      }
    }
  }
}
