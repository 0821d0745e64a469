import type { Attachment, MailDraft } from './mail-draft.ts';

const DOMAIN = 'mail.sandbox.example';

/** Returns the raw text of a message: encoded headers, a MIME tree, transfer encodings. */
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
    `From: ${encodePerson(draft.from)}`,
    `To: ${encodePerson(draft.to)}`,
    ...(draft.cc === undefined ? [] : [`Cc: ${encodePerson(draft.cc)}`]),
    `Subject: ${encodeWords(draft.subject)}`,
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
    quotedPrintable(bytes),
    '',
  ];
}

function attachmentLines(file: Attachment): string[] {
  const name = /^[\x20-\x7e]*$/.test(file.name)
    ? `filename="${file.name}"`
    : `filename*=UTF-8''${encodeURIComponent(file.name)}`;
  const lines =
    file
      .make()
      .toString('base64')
      .match(/.{1,76}/g) ?? [];
  return [
    `Content-Type: ${file.type}`,
    `Content-Disposition: attachment; ${name}`,
    'Content-Transfer-Encoding: base64',
    '',
    ...lines,
    '',
  ];
}

function quotedPrintable(bytes: Buffer): string {
  let out = '';
  let width = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === 0x0d && bytes[at + 1] === 0x0a) {
      out += '\r\n';
      width = 0;
      at += 1;
      continue;
    }
    const endsLine = bytes[at + 1] === 0x0d || at === bytes.length - 1;
    const isPlain = (byte >= 0x21 && byte <= 0x7e && byte !== 0x3d) || (byte === 0x20 && !endsLine);
    const piece = isPlain
      ? String.fromCharCode(byte)
      : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    if (width + piece.length > 75) {
      out += '=\r\n';
      width = 0;
    }
    out += piece;
    width += piece.length;
  }
  return out;
}

function encodePerson(person: string): string {
  return person.replace(
    /([^<,]+?)(\s*<)/g,
    (_, name: string, rest: string) => (isAscii(name) ? name : encodeWords(name)) + rest,
  );
}

/** Encodes words (RFC 2047) of at most 75 characters without splitting a character. */
function encodeWords(text: string): string {
  if (isAscii(text)) return text;
  const words: string[] = [];
  let part = '';
  for (const character of text) {
    if (Buffer.byteLength(part + character) > 42) {
      words.push(part);
      part = '';
    }
    part += character;
  }
  return [...words, part].map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join('\r\n ');
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

function messageId(key: string): string {
  return `<${key.replace(/[^\w.-]/g, '.')}@${DOMAIN}>`;
}

function mailDate(date: Date): string {
  return date.toUTCString().replace('GMT', '+0000');
}
