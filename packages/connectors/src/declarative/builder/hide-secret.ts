import { isRecord } from '@datadeck/contract/table-columns';
import type { DocumentProblem } from '../document-problems.ts';

/** Replaces a secret in texts that are shown. */
export const HIDDEN = '•••';
/** Longest message of a problem that is shown. */
const MAX_MESSAGE = 500;
/** As many characters of a secret, one after the other, are hidden: services may cut it. */
const MIN_PIECE = 8;
/** Texts of this length are searched for a secret in mixed encodings; shorter secrets would be found by chance. */
const MIN_MIXED_LENGTH = 4;
/** Secrets of this length are also found within base64 of a longer text. */
const MIN_INNER_LENGTH = 8;

/** Returns the texts that base64 of any text has where it contains the secret, for each of its three alignments. */
function innerBase64(secret: string): string[] {
  if (Buffer.byteLength(secret) < MIN_INNER_LENGTH) return [];
  return [0, 1, 2].map((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    const text = bytes.toString('base64').replaceAll('=', '');
    // The characters at both ends depend on what is beside the secret.
    const end = bytes.length % 3 === 0 ? text.length : text.length - 1;
    return text.slice([0, 2, 3][offset], end);
  });
}

function escapedJson(text: string): string {
  return Array.from(
    { length: text.length },
    (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
}

function formEncoded(text: string): string {
  return new URLSearchParams({ s: text.toWellFormed() }).toString().slice(2);
}

/** Returns a secret in the encodings in which services repeat it. */
function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const percent = encodeURIComponent(secret.toWellFormed());
  const html = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const base64 = [Buffer.from(secret).toString('base64'), ...innerBase64(secret)];
  const forms = [
    secret,
    json,
    json.replaceAll('/', '\\/'),
    json.replace(/[^\x20-\x7e]/g, escapedJson),
    json.replace(/[^\x20-\x7e]/g, escapedJson).replaceAll('/', '\\/'),
    escapedJson(secret),
    percent,
    encodeURI(secret.toWellFormed()),
    formEncoded(secret),
    encodeURIComponent(percent),
    html,
    html.replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    ...base64.map((text) => encodeURIComponent(text)),
    Buffer.from(secret).toString('hex'),
  ];
  const lower = forms
    .filter((text) => /[%\\]/.test(text))
    .map((text) => text.replace(/%[0-9A-F]{2}|\\u[0-9A-F]{4}/gi, (code) => code.toLowerCase()));
  const upper = forms
    .filter((text) => /\\u/.test(text))
    .map((text) => text.replace(/\\u[0-9a-f]{4}/g, (code) => `\\u${code.slice(2).toUpperCase()}`));
  return [...forms, ...lower, ...upper, Buffer.from(secret).toString('hex').toUpperCase()];
}

const byCode = (_: string, code: string) => String.fromCharCode(Number.parseInt(code, 16));

/** Decode one encoding each: JSON, HTML and addresses. */
const DECODERS: readonly ((text: string) => string)[] = [
  (text) => text.replace(/\\u([0-9a-fA-F]{4})/g, byCode).replace(/\\(["\\/])/g, '$1'),
  (text) =>
    text
      .replace(/&#x([0-9a-fA-F]{1,4});/g, byCode)
      .replace(/&#(\d{1,4});/g, (_, code: string) => String.fromCharCode(Number(code)))
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&'),
  (text) =>
    text.replace(/(?:%[0-9a-fA-F]{2})+/g, (codes) =>
      Buffer.from(codes.replaceAll('%', ''), 'hex').toString(),
    ),
];
/** How often a text is decoded: services encode what is encoded. */
const ROUNDS = 3;

/** Returns a text in small letters, and what decoding it step by step yields. */
function decodings(text: string): string[] {
  const found = [text];
  let last = text;
  for (let round = 0; round < ROUNDS; round++) {
    const before = last;
    for (const decode of DECODERS) {
      const next = decode(last);
      if (next !== last) found.push(next);
      last = next;
    }
    if (last === before) break;
  }
  return found.map((one) => one.toLowerCase());
}

/** Returns the beginning of a text, with a sign that it has more. */
function cutTo(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** Replaces secrets in texts that a person or a recording gets. Hide a text before it is cut: a part of a secret is not found. */
export class SecretHider {
  /** All parts of `MIN_PIECE` characters of a secret and of its usual encodings, from both ends, in small letters. */
  readonly #pieces: ReadonlySet<string>;
  /** The longer secrets and their decodings, in small letters. */
  readonly #decoded: readonly string[];
  readonly #forms: readonly string[];

  /** @param secrets the secret, and what the request proves the identity with; empty ones are left out */
  constructor(secrets: readonly string[]) {
    const given = secrets.filter((secret) => secret !== '');
    const forms = given.flatMap(formsOf).filter((form) => form !== '');
    this.#decoded = [...new Set(given.flatMap(decodings))].filter(({ length }) => length >= MIN_MIXED_LENGTH);
    this.#forms = [...new Set(forms)].sort((a, b) => b.length - a.length);
    const whole = given.flatMap((secret) => [
      secret,
      Buffer.from(secret).toString('base64'),
      ...innerBase64(secret),
      Buffer.from(secret).toString('hex'),
      encodeURIComponent(secret.toWellFormed()),
      formEncoded(secret),
    ]);
    const both = whole
      .flatMap((text) => [text, [...text].reverse().join('')])
      .map((text) => text.toLowerCase());
    this.#pieces = new Set(
      both.flatMap((text) =>
        Array.from({ length: Math.max(0, text.length - MIN_PIECE + 1) }, (_, at) =>
          text.slice(at, at + MIN_PIECE),
        ),
      ),
    );
  }

  /**
   * Returns the text with each secret replaced, also where it is encoded, cut or reversed. If a secret remains in a mix of
   * encodings, nothing of the text is returned.
   */
  hide(text: string): string {
    let hidden = text;
    for (const form of this.#forms) if (hidden.includes(form)) hidden = hidden.replaceAll(form, () => HIDDEN);
    return this.#isIn(hidden) ? HIDDEN : this.#withoutPieces(hidden);
  }

  /** Returns at most `most` characters of a text without its secrets, and a sign that it has more. */
  shorten(text: string, most: number): string {
    return cutTo(this.hide(text), most);
  }

  /** Returns a decoded value, such as an answer, without secrets in its texts and names. */
  hideIn(value: unknown): unknown {
    const text = JSON.stringify(value) ?? '';
    return this.hide(text) === text ? value : this.#hideIn(value);
  }

  #hideIn(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => this.#hideIn(one));
    if (isRecord(value))
      return Object.fromEntries(
        Object.entries(value).map(([name, one]) => [this.hide(name), this.#hideIn(one)]),
      );
    const text = String(value);
    return value === null || value === undefined || this.hide(text) === text ? value : this.hide(text);
  }

  /** Returns a problem that a person may see. */
  problem({ path, message }: DocumentProblem): DocumentProblem {
    return { path: this.shorten(path, MAX_MESSAGE), message: this.shorten(message, MAX_MESSAGE) };
  }

  #withoutPieces(text: string): string {
    const lower = text.toLowerCase();
    // Some letters have two small ones: places would differ.
    const searched = lower.length === text.length ? lower : text;
    let shown = '';
    let from = 0;
    let end = -1;
    for (let at = 0; at + MIN_PIECE <= searched.length; at++)
      if (this.#pieces.has(searched.slice(at, at + MIN_PIECE))) {
        if (at > end) shown += text.slice(from, at) + HIDDEN;
        end = at + MIN_PIECE;
        from = end;
      }
    return shown + text.slice(from);
  }

  /** Returns whether a text has a secret in it, in any encoding. */
  isIn(text: string): boolean {
    return this.#forms.some((form) => text.includes(form)) || this.#isIn(text);
  }

  #isIn(text: string): boolean {
    const texts = decodings(text);
    return this.#decoded.some((secret) => texts.some((one) => one.includes(secret)));
  }
}
