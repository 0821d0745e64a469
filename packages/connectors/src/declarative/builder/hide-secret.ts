/** Replaces a secret in texts that are shown. */
export const HIDDEN = '•••';
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

/** Returns a secret in the encodings in which services repeat it. */
function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const percent = encodeURIComponent(secret.toWellFormed());
  const form = new URLSearchParams({ s: secret.toWellFormed() }).toString().slice(2);
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
    form,
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

/** Replaces secrets in texts that a person or a recording gets. */
export class SecretHider {
  /** The longer secrets and their decodings, in small letters. */
  readonly #decoded: readonly string[];
  readonly #forms: readonly string[];

  /** @param secrets the secret, and what the request proves the identity with; empty ones are left out */
  constructor(secrets: readonly string[]) {
    const given = secrets.filter((secret) => secret !== '');
    const forms = given.flatMap(formsOf).filter((form) => form !== '');
    this.#decoded = [...new Set(given.flatMap(decodings))].filter(({ length }) => length >= MIN_MIXED_LENGTH);
    this.#forms = [...new Set(forms)].sort((a, b) => b.length - a.length);
  }

  /**
   * Returns the text with each secret replaced, also where it is encoded. If a secret remains in a mix of encodings, nothing
   * of the text is returned.
   */
  hide(text: string): string {
    let hidden = text;
    for (const form of this.#forms) if (hidden.includes(form)) hidden = hidden.replaceAll(form, () => HIDDEN);
    return this.#isIn(hidden) ? HIDDEN : hidden;
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
