import MimeNode from 'nodemailer/lib/mime-node';
import { encode, wrap } from 'nodemailer/lib/qp';
import { isRecord } from '../evaluation/csv.ts';

/** Headers that the composer writes from fields of the document, or that describe its former body. */
const OWN_HEADERS =
  /^(from|to|cc|reply-to|subject|date|message-id|in-reply-to|mime-version|lines|status|x-status|x-keywords|content-.*)$/i;
const HEADER_NAME = /^[A-Za-z0-9-]{1,100}$/;
/** Lines that a reader of mbox takes for the start of a mail, with any number of quotes. */
const FROM_LINE = /^(>{0,1000})From /gm;
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Returns people as the composer expects them. */
function peopleOf(values: readonly unknown[]): { name: string; address: string }[] {
  return values
    .filter(isRecord)
    .map(({ name, address }) => ({ name: textOf(name), address: textOf(address).replaceAll(/[\s<>]+/g, '') }))
    .filter(({ address }) => address !== '');
}

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

/** Returns the original headers that the composer does not write, and those for labels and files. */
function furtherHeaders(mail: Record<string, unknown>): { key: string; value: string }[] {
  const labels = [...listOf(mail.labelIds), mail.mailbox, ...listOf(mail.flags)].map(textOf).filter(Boolean);
  const files = listOf(mail.attachments)
    .filter(isRecord)
    .map(({ filename }) => textOf(filename) || 'Without a name');
  const own = [
    { key: 'X-Datadeck-Labels', value: labels.join(', ') },
    { key: 'X-Datadeck-Attachments', value: files.join(', ') },
  ];
  const others = listOf(mail.headers)
    .filter(isRecord)
    .map(({ name, value }) => ({ key: textOf(name), value: textOf(value) }))
    .filter(({ key }) => HEADER_NAME.test(key) && !OWN_HEADERS.test(key));
  return [...others, ...own].filter(({ value }) => value.trim() !== '');
}

/** Returns a body in quoted-printable. */
function encodedBody(text: string): string {
  return wrap(encode(text.replaceAll(/\r\n|\r/g, '\n')));
}

/**
 * Returns one mail with its From_ line. Bodies are quoted-printable, so that a line that begins with `From ` is encoded
 * instead of quoted: readers of all variants of mbox decode the same text. Line ends are LF.
 */
function mailText(mail: Record<string, unknown>): string {
  const [from] = peopleOf([mail.from]);
  const date = dateOf(mail.date);
  const id =
    textOf(mail.messageId) || `<${encodeURIComponent(textOf(mail.id).slice(0, 200))}@datadeck.invalid>`;
  const bodies = [
    { type: 'text/plain; charset=utf-8', text: textOf(mail.text) },
    { type: 'text/html; charset=utf-8', text: textOf(mail.html) },
  ].filter(({ text }, index) => index === 0 || text !== '');
  const root = new MimeNode(bodies.length > 1 ? 'multipart/alternative' : bodies[0]?.type, {
    // Not in any body: quoted-printable writes = as =3D.
    baseBoundary: '=_datadeck',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  root.setHeader([
    { key: 'Date', value: date.toUTCString().replace('GMT', '+0000') },
    ...(from ? [{ key: 'From', value: from }] : []),
    { key: 'To', value: peopleOf(listOf(mail.to)) },
    { key: 'Cc', value: peopleOf(listOf(mail.cc)) },
    { key: 'Reply-To', value: peopleOf(listOf(mail.replyTo)) },
    { key: 'Subject', value: textOf(mail.subject) },
    { key: 'Message-ID', value: id },
    { key: 'In-Reply-To', value: textOf(mail.inReplyTo) },
  ]);
  for (const { key, value } of furtherHeaders(mail)) root.addHeader(key, value);
  const parts = bodies.length > 1 ? bodies.map(({ type }) => root.createChild(type)) : [root];
  for (const part of parts) part.setHeader('Content-Transfer-Encoding', 'quoted-printable');
  const [head = '', ...heads] = [
    root.buildHeaders(),
    ...(bodies.length > 1 ? parts.map((part) => part.buildHeaders()) : []),
  ];
  const texts = bodies.map(({ text }) => encodedBody(text));
  const body =
    heads.length === 0
      ? texts.join('')
      : [
          ...heads.map((one, index) => `--${root.boundary}\n${one}\n\n${texts[index]}\n`),
          `--${root.boundary}--`,
        ].join('');
  const sender = (from?.address ?? '').replaceAll(/[^\x21-\x7e]/g, '') || 'MAILER-DAEMON';
  const source = `${head}\n\n${body}`.replaceAll(/\r\n?/g, '\n').replaceAll(FROM_LINE, '$1=46rom ');
  return `From ${sender} ${asctime(date)}\n${source}\n\n`;
}

/** Yields mails in the format mbox, with the names of attached files but not the files. A row is a document with the common fields of Gmail's and IMAP's messages. */
export async function* mboxFile(batches: AsyncIterable<unknown[]>): AsyncGenerator<Uint8Array> {
  for await (const batch of batches)
    for (const row of batch) if (isRecord(row)) yield Buffer.from(mailText(row));
}
