import { createHash, randomInt } from 'node:crypto';
import { dateFormOf, isDayFirstIn } from '../date-form.ts';
import type { DocumentWords } from './document-words.ts';
import type { SecretHider } from './hide-secret.ts';
import { TimeReplacer } from './replace-times.ts';

/** Longest replaced text, and longest text of a document that is looked for in others. */
const MAX_TEXT = 500;
const MAX_LITERAL = 200;
/** Attempts to find a value that no other one has. */
const ATTEMPTS = 200;
const MAX_STEPS = 10_000;
/** Values that say yes, no or nothing. */
const FLAG = /^(?:true|false|yes|no|null|none)$/i;
const MONTH = /^(?:19|20)\d\d-(?:0[1-9]|1[0-2])$/;
const CLOCK = /^(?:[01]\d|2[0-3])(?::[0-5]\d){1,2}$/;
const DURATION = /^P(?=\d|T\d)[\dYMWDTHS.]{2,40}$/;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const HEX = '0123456789abcdef';

/** Yields the texts and numbers of a decoded answer. */
function* scalarsOf(value: unknown): Generator<string | number> {
  if (typeof value === 'string' || typeof value === 'number') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) yield* scalarsOf(inner);
}

const isWord = (text: string) => /[\p{L}\p{N}]/u.test(text);
const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** Returns what finds the texts of a document within others; undefined without any. */
function literalPattern(texts: ReadonlySet<string>): RegExp | undefined {
  const parts = [...texts].flatMap((text) => [text, ...text.split(/[/?&=#]/)]);
  const usable = parts.filter((text) => text.length > 1 && text.length <= MAX_LITERAL && isWord(text));
  if (usable.length === 0) return undefined;
  const sorted = [...new Set(usable)].sort((a, b) => b.length - a.length);
  return new RegExp(sorted.map(escaped).join('|'), 'gi');
}

/** Replaces values by others of the same form. Equal values stay equal, different ones different. */
export class ValueReplacer {
  readonly #salt: string;
  readonly #words: DocumentWords;
  readonly #literals: RegExp | undefined;
  readonly #numbers: readonly number[];
  readonly #hider: SecretHider;
  readonly #times: TimeReplacer;
  readonly #isDayFirst: boolean;
  readonly #known = new Map<string, string>();
  readonly #used = new Set<string>();
  readonly #hosts = new Map<string, string>();

  /**
   * @param salt makes the replacement unpredictable
   * @param options `words`: what the document compares with stays; `response`: the answer, whose dates keep their order; `now`:
   * dates until this day stay in the past (ms since 1970)
   */
  constructor(
    salt: string,
    {
      words,
      hider,
      response,
      now,
    }: { words: DocumentWords; hider: SecretHider; response: unknown; now: number },
  ) {
    this.#salt = salt;
    this.#words = words;
    this.#hider = hider;
    this.#literals = literalPattern(words.texts);
    this.#numbers = [...words.numbers].sort((a, b) => a - b);
    this.#isDayFirst = isDayFirstIn(words.texts);
    const timesOf = (values: Iterable<string | number>) =>
      [...values].flatMap((value) => dateFormOf(value, this.#isDayFirst)?.time ?? []);
    this.#times = new TimeReplacer(timesOf(scalarsOf(response)), {
      fixed: timesOf([...words.texts, ...words.numbers]),
      now,
      random: (most) => randomInt(most),
    });
  }

  /** Returns whether a text has the secret in it. */
  hasSecret(text: string): boolean {
    return this.#hider.isIn(text);
  }

  /** Returns another name in the place of one that is a value. */
  name(name: string): string {
    if (this.#hider.isIn(name))
      return this.#unique(name, 'name', (attempt) => this.#scrambled(name, attempt));
    return this.text(name);
  }

  /** Returns a number with as many digits, which compares with the numbers of the document as the given one. */
  number(value: number): number {
    if (!Number.isFinite(value) || this.#words.numbers.has(value)) return value;
    const date = this.#date(value);
    if (date !== undefined) return Number(date);
    if (Number.isInteger(value) && Math.abs(value) < 10) return value;
    const text = String(value);
    if (/^-?\d{1,15}$/.test(text)) return Number(this.#integer(text));
    const [, mantissa = text, exponent = ''] = /^(-?[\d.]+)(e[+-]\d+)?$/.exec(text) ?? [];
    const isLong = /^-?\d{16,}$/.test(mantissa);
    const changed = this.#unique(
      text,
      'number',
      (attempt) => {
        const digits = this.#scrambled(mantissa, attempt);
        // Only 15 digits of a number are exact; a number ends with no zero behind its point.
        const exact = isLong
          ? digits.replace(/^(-?\d{15}).*$/, (_, start: string) => start.padEnd(digits.length, '0'))
          : digits;
        return exact.replace(/(\.\d*)0$/, '$15') + exponent;
      },
      (candidate) => this.#isAlike(Number(candidate), value),
    );
    return Number(changed);
  }

  text(value: string): string {
    if (value === '' || FLAG.test(value)) return value;
    if (this.#hider.isIn(value)) return 'hidden';
    if (this.#isLiteral(value)) return value;
    const date = this.#date(value);
    if (date !== undefined) return String(date);
    if (/^\d$/.test(value)) return value;
    if (/^-?[1-9]\d{0,14}$/.test(value))
      return this.#words.numbers.has(Number(value)) ? value : this.#integer(value);
    if (/^https?:\/\//i.test(value)) return this.address(value);
    if (/^[^\s@]{1,200}@[^\s@]{1,200}$/.test(value)) return this.#mail(value);
    if (MONTH.test(value)) return this.#unique(value, 'text', (attempt) => this.#month(value, attempt));
    if (CLOCK.test(value)) return this.#unique(value, 'text', (attempt) => this.#clock(value, attempt));
    if (DURATION.test(value))
      return this.#unique(value, 'text', (attempt) => {
        const random = this.#randomOf(value, attempt);
        return value.replaceAll(/\d/g, () => String(1 + random(9)));
      });
    return this.#text(value.slice(0, MAX_TEXT), 'text');
  }

  /**
   * Returns an address of another host with the same structure.
   * @param parameter replaces a value of its query; default as texts
   */
  address(
    value: string,
    parameter: (name: string, value: string) => [string, string] = (name, one) => [
      this.name(name),
      this.text(one),
    ],
  ): string {
    const url = URL.parse(value.slice(0, 4000));
    if (!url) return this.#text(value.slice(0, MAX_TEXT), 'text');
    const host = this.#hosts.get(url.host) ?? `host${this.#hosts.size + 1}.example.com`;
    this.#hosts.set(url.host, host);
    return `${url.protocol}//${host}${this.pathAndQuery(url, parameter)}`;
  }

  /** Returns path and query with replaced parts. */
  pathAndQuery(url: URL, parameter: (name: string, value: string) => [string, string]): string {
    const path = url.pathname
      .split('/')
      .map((part) => (part === '' ? '' : encodeURIComponent(this.#part(part))))
      .join('/');
    const query = new URLSearchParams();
    for (const [name, one] of url.searchParams) query.append(...parameter(name, one));
    return path + (query.size === 0 ? '' : `?${query}`);
  }

  #part(part: string): string {
    try {
      return this.text(decodeURIComponent(part).slice(0, MAX_TEXT));
    } catch {
      return this.#text(part.slice(0, MAX_TEXT), 'text');
    }
  }

  /** Returns whether the document compares with a text, in small or capital letters. */
  #isLiteral(value: string): boolean {
    if (this.#words.texts.has(value)) return true;
    if (!this.#literals || value.length > MAX_LITERAL) return false;
    return value.replaceAll(this.#literals, '') === '';
  }

  /** Returns whether a replaced text has a text of the document that the real one does not have. */
  #isNewLiteral(value: string, replaced: string): boolean {
    if (this.#words.texts.has(replaced)) return true;
    const count = (text: string) => (this.#literals ? (text.match(this.#literals)?.length ?? 0) : 0);
    return count(replaced) !== count(value);
  }

  #date(value: string | number): string | number | undefined {
    const form = dateFormOf(value, this.#isDayFirst);
    return form?.write(this.#times.replace(form.time));
  }

  #mail(value: string): string {
    const [local = '', domain = ''] = value.split('@');
    const host = this.#words.texts.has(domain) ? domain : 'example.com';
    return this.#unique(value, 'text', (attempt) => `${this.#scrambled(local, attempt)}@${host}`);
  }

  #month(value: string, attempt: number): string {
    const random = this.#randomOf(value, attempt);
    return `${1970 + random(130)}-${String(1 + random(12)).padStart(2, '0')}`;
  }

  #clock(value: string, attempt: number): string {
    const random = this.#randomOf(value, attempt);
    const two = (most: number) => String(random(most)).padStart(2, '0');
    return [two(24), two(60), ...(value.length > 5 ? [two(60)] : [])].join(':');
  }

  /** Returns whether two numbers compare alike with each number of the document. */
  #isAlike(one: number, other: number): boolean {
    return this.#numbers.every((number) => Math.sign(one - number) === Math.sign(other - number));
  }

  /** Returns another whole number with as many digits. Numbers and texts that are equal stay equal. */
  #integer(text: string): string {
    const key = `text\n${text}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const value = Number(text);
    const width = text.replace('-', '').length;
    let [low, high] = [10 ** (width - 1), 10 ** width - 1];
    if (value < 0) [low, high] = [-high, -low];
    for (const number of this.#numbers) {
      if (number < value) low = Math.max(low, Math.floor(number) + 1);
      else if (number > value) high = Math.min(high, Math.ceil(number) - 1);
    }
    const size = high - low + 1;
    const start = this.#bytes(text, 0).readUIntBE(0, 6) % size;
    let replaced = text;
    for (let step = 0; step < Math.min(size, MAX_STEPS); step++) {
      const candidate = String(low + ((start + step) % size));
      if (candidate === text || this.#used.has(`text\n${candidate}`)) continue;
      replaced = candidate;
      break;
    }
    this.#used.add(`text\n${replaced}`);
    this.#known.set(key, replaced);
    return replaced;
  }

  #bytes(text: string, attempt: number): Buffer {
    return createHash('sha512').update(`${this.#salt}\n${attempt}\n${text}`).digest();
  }

  #randomOf(text: string, attempt: number): (most: number) => number {
    let bytes = this.#bytes(text, attempt);
    let at = 0;
    return (most) => {
      if (at === bytes.length) [bytes, at] = [createHash('sha512').update(bytes).digest(), 0];
      return (bytes[at++] ?? 0) % most;
    };
  }

  #text(value: string, kind: string): string {
    return this.#unique(value, kind, (attempt) => this.#scrambled(value, attempt));
  }

  /** Returns a text that no other value has: the same one for each call. */
  #unique(
    value: string,
    kind: string,
    make: (attempt: number) => string,
    isUsable: (candidate: string) => boolean = () => true,
  ): string {
    const key = `${kind}\n${value}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    let replaced = value;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      replaced = make(attempt);
      const isOther = (replaced !== value && !this.#isNewLiteral(value, replaced)) || !isWord(value);
      if (isOther && !this.#used.has(`${kind}\n${replaced}`) && isUsable(replaced)) break;
      if (attempt === ATTEMPTS - 1) replaced = kind === 'number' ? value : `${replaced}${this.#used.size}`;
    }
    this.#used.add(`${kind}\n${replaced}`);
    this.#known.set(key, replaced);
    return replaced;
  }

  /** Replaces letters and digits outside of the texts of the document. */
  #scrambled(value: string, attempt: number): string {
    const random = this.#randomOf(value, attempt);
    if (value.length >= 8 && /^[0-9a-f-]{1,200}$/.test(value) && /[a-f]/.test(value))
      return value.replaceAll(/[0-9a-f]/g, () => HEX[random(16)] ?? '0');
    let isFirst = true;
    const scramble = (text: string) =>
      text.replaceAll(/%[0-9a-f]{2}|[\p{L}\p{M}\p{N}]|[^\x20-\x7e\s]/giu, (character) => {
        if (character.length === 3) return '%78';
        if (/[0-9]/.test(character)) {
          // The first digit of a number is no zero.
          const digit = isFirst && character !== '0' ? 1 + random(9) : random(10);
          isFirst = false;
          return String(digit);
        }
        if (!isWord(character)) return 'x';
        const letter = LETTERS[random(26)] ?? 'x';
        return /\p{Lu}/u.test(character) ? letter.toUpperCase() : letter;
      });
    if (!this.#literals) return scramble(value);
    let end = 0;
    let scrambled = '';
    for (const { 0: literal, index } of value.matchAll(this.#literals)) {
      scrambled += scramble(value.slice(end, index)) + literal;
      end = index + literal.length;
    }
    return scrambled + scramble(value.slice(end));
  }
}
