/** Encodings in which services repeat a secret, by name. */
export const ENCODINGS: [string, (text: string) => string][] = [
  ['plain', (text) => text],
  ['for an address', encodeURIComponent],
  ['for a form', (text) => new URLSearchParams({ a: text }).toString().slice(2)],
  ['twice for an address', (text) => encodeURIComponent(encodeURIComponent(text))],
  ['in small letters', (text) => encodeURIComponent(text).toLowerCase()],
  ['in JSON', (text) => JSON.stringify(text).slice(1, -1)],
  [
    'in JSON of ASCII',
    (text) =>
      JSON.stringify(text)
        .slice(1, -1)
        .replace(/[^\x20-\x7e]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`),
  ],
  ['with escaped slashes', (text) => text.replaceAll('/', '\\/')],
  [
    'with all characters escaped',
    (text) =>
      [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`).join(''),
  ],
  [
    'with some characters escaped',
    (text) =>
      [...text]
        .map((one, index) => (index % 3 ? one : `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`))
        .join(''),
  ],
  [
    'in HTML',
    (text) =>
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  ],
  ['in base64', (text) => Buffer.from(text).toString('base64')],
  ['in base64 behind a user', (text) => Buffer.from(`ada:${text}`).toString('base64')],
  ['in base64 within a text', (text) => Buffer.from(`Bearer ${text} and more`).toString('base64')],
  ['in base64 of addresses', (text) => Buffer.from(`x${text}`).toString('base64url')],
  ['in hexadecimal digits', (text) => Buffer.from(text).toString('hex')],
];
