import { randomBytes } from 'node:crypto';

/** A mail and the contents of its files, in order. */
export interface MailWithFiles {
  name: string;
  source: Buffer;
  files: Buffer[];
}

type Encoding = 'base64' | 'quoted-printable' | '7bit' | 'binary' | 'uuencode';

const CRLF = '\r\n';
const lines = (...all: string[]) => Buffer.from(all.join(CRLF), 'latin1');

/** Encodes each byte that is no letter; keeps line ends as they are in texts. */
function quotedPrintable(bytes: Buffer): string {
  const isText = !bytes.some((byte) => byte > 0x7e || byte === 0);
  const encoded: string[] = [];
  let width = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (isText && byte === 13 && bytes[at + 1] === 10) {
      encoded.push(CRLF);
      width = 0;
      at++;
      continue;
    }
    const char = String.fromCharCode(byte);
    const token = /[A-Za-z0-9,.]/.test(char) ? char : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    if (width + token.length > 75) {
      encoded.push(`=${CRLF}`);
      width = 0;
    }
    encoded.push(token);
    width += token.length;
  }
  return encoded.join('');
}

function uuencode(bytes: Buffer): string {
  const char = (value: number) => String.fromCharCode((value & 63) + 32).replace(' ', '`');
  const rows = [];
  for (let at = 0; at < bytes.length; at += 45) {
    const row = bytes.subarray(at, at + 45);
    let text = char(row.length);
    for (let index = 0; index < row.length; index += 3) {
      const [a = 0, b = 0, c = 0] = row.subarray(index, index + 3);
      text += char(a >> 2) + char((a << 4) | (b >> 4)) + char((b << 2) | (c >> 6)) + char(c);
    }
    rows.push(text);
  }
  return ['begin 644 a', ...rows, '`', 'end'].join(CRLF);
}

const ENCODERS: Readonly<Record<Encoding, (bytes: Buffer) => string>> = {
  base64: (bytes) => (bytes.toString('base64').match(/.{1,76}/g) ?? []).join(CRLF),
  'quoted-printable': quotedPrintable,
  uuencode,
  '7bit': (bytes) => bytes.toString('latin1'),
  binary: (bytes) => bytes.toString('latin1'),
};

/** Writes a part with a content. @param headers of the part, without its encoding */
function part(headers: readonly string[], content: Buffer, encoding: Encoding = 'base64'): Buffer {
  return lines(...headers, `Content-Transfer-Encoding: ${encoding}`, '', ENCODERS[encoding](content));
}

function multipart(type: string, boundary: string, parts: readonly Buffer[]): Buffer {
  const delimiter = (end = '') => Buffer.from(`${CRLF}--${boundary}${end}${CRLF}`);
  return Buffer.concat([
    lines(`Content-Type: multipart/${type}; boundary="${boundary}"`, '', ''),
    ...parts.flatMap((one) => [delimiter(), one]),
    delimiter('--'),
  ]);
}

const HEAD = lines(
  'From: Bo <bo@files.example>',
  'Date: Sun, 01 Mar 2026 09:00:00 +0000',
  'MIME-Version: 1.0',
  '',
);
const TEXT = part(['Content-Type: text/plain; charset=utf-8'], Buffer.from('Hello Ada'), '7bit');
const file = (name: string, type = 'application/octet-stream') => [
  `Content-Type: ${type}`,
  `Content-Disposition: attachment; ${name}`,
];

/** A text with line ends of the network, the last line with or without one. */
const textFile = (rows: number) =>
  Buffer.from(Array.from({ length: rows }, (_, row) => `${row},some value,${row * 7}`).join(CRLF) + CRLF);

/** Returns mails with files of every encoding, structure and kind of name. @param padding bytes of a further last file */
export function mailsWithFiles(padding = 0): MailWithFiles[] {
  const mails: MailWithFiles[] = [];
  const padded = padding > 0 ? [randomBytes(padding)] : [];
  const fillers = padded.map((bytes) => part(file('filename=filler.bin'), bytes));
  const add = (name: string, parts: readonly Buffer[], files: readonly Buffer[]) => {
    const subject = lines(`Subject: ${name}`, '');
    const source = Buffer.concat([HEAD, subject, multipart('mixed', 'outer', [...parts, ...fillers])]);
    mails.push({ name, source, files: [...files, ...padded] });
  };
  for (const encoding of ['base64', 'quoted-printable', 'uuencode'] as const)
    for (const length of [0, 1, 2, 3, 56, 57, 58, 1000]) {
      if (encoding === 'uuencode' && length === 0) continue;
      const bytes = randomBytes(length);
      add(`${length} bytes in ${encoding}`, [TEXT, part(file('filename=a.bin'), bytes, encoding)], [bytes]);
    }
  for (const encoding of ['base64', 'quoted-printable', '7bit', 'binary'] as const)
    for (const content of [
      textFile(5),
      Buffer.from('one line'),
      Buffer.from(`${CRLF}${CRLF}x${CRLF}${CRLF}`),
    ]) {
      const headers = file('filename=a.csv', 'text/csv');
      add(
        `${content.length} bytes of text in ${encoding}`,
        [TEXT, part(headers, content, encoding)],
        [content],
      );
    }
  const bytes = () => randomBytes(200);
  const [one, two, three, four] = [bytes(), bytes(), bytes(), bytes()];
  add(
    'nested multiparts',
    [
      multipart('related', 'middle', [
        multipart('alternative', 'inner', [
          TEXT,
          part(['Content-Type: text/html'], Buffer.from('<p>Hello</p>'), '7bit'),
        ]),
        part(['Content-Type: image/png; name=a.png', 'Content-ID: <a>', 'Content-Disposition: inline'], one),
      ]),
      multipart('mixed', 'deep', [part(file('filename=b.bin'), two), part(file('filename=c.bin'), three)]),
      part(file('filename=d.bin'), four),
    ],
    [one, two, three, four],
  );
  add(
    'the same name twice',
    [TEXT, ...[one, two, three].map((content) => part(file('filename=same.bin'), content))],
    [one, two, three],
  );
  const NAMES = [
    "filename*=UTF-8''%E6%97%A5%E6%9C%AC.pdf",
    'filename="=?utf-8?B?5pel5pys?=.pdf"',
    "filename*0*=utf-8''Gr%C3%BC; filename*1=b.pdf",
    'filename="../../etc/passwd"',
    'filename="a\\"b.pdf"',
    'filename="Gr\xfc\xdfe.pdf"',
    'filename=""',
    '',
    `filename="${'x'.repeat(3000)}.pdf"`,
  ];
  const named = NAMES.map(() => bytes());
  add('odd names', [TEXT, ...NAMES.map((name, at) => part(file(name), named[at] as Buffer))], named);
  const attached = Buffer.concat([
    lines('Subject: inner', 'From: Di <di@files.example>', ''),
    multipart('mixed', 'attached', [TEXT, part(file('filename=e.bin'), one)]),
  ]);
  add(
    'attached messages',
    [
      TEXT,
      part(file('filename=a.eml', 'message/rfc822'), attached, '7bit'),
      part(file('', 'message/rfc822'), attached, '7bit'),
      part(file('filename=f.bin'), two),
    ],
    [attached, attached, two],
  );
  return mails;
}

/** Returns a mail that is a file and nothing else. */
export function mailOfFile(length: number): MailWithFiles {
  const content = randomBytes(length);
  const headers = ['Subject: a file alone', ...file('filename=alone.pdf', 'application/pdf')];
  return {
    name: 'a file alone',
    source: Buffer.concat([HEAD, part(headers, content)]),
    files: [content],
  };
}
