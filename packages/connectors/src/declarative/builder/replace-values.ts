import { createHash } from 'node:crypto';
import { readDate } from '../read-date.ts';
import type { SecretHider } from './hide-secret.ts';

/** Longest replaced text. */
const MAX_TEXT = 500;
const MS_PER_DAY = 86_400_000;
const ISO_DAY = /^\d{4}-\d\d-\d\d(?=$|[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)? ?(?:Z|UTC|[+-]\d\d:?\d\d)?$)/;
const MAIL_DATE = /^(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d/;
const WORD = /^[A-Za-z]{1,20}$/;
/** Members whose words are names of people and things. */
const NAMING =
  /name|title|login|user|author|owner|mail|person|people|member|assignee|reporter|creator|street|city|phone|company|subject|text|body|comment|note|message|by$/i;
const TIME_NAME = /(?:_at|At|_on|time|Time|date|Date|stamp|created|updated|modified)$/;
const IDENTIFIER = /^[A-Za-z_$@#][A-Za-z0-9_$#:.-]{0,60}$/;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Where a value is: the names of the members above it, without places in lists. */
export type MemberPath = readonly string[];

/** Words of an answer that repeat at the same member of several records. */
export class RepeatedWords {
  readonly #counts = new Map<string, number>();

  /** Counts the words of a decoded answer. */
  constructor(value: unknown) {
    this.#count(value, []);
  }

  #count(value: unknown, path: MemberPath): void {
    if (typeof value === 'string' && WORD.test(value)) {
      const key = JSON.stringify([path, value]);
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    } else if (Array.isArray(value)) for (const item of value) this.#count(item, path);
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) this.#count(inner, [...path, name]);
  }

  /** Returns whether a word may be kept: it is one of few, as states are, and no name. */
  mayKeep(value: string, path: MemberPath): boolean {
    if (!WORD.test(value) || path.some((name) => NAMING.test(name))) return false;
    return (this.#counts.get(JSON.stringify([path, value])) ?? 0) > 1;
  }
}

/** Replaces values by others of the same form. Equal values stay equal, different ones different. */
export class ValueReplacer {
  readonly #salt: string;
  readonly #days: number;
  readonly #words: RepeatedWords;
  readonly #hider: SecretHider;
  readonly #known = new Map<string, string>();
  readonly #used = new Set<string>();
  readonly #hosts = new Map<string, string>();

  /** @param salt makes the replacement unpredictable */
  constructor(salt: string, { words, hider }: { words: RepeatedWords; hider: SecretHider }) {
    this.#salt = salt;
    this.#words = words;
    this.#hider = hider;
    // All dates move by the same number of days, so that sorted lists stay sorted.
    this.#days = -(30 + (this.#bytes('days', 0).readUInt16BE() % 2000));
  }

  /** Returns the name of a member, replaced if it may be a value: the keys of a map. */
  name(name: string): string {
    const isPlain = IDENTIFIER.test(name) && !/\d{4}/.test(name) && !/@[^@]{1,60}\./.test(name);
    return isPlain && !this.#hider.isIn(name) ? name : this.#replaced(name, 'name');
  }

  number(value: number, path: MemberPath): number {
    if (!Number.isFinite(value) || (Number.isInteger(value) && Math.abs(value) < 10)) return value;
    if (TIME_NAME.test(path.at(-1) ?? '') && value > 9e8) {
      const unit = value < 1e11 ? 1000 : 1;
      return value + (this.#days * MS_PER_DAY) / unit;
    }
    const text = String(value);
    // Numbers such as 1e21 have no digits to replace.
    return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text)
      ? Number(this.#replaced(text, 'number').replace(/(\.\d{0,14})0$/, (_, start: string) => `${start}5`))
      : 1e21;
  }

  text(value: string, path: MemberPath): string {
    if (this.#hider.isIn(value)) return 'hidden';
    if (ISO_DAY.test(value)) return this.#shiftedDay(value);
    if (MAIL_DATE.test(value)) {
      const date = readDate(value.slice(0, 100));
      if (date) return new Date(date.getTime() + this.#days * MS_PER_DAY).toUTCString();
    }
    if (/^\d{9,13}$/.test(value) && TIME_NAME.test(path.at(-1) ?? ''))
      return String(this.number(Number(value), path));
    if (/^\d$/.test(value) || this.#words.mayKeep(value, path)) return value;
    if (/^https?:\/\//i.test(value)) return this.address(value);
    if (/^[^\s@]{1,200}@[^\s@]{1,200}$/.test(value))
      return `${this.#replaced(value.split('@')[0] ?? '', value)}@example.com`;
    return this.#replaced(value.slice(0, MAX_TEXT), 'text');
  }

  /** Returns an address of another host with the same structure. */
  address(value: string): string {
    const url = URL.parse(value.slice(0, 4000));
    if (!url) return this.#replaced(value.slice(0, MAX_TEXT), 'text');
    const host = this.#hosts.get(url.host) ?? `host${this.#hosts.size + 1}.example.com`;
    this.#hosts.set(url.host, host);
    const path = url.pathname
      .split('/')
      .map((part) => (part === '' ? '' : encodeURIComponent(this.#replaced(part.slice(0, MAX_TEXT), 'text'))))
      .join('/');
    const query = new URLSearchParams();
    for (const [name, one] of url.searchParams) query.append(this.name(name), this.#replaced(one, 'text'));
    return `${url.protocol}//${host}${path}${query.size === 0 ? '' : `?${query}`}`;
  }

  #shiftedDay(value: string): string {
    const day = Date.parse(`${value.slice(0, 10)}T00:00:00Z`);
    if (Number.isNaN(day)) return this.#replaced(value, 'text');
    const shifted = new Date(day + this.#days * MS_PER_DAY).toISOString();
    return /^\d{4}-/.test(shifted) ? shifted.slice(0, 10) + value.slice(10) : value.replace(/\d/g, '1');
  }

  #bytes(text: string, attempt: number): Buffer {
    return createHash('sha512').update(`${this.#salt}\n${attempt}\n${text}`).digest();
  }

  /** Returns a text of the same length with other letters and digits, the same one for each call. */
  #replaced(value: string, kind: string): string {
    const key = `${kind}\n${value}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    let replaced = '';
    for (let attempt = 0; attempt < 200; attempt++) {
      replaced = this.#scrambled(value, attempt);
      const isOther = replaced !== value || !/[\p{L}\p{N}]/u.test(value);
      if (isOther && !this.#used.has(`${kind}\n${replaced}`)) break;
      if (attempt === 199) replaced = this.#counted(replaced, kind);
    }
    this.#used.add(`${kind}\n${replaced}`);
    this.#known.set(key, replaced);
    return replaced;
  }

  /** Returns a free text near one that is taken: the next numbers of the same length, or a text with a number behind. */
  #counted(text: string, kind: string): string {
    if (/^-?\d{1,15}$/.test(text)) {
      const [sign, digits] = text.startsWith('-') ? ['-', text.slice(1)] : ['', text];
      const [first, count] = [10 ** (digits.length - 1), 9 * 10 ** (digits.length - 1)];
      for (let step = 1; step <= Math.min(count, 10_000); step++) {
        const next = `${sign}${first + ((Number(digits) - first + step) % count)}`;
        if (!this.#used.has(`${kind}\n${next}`)) return next;
      }
    }
    return `${text}${this.#used.size}`;
  }

  #scrambled(value: string, attempt: number): string {
    const isHex = value.length >= 8 && /^[0-9a-f-]{1,200}$/.test(value) && /[a-f]/.test(value);
    let bytes = this.#bytes(value, attempt);
    let at = 0;
    const random = (most: number) => {
      if (at === bytes.length) [bytes, at] = [createHash('sha512').update(bytes).digest(), 0];
      return (bytes[at++] ?? 0) % most;
    };
    let isFirst = true;
    return [...value]
      .map((character) => {
        if (/[0-9]/.test(character)) {
          // The first digit of a number is no zero.
          const digit = isHex
            ? '0123456789abcdef'[random(16)]
            : isFirst && character !== '0'
              ? 1 + random(9)
              : random(10);
          isFirst = false;
          return String(digit);
        }
        if (/[\p{L}\p{M}\p{N}]/u.test(character)) {
          if (isHex) return '0123456789abcdef'[random(16)];
          const letter = LETTERS[random(26)] ?? 'x';
          return /\p{Lu}/u.test(character) ? letter.toUpperCase() : letter;
        }
        return /[\x20-\x7e\s]/.test(character) ? character : 'x';
      })
      .join('');
  }
}
