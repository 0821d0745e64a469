import { isRecord } from '@datadeck/contract/table-columns';
import { encodeWord, encodeWords, foldLines } from 'nodemailer/lib/mime-funcs';
import { encode, wrap } from 'nodemailer/lib/qp';

/** Headers that describe the former body. They are written with `X-Original-` in front. */
const OF_BODY = /^(mime-version|lines|content-.*)$/i;
/** Headers whose values name people: encoded words may only be part of their names. */
const OF_PEOPLE =
  /^(resent-)?(from|sender|to|cc|bcc|reply-to)$|^(return-path|delivered-to|disposition-notification-to)$/i;
/** Headers that join mails to threads. Without an id, some readers take all such mails for one thread. */
const OF_THREAD = /^(message-id|in-reply-to|references)$/i;
const HEADER_NAME = /^[!-9;-~]{1,200}$/;
const NOT_ASCII = /[^\x20-\x7e]/;
/** A quoted text, an address, or a run of other characters up to a separator of people. */
const PIECE_OF_PEOPLE = /"(?:[^"\\]|\\.){0,1000}"|<[^<>]*>|[^"<>,;:()]+|./gs;
/** Longest encoded word, bytes. */
const WORD_LENGTH = 52;
/** Not in any body: quoted-printable writes = as =3D. */
const BOUNDARY = '=_datadeck';
/** Lines that a reader of mbox takes for the start of a mail, with any number of quotes. */
const FROM_LINE = /^(>{0,1000})From /gm;
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

interface Header {
  name: string;
  value: string;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function dateOf(value: unknown): Date {
  const date = new Date(textOf(value));
  return Number.isNaN(date.getTime()) ? new Date(0) : date;
}

/** Returns a date as C's `asctime` prints it in UTC: `Sun Mar  1 09:30:00 2026`. */
function asctime(date: Date): string {
  const day = String(date.getUTCDate()).padStart(2, ' ');
  const time = date.toISOString().slice(11, 19);
  return `${DAYS[date.getUTCDay()]} ${MONTHS[date.getUTCMonth()]} ${day} ${time} ${date.getUTCFullYear()}`;
}

/** Returns people as a header names them. */
function peopleText(values: readonly unknown[]): string {
  const people = values.filter(isRecord).map(({ name, address }) => {
    const quoted = textOf(name) && `"${textOf(name).replaceAll(/["\\]/g, '\\$&')}"`;
    const inner = textOf(address).replaceAll(/[\s<>]+/g, '');
    return [quoted, inner && `<${inner}>`].filter(Boolean).join(' ');
  });
  return people.filter(Boolean).join(', ');
}

/** Encodes the names of people that are not ASCII, and leaves groups and addresses as they are. */
function encodePeople(value: string): string {
  const pieces = (value.match(PIECE_OF_PEOPLE) ?? []).map((piece) => {
    if (!NOT_ASCII.test(piece) || piece.startsWith('<') || piece.includes('@')) return piece;
    const isQuoted = piece.length > 1 && piece.startsWith('"');
    const text = isQuoted ? piece.slice(1, -1).replaceAll(/\\(.)/gs, '$1') : piece.trim();
    const before = isQuoted ? '' : piece.slice(0, piece.length - piece.trimStart().length);
    const after = isQuoted ? '' : piece.slice(piece.trimEnd().length);
    return `${before}${encodeWord(text, 'Q', WORD_LENGTH)}${after}`;
  });
  return pieces.join('');
}

/** Returns a header, folded and in ASCII as far as the format allows; line breaks and control characters become blanks. */
function headerText({ name, value }: Header): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
  const line = value.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').trim();
  const encode = OF_PEOPLE.test(name) ? encodePeople : (text: string) => encodeWords(text, 'Q', WORD_LENGTH);
  return foldLines(`${name}: ${NOT_ASCII.test(line) ? encode(line) : line}`, 76);
}

/** Returns the stored headers, and those that are not stored from the fields of the document. */
function headersOf(mail: Record<string, unknown>): Header[] {
  const stored = listOf(mail.headers)
    .filter(isRecord)
    .map(({ name, value }) => ({ name: textOf(name), value: textOf(value) }))
    .filter(({ name }) => HEADER_NAME.test(name));
  const names = new Set(stored.map(({ name }) => name.toLowerCase()));
  const labels = [...listOf(mail.labelIds), mail.mailbox, ...listOf(mail.flags)].map(textOf).filter(Boolean);
  const files = listOf(mail.attachments)
    .filter(isRecord)
    .map(({ filename }) => textOf(filename) || 'Without a name');
  const id = `<${encodeURIComponent(textOf(mail.id).slice(0, 200).toWellFormed())}@datadeck.invalid>`;
  const fromFields = [
    { name: 'Date', value: dateOf(mail.date).toUTCString().replace('GMT', '+0000') },
    { name: 'From', value: peopleText([mail.from]) },
    { name: 'To', value: peopleText(listOf(mail.to)) },
    { name: 'Cc', value: peopleText(listOf(mail.cc)) },
    { name: 'Reply-To', value: peopleText(listOf(mail.replyTo)) },
    { name: 'Subject', value: textOf(mail.subject) },
    { name: 'Message-ID', value: textOf(mail.messageId) || id },
    { name: 'In-Reply-To', value: textOf(mail.inReplyTo) },
  ].filter(({ name, value }) => value !== '' && !names.has(name.toLowerCase()));
  return [
    ...stored.map(({ name, value }) => ({ name: OF_BODY.test(name) ? `X-Original-${name}` : name, value })),
    ...fromFields,
    { name: 'X-Datadeck-Labels', value: labels.join(', ') },
    { name: 'X-Datadeck-Attachments', value: files.join(', ') },
  ].filter(({ name, value }) => (OF_THREAD.test(name) ? /[^\s<>]/.test(value) : value.trim() !== ''));
}

/** Returns a body with its headers, in quoted-printable. */
function partText({ type, text }: { type: string; text: string }): string {
  const head = `Content-Type: ${type}; charset=utf-8\nContent-Transfer-Encoding: quoted-printable`;
  return `${head}\n\n${wrap(encode(text.replaceAll(/\r\n|\r/g, '\n')))}`;
}

/**
 * Returns one mail with its From_ line. Bodies are quoted-printable, so that a line that begins with `From ` is encoded
 * instead of quoted: readers of all variants of mbox decode the same text. Line ends are LF.
 */
function mailText(mail: Record<string, unknown>): string {
  const parts = [
    { type: 'text/plain', text: textOf(mail.text) },
    { type: 'text/html', text: textOf(mail.html) },
  ]
    .filter(({ text }, index) => index === 0 || text !== '')
    .map(partText);
  const body =
    parts.length === 1
      ? parts.join('')
      : [
          `Content-Type: multipart/alternative; boundary="${BOUNDARY}"\n\n`,
          ...parts.map((part) => `--${BOUNDARY}\n${part}\n`),
          `--${BOUNDARY}--`,
        ].join('');
  const from = isRecord(mail.from) ? textOf(mail.from.address) : '';
  const sender = from.replaceAll(/[^\x21-\x7e]/g, '') || 'MAILER-DAEMON';
  const head = [...headersOf(mail).map(headerText), 'MIME-Version: 1.0'].join('\n');
  const source = `${head}\n${body}`.replaceAll(/\r\n?/g, '\n').replaceAll(FROM_LINE, '$1=46rom ');
  return `From ${sender} ${asctime(dateOf(mail.receivedAt ?? mail.date))}\n${source}\n\n`;
}

/** Yields mails in the format mbox, with the names of attached files but not the files. A row is a document with the common fields of Gmail's and IMAP's messages. */
export async function* mboxFile(batches: AsyncIterable<unknown[]>): AsyncGenerator<Uint8Array> {
  for await (const batch of batches)
    for (const row of batch) if (isRecord(row)) yield Buffer.from(mailText(row));
}
