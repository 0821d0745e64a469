/** Messages with oddities that occur in real mail, by name. Each is built on request. */
const ODDITIES = {
  'no-subject': () => mail(['From: a@sandbox.example', DATE], 'There is no subject.'),
  'no-headers': () => '\r\nNothing but a body.\r\n',
  'no-body': () => mail(['Subject: No body', DATE], ''),
  'no-date': () => mail(['Subject: No date'], 'When?'),
  'date-1970': () => mail(['Subject: The epoch', 'Date: Thu, 01 Jan 1970 00:00:00 +0000'], 'Long ago.'),
  'date-far-ahead': () => mail(['Subject: Far ahead', 'Date: Fri, 31 Dec 2221 23:59:59 +0000'], 'One day.'),
  'thousand-headers': () =>
    mail(['Subject: A thousand headers', DATE, ...many(1000, (n) => `X-Header-${n}: ${n}`)], 'Many headers.'),
  'deep-nesting': () => nested(120),
  'unknown-charset': () =>
    mail(['Subject: Unknown charset', DATE, 'Content-Type: text/plain; charset=x-klingon'], 'Grüße'),
  'koi8-charset': () =>
    Buffer.concat([
      text(['Subject: koi8', DATE, 'Content-Type: text/plain; charset=koi8-r']),
      Buffer.from([0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4]),
    ]),
  'raw-8bit-header': () =>
    Buffer.concat([
      Buffer.from('Subject: caf\xe9 gr\xfc\xdfe\r\n', 'latin1'),
      Buffer.from(mail([DATE], 'Latin in the header.')),
    ]),
  'right-to-left': () =>
    mail(
      [`Subject: ${encoded('مرحبا بالعالم – שלום עולם')}`, DATE, UTF8],
      'نص من اليمين إلى اليسار \u202Eevil\u202C טקסט מימין לשמאל',
    ),
  emoji: () => mail([`Subject: ${encoded('👩‍👩‍👧‍👦 🏳️‍🌈 🇵🇱 𝒳')}`, DATE, UTF8], '👍🏽 family: 👩‍👩‍👧‍👦'),
  nul: () => mail(['Subject: A NUL \0 inside', DATE], 'before\0after'),
  'lone-surrogate': () =>
    mail(
      [`Subject: =?UTF-8?B?${Buffer.from([0xed, 0xa0, 0x80, 0x41]).toString('base64')}?=`, DATE],
      'Half a character.',
    ),
  'hostile-html': () =>
    mail(['Subject: <script>alert(1)</script>', DATE, 'Content-Type: text/html; charset=utf-8'], HOSTILE),
  'duplicate-message-id': () =>
    mail(['Subject: Twice', DATE, 'Message-ID: <twice@sandbox.example>'], 'The same id as another.'),
  'bad-base64': () =>
    mail(['Subject: Bad base64', DATE, 'Content-Transfer-Encoding: base64'], 'SGVsbG8*gd29y bGQ=!!=A'),
  'missing-boundary': () =>
    mail(['Subject: No boundary', DATE, 'Content-Type: multipart/mixed'], 'No part begins.'),
  'unclosed-boundary': () =>
    mail(
      ['Subject: Unclosed', DATE, 'Content-Type: multipart/mixed; boundary=b'],
      '--b\r\n\r\nThe end never comes.',
    ),
  'endless-line': () => mail(['Subject: One line', DATE], 'word '.repeat(200_000)),
  'megabytes-25': () =>
    mail(
      ['Subject: 25 MB', DATE, 'Content-Type: text/plain; charset=utf-8'],
      `${'0123456789abcdef'.repeat(4)}\r\n`.repeat(397_000),
    ),
} as const;

const DATE = `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`;
const UTF8 = 'Content-Type: text/plain; charset=utf-8';
const HOSTILE =
  '<img src=x onerror="alert(1)"><svg onload=alert(2)><a href="javascript:alert(3)">x</a><style>*{display:none}</style>';

/** The name of an odd message. */
export type MailOddity = keyof typeof ODDITIES;

/** The names of all odd messages that the control can insert. */
export const MAIL_ODDITIES = Object.keys(ODDITIES) as readonly MailOddity[];

/** Returns the text of an odd message. */
export function oddMail(oddity: MailOddity): Buffer {
  const make = ODDITIES[oddity];
  if (!make) throw new RangeError(`No odd message is called "${oddity}". Known: ${MAIL_ODDITIES.join(', ')}`);
  return Buffer.from(make());
}

function mail(headers: readonly string[], body: string): string {
  return `${headers.join('\r\n')}\r\n\r\n${body}`;
}

function text(headers: readonly string[]): Buffer {
  return Buffer.from(`${headers.join('\r\n')}\r\n\r\n`);
}

function encoded(words: string): string {
  return `=?UTF-8?B?${Buffer.from(words).toString('base64')}?=`;
}

function many(count: number, line: (number: number) => string): string[] {
  return Array.from({ length: count }, (_, index) => line(index));
}

function nested(depth: number): string {
  const opening = many(
    depth,
    (level) => `Content-Type: multipart/mixed; boundary="b${level}"\r\n\r\n--b${level}\r\n`,
  ).join('');
  const closing = many(depth, (level) => `\r\n--b${depth - 1 - level}--\r\n`).join('');
  return `Subject: Deep\r\n${DATE}\r\n${opening}Content-Type: text/plain\r\n\r\nAt the bottom.${closing}`;
}
