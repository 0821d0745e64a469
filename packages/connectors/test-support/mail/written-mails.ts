/** What a person reads of an odd mail; fields that are missing are not compared with an expectation. */
export interface ReadMail {
  subject?: string;
  /** Name of the sender. */
  from?: string;
  /** Addresses of the recipients, or their names where there is none. */
  to?: string[];
  /** ISO date of the Date header, or the header as written. */
  date?: string;
  text?: string;
  html?: string;
  files?: string[];
}

/** An odd mail as a character per byte, and what is read of it by RFC or by two independent readers. */
export type OddMail = readonly [kind: string, source: string, read: ReadMail];

/** Usual headers. */
export const HEAD = [
  'From: Bo <bo@example.org>',
  'To: ada@example.org',
  'Date: Sun, 01 Mar 2026 09:00:00 +0000',
  'Subject: odd',
];
export const HELLO = 'Hello Ada';
export const HTML = '<p>Hello <b>Ada</b></p>';
export const PDF =
  'Content-Type: application/pdf; name=order.pdf\nContent-Disposition: attachment; filename=order.pdf\n\nx';

/** Returns a mail with the usual headers and others. */
export const mail = (headers: readonly string[], body: string) =>
  [...HEAD, ...headers, '', body, ''].join('\n');
export const typed = (type: string, body: string = HELLO, ...headers: string[]) =>
  mail([`Content-Type: ${type}`, ...headers], body);
export const withHeader = (header: string) => [...HEAD.slice(0, 2), header, '', HELLO, ''].join('\n');
/** Returns a mail with parts, each with its headers. */
export const parts = (type: string, ...list: string[]) =>
  typed(`multipart/${type}; boundary=b1`, `${list.map((part) => `--b1\n${part}\n`).join('')}--b1--`);
export const inner = (type: string, ...list: string[]) =>
  `Content-Type: multipart/${type}; boundary=c1\n\n${list.map((part) => `--c1\n${part}\n`).join('')}--c1--`;
export const plain = (parameters = '', text = HELLO) => `Content-Type: text/plain${parameters}\n\n${text}`;
export const html = (parameters = '', text = HTML) => `Content-Type: text/html${parameters}\n\n${text}`;

/** A text in a charset, as bytes. */
export const charset = (name: string, bytes: string, text: string, label = name): OddMail => [
  `the charset ${label}`,
  typed(`text/plain; charset=${name}`, bytes, 'Content-Transfer-Encoding: 8bit'),
  { text },
];
