import { storable } from '../sdk/storable.ts';
import { type MailAddress, parseAddresses } from './addresses.ts';
import { bodyTextsOf } from './body-texts.ts';
import { decodeText } from './charset.ts';
import { readMailDate } from './date.ts';
import { unflow } from './flowed.ts';
import { type AlternativeTexts, joinTexts } from './joined-texts.ts';
import { headerOf, type MailHeader, type MimePart, partsWithAlternatives } from './mime-part.ts';
import { decodeWords } from './words.ts';

/** Largest number of headers in a record. */
const MAX_HEADERS = 200;
/** Longest header value in a record, UTF-16 units. */
const MAX_VALUE_LENGTH = 16 * 1024;
/** Largest number of files in a record. */
export const MAX_ATTACHMENTS = 1000;
/** Longest file name and type, UTF-16 units. */
const MAX_NAME_LENGTH = 1000;

/** A file of a mail. Its disposition is `attachment`, or it has a name. */
export interface MailFile {
  filename: string;
  mimeType: string;
  /** Bytes. */
  size: number;
}

/** What people read of a mail, with texts that can be stored. */
export interface ReadMail {
  headers: MailHeader[];
  subject: string;
  from: MailAddress;
  to: MailAddress[];
  cc: MailAddress[];
  replyTo: MailAddress[];
  messageId: string;
  inReplyTo: string;
  /** The Date header in ISO format if it is a date, else as written. */
  date: string;
  text: string;
  html: string;
  /** Whether the texts are longer than what was read of them. */
  isTruncated: boolean;
  files: { part: MimePart; file: MailFile }[];
  /** Texts that the provider keeps apart. */
  textsApart: MimePart[];
}

/** Returns a header value as it is stored. NUL, which no mail may have, is left out. */
const cleanValue = (text: string) => storable(text.slice(0, MAX_VALUE_LENGTH).replaceAll('\0', ''));

/** Returns the entry of a file. @param size bytes */
export function fileOf(filename: string, mimeType: string, size: number): MailFile {
  return {
    filename: cleanValue(filename).slice(0, MAX_NAME_LENGTH).toWellFormed(),
    mimeType: storable(mimeType.slice(0, MAX_NAME_LENGTH)),
    size,
  };
}

/** Returns whether a text is HTML, also under a misspelt type. */
const isHtml = ({ type }: MimePart) => /html/.test(type);

/** Returns the text of a part with LF as line ends, of at most `maxLength` bytes for each byte of a character. */
function textOf(part: MimePart, maxLength: number): { text: string; isCut: boolean } {
  const { parameters, isConverted = false } = part;
  const content = part.read();
  // A character has at most four bytes.
  const bytes = content.subarray(0, 4 * maxLength + 4);
  const decoded = decodeText(bytes, { charset: parameters.get('charset') ?? '', isConverted });
  const text = decoded
    .replaceAll('\0', '')
    .replaceAll(/\r+\n?/g, (run) => (run.endsWith('\n') ? '\n' : '\n'.repeat(run.length)));
  const isFlowed = !isHtml(part) && /^flowed$/i.test(parameters.get('format') ?? '');
  const isSpaceDeleted = /^yes$/i.test(parameters.get('delsp') ?? '');
  return { text: isFlowed ? unflow(text, isSpaceDeleted) : text, isCut: bytes.length < content.length };
}

/** Reads the texts of a mail, of each type up to `maxLength` UTF-16 units. */
function readTexts(
  root: MimePart,
  texts: ReadonlySet<MimePart>,
  maxLength: number,
): Pick<ReadMail, 'text' | 'html' | 'isTruncated'> {
  const groups = new Map<MimePart, AlternativeTexts>();
  const lengths = { plain: 0, html: 0 };
  let isTruncated = false;
  for (const { part, alternative = part } of partsWithAlternatives(root)) {
    if (!texts.has(part)) continue;
    const kind = isHtml(part) ? 'html' : 'plain';
    if (lengths[kind] > maxLength) {
      isTruncated = true;
      continue;
    }
    const { text, isCut } = textOf(part, maxLength);
    const group = groups.get(alternative) ?? { plain: [], html: [] };
    groups.set(alternative, group);
    group[kind].push(text);
    lengths[kind] += text.length + 1;
    isTruncated ||= isCut;
  }
  const joined = joinTexts([...groups.values()]);
  return {
    text: storable(joined.text.slice(0, maxLength)),
    html: storable(joined.html.slice(0, maxLength)),
    isTruncated: isTruncated || joined.text.length > maxLength || joined.html.length > maxLength,
  };
}

/** Reads a mail from its parts, the same way for each provider. @param maxLength of a text, UTF-16 units */
export function readMailParts(root: MimePart, maxLength: number): ReadMail {
  const { headers } = root;
  const decoded = (name: string) => cleanValue(decodeWords(headerOf(headers, name) ?? ''));
  const valuesOf = (name: string) =>
    headers
      .filter((header) => header.name.toLowerCase() === name)
      .map(({ value }) => value.replaceAll('\0', ''));
  const addressesOf = (name: string) => parseAddresses(valuesOf(name).join(', '));
  const written = headerOf(headers, 'date');
  const texts = bodyTextsOf(root);
  const textsApart = [...texts].filter(({ contentId }) => contentId !== undefined);
  const read = readTexts(root, texts, maxLength);
  const files = partsWithAlternatives(root)
    .map(({ part }) => part)
    .filter((part) => part.children.length === 0 && !texts.has(part) && (part.isNamed || part.isAttached));
  return {
    headers: headers
      .slice(0, MAX_HEADERS)
      .map(({ name, value }) => ({ name: cleanValue(name), value: cleanValue(value) })),
    subject: decoded('subject'),
    from: parseAddresses(valuesOf('from').find(Boolean))[0] ?? { name: '', address: '' },
    to: addressesOf('to'),
    cc: addressesOf('cc'),
    replyTo: addressesOf('reply-to'),
    messageId: decoded('message-id'),
    inReplyTo: decoded('in-reply-to'),
    date: readMailDate(written)?.toISOString() ?? cleanValue(written ?? ''),
    ...read,
    isTruncated: read.isTruncated || textsApart.length > 0,
    textsApart,
    files: files.slice(0, MAX_ATTACHMENTS).map((part) => ({
      part,
      file: fileOf(part.filename, part.type, part.size ?? part.read().length),
    })),
  };
}
