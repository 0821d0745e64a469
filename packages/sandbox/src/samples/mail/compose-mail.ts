import { encode as encodeBase64, wrap as wrapBase64 } from 'nodemailer/lib/base64';
import { encodeWords, foldLines } from 'nodemailer/lib/mime-funcs';
import { encode as encodeQuoted, wrap as wrapQuoted } from 'nodemailer/lib/qp';
import type { Attachment, MailDraft } from './mail-draft.ts';

const DOMAIN = 'mail.sandbox.example';
/** Longest encoded word, bytes. */
const WORD_LENGTH = 52;

/**
 * Returns the raw text of a message: encoded headers, a MIME tree, transfer encodings. nodemailer's composer would be five
 * times as slow, is asynchronous and writes UTF-8 alone (decision 131); its encodings are used.
 */
export function composeMail(draft: MailDraft): Buffer {
  const chunks = [headLines(draft), bodyOf(draft)].flat();
  return Buffer.from(chunks.join('\r\n'), 'utf8');
}

function headLines(draft: MailDraft): string[] {
  const earlier = draft.earlier ?? (draft.answers === undefined ? [] : [draft.answers]);
  const date = new Date(draft.date);
  return [
    `Delivered-To: ${/<([^>]+)>/.exec(draft.to)?.[1] ?? draft.to}`,
    `Received: from mx.${DOMAIN} by in.${DOMAIN} with ESMTPS; ${mailDate(new Date(draft.date + 2000))}`,
    `Date: ${mailDate(date)}`,
    `From: ${encodePeople(draft.from)}`,
    `To: ${encodePeople(draft.to)}`,
    ...(draft.cc === undefined ? [] : [`Cc: ${encodePeople(draft.cc)}`]),
    foldLines(`Subject: ${encodeWords(draft.subject, 'Q', WORD_LENGTH)}`),
    `Message-ID: ${messageId(draft.key)}`,
    ...(draft.answers === undefined ? [] : [`In-Reply-To: ${messageId(draft.answers)}`]),
    ...(earlier.length === 0 ? [] : [`References: ${earlier.map(messageId).join('\r\n ')}`]),
    ...Object.entries(draft.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
    'MIME-Version: 1.0',
  ];
}

function bodyOf(draft: MailDraft): string[] {
  const boundary = `----=_Part_${Buffer.from(draft.key).toString('hex').slice(-20)}`;
  const content = contentOf(draft, `${boundary}_alt`);
  const files = draft.attachments ?? [];
  if (files.length === 0) return content;
  return [
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    ...content,
    ...files.flatMap((file) => [`--${boundary}`, ...attachmentLines(file)]),
    `--${boundary}--`,
    '',
  ];
}

function contentOf(draft: MailDraft, boundary: string): string[] {
  const plain = textPart('plain', draft.text, draft.charset);
  if (draft.html === undefined) return plain;
  return [
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    ...plain,
    `--${boundary}`,
    ...textPart('html', draft.html, undefined),
    `--${boundary}--`,
    '',
  ];
}

function textPart(kind: 'plain' | 'html', text: string, charset: 'iso-8859-1' | undefined): string[] {
  const bytes = Buffer.from(text.replace(/\r?\n/g, '\r\n'), charset === undefined ? 'utf8' : 'latin1');
  return [
    `Content-Type: text/${kind}; charset=${charset ?? 'UTF-8'}`,
    'Content-Transfer-Encoding: quoted-printable',
    '',
    wrapQuoted(encodeQuoted(bytes)),
    '',
  ];
}

function attachmentLines(file: Attachment): string[] {
  const name = /^[\x20-\x7e]*$/.test(file.name)
    ? `filename="${file.name}"`
    : `filename*=UTF-8''${encodeURIComponent(file.name)}`;
  return [
    `Content-Type: ${file.type}`,
    `Content-Disposition: attachment; ${name}`,
    'Content-Transfer-Encoding: base64',
    '',
    wrapBase64(encodeBase64(file.make())),
    '',
  ];
}

/** Encodes the names before the addresses. */
function encodePeople(people: string): string {
  const encoded = people.split(',').map((person) => {
    const at = Math.max(0, person.indexOf('<'));
    return encodeWords(person.slice(0, at), 'Q', WORD_LENGTH) + person.slice(at);
  });
  return encoded.join(',');
}

function messageId(key: string): string {
  return `<${key.replace(/[^\w.-]/g, '.')}@${DOMAIN}>`;
}

function mailDate(date: Date): string {
  return date.toUTCString().replace('GMT', '+0000');
}
