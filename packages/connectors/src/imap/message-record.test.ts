import { describe, expect, test } from 'vitest';
import { attachmentsOf } from './message-parts.ts';
import { messageRecord } from './message-record.ts';
import { textOfHtml } from './message-text.ts';

const PLACE = { mailbox: 'INBOX', uidValidity: '7' };
const HALF = 65_536;
const filled = (piece: string, length = HALF) =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

async function read(...lines: string[]): Promise<Record<string, unknown>> {
  const source = Buffer.from(lines.join('\r\n'));
  const message = { seq: 1, uid: 1, source, size: source.length };
  return (await messageRecord(PLACE, message)).data as Record<string, unknown>;
}

const namesIn = (data: Record<string, unknown>) =>
  (data.attachments as { filename: string }[]).map(({ filename }) => filename);
const multipart = (type: string, boundary: string, ...parts: string[][]) => [
  `Content-Type: multipart/${type}; boundary=${boundary}`,
  '',
  ...parts.flatMap((part) => [`--${boundary}`, ...part]),
  `--${boundary}--`,
];
const plain = (text: string, ...headers: string[]) => ['Content-Type: text/plain', ...headers, '', text];
const html = (text: string) => ['Content-Type: text/html', '', text];

describe('hostile mail', () => {
  // @covers 10.mail-read-threads
  test.each([
    '<',
    '<style',
    '<script',
    '<style>',
    '<style></style',
    '<!--',
    '<a ',
    '<a>',
    '</',
    '&',
    '< ',
    '>',
    ' \n',
    '\u0001',
  ])('of HTML that repeats %j is read in linear time', async (piece) => {
    const start = performance.now();
    await read('Content-Type: text/html', '', filled(piece));
    await read(...multipart('mixed', 'b', plain(filled(piece)), html(filled(piece))));
    textOfHtml(`<p>${filled(piece)}`);
    expect(performance.now() - start).toBeLessThan(8000);
  });

  // @covers 10.mail-read-threads
  test.each([
    ['nested parts', (i: number) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n`],
    ['empty parts', () => '--b\r\n'],
    ['content headers', () => 'content-\r\n'],
    ['folded headers', () => 'Content-X: y\r\n z\r\n'],
    ['groups', () => 'a:'],
    ['attached messages', () => 'Content-Type: message/rfc822\r\n\r\n'],
  ])('of many %s is read in linear time', async (_name, piece) => {
    const many = Array.from({ length: 20_000 }, (_, index) => piece(index))
      .join('')
      .slice(0, 2 * HALF);
    const start = performance.now();
    const data = await read('Subject: odd', 'Content-Type: multipart/mixed; boundary=b', `To: ${many}`);
    expect(data.subject).toBe('odd');
    expect((await read('Subject: odd', many)).subject).toBe('odd');
    expect(performance.now() - start).toBeLessThan(8000);
  });

  test('keeps a limited number of headers, addresses, files and flags', async () => {
    const files = Array.from({ length: 3000 }, (_, index) => [
      'Content-Disposition: attachment',
      '',
      String(index),
    ]);
    const data = await read(
      ...Array.from({ length: 5000 }, () => 'X-Odd: y'),
      `To: ${filled('a@b.c,', 2 * HALF)}`,
      `Subject: ${filled('x', 2 * HALF)}`,
      ...multipart('mixed', 'b', ...files),
    );
    expect((data.headers as unknown[]).length).toBe(200);
    expect((data.to as unknown[]).length).toBe(1000);
    expect((data.attachments as unknown[]).length).toBe(1000);
    expect(String(data.subject).length).toBeLessThan(20_000);
  });
});

describe('the text of HTML', () => {
  test.each([
    ['<p>Hello <b>you</b></p>', 'Hello you'],
    ['<style>p { a: b }</style>Hi', 'Hi'],
    ['<STYLE x>p <b></STYLE>Hi<script>if (a < b) c();</script>!', 'Hi !'],
    ['<!-- <b>no</b> -->Hi', 'Hi'],
    ['1 < 2 <b>and</b> 3 > 2', '1 < 2 and 3 > 2'],
    ['a <b', 'a <b'],
    ['<style>never closed', ''],
    ['<styled>yes</styled>', 'yes'],
  ])('%j', (page, text) => expect(textOfHtml(page).replaceAll(/\s+/g, ' ').trim()).toBe(text));
});

describe('a mail with other mails inside', () => {
  const inner = [
    'Subject: inner',
    ...multipart('alternative', 'i', plain('inner text'), html('<p>inner html</p>')),
  ];

  // @covers 10.mail-texts-attached
  test('does not take their text for its own, and counts named ones as files', async () => {
    const named = ['Content-Type: message/rfc822; name="fwd.eml"', '', ...inner];
    const says = ['Content-Type: message/rfc822', 'Content-Disposition: attachment', '', ...inner];
    const nameless = ['Content-Type: message/rfc822', '', ...inner];
    const data = await read(
      'Subject: outer',
      ...multipart('mixed', 'o', plain('outer text'), named, says, nameless),
    );
    expect(data).toMatchObject({ subject: 'outer', text: 'outer text\n', html: '' });
    expect(namesIn(data)).toEqual(['fwd.eml', '']);
  });

  // @covers 10.mail-texts-attached
  test('is a report whose parts are no files', async () => {
    const data = await read(
      ...multipart(
        'report; report-type=delivery-status',
        'o',
        plain('It bounced.'),
        ['Content-Type: message/delivery-status', '', 'Action: failed'],
        ['Content-Type: message/rfc822', '', ...inner],
        ['Content-Type: text/rfc822-headers', '', 'Subject: lost'],
      ),
    );
    expect(data).toMatchObject({ text: 'It bounced.\n', html: '', attachments: [] });
  });
});

describe('attachments', () => {
  // @covers 10.mail-texts-attached
  test('have a name or say that they are one', async () => {
    const data = await read(
      ...multipart(
        'mixed',
        'm',
        multipart('alternative', 'a', plain('text'), html('<p>html</p>'), [
          'Content-Type: text/calendar',
          '',
          'BEGIN',
        ]),
        ['Content-Type: image/png', 'Content-ID: <x>', '', 'abc'],
        ['Content-Type: application/pgp-signature', '', 'abc'],
        ['Content-Type: application/pdf', 'Content-Disposition: attachment', '', 'abc'],
        plain('a note', 'Content-Disposition: inline; filename=note.txt'),
        ['Content-Type: image/png; name="=?utf-8?Q?L=C3=B6we.png?="', '', 'abc'],
      ),
    );
    expect(data.text).toBe('text\n');
    expect(namesIn(data)).toEqual(['', 'note.txt', 'Löwe.png']);
  });

  test('are the same as the server describes them', () => {
    const part = (type: string, more = {}) => ({ part: '1', type, size: 3, ...more });
    const childNodes = [
      part('text/plain'),
      part('image/png'),
      part('text/plain', { disposition: 'inline', dispositionParameters: { filename: 'note.txt' } }),
      part('message/rfc822', {
        parameters: { name: 'fwd.eml' },
        childNodes: [part('application/pdf', { parameters: { name: 'inner.pdf' } })],
      }),
      part('message/rfc822', {
        childNodes: [part('application/pdf', { parameters: { name: 'inner.pdf' } })],
      }),
      part('application/pdf', { disposition: 'attachment' }),
    ];
    const found = attachmentsOf({ type: 'multipart/mixed', childNodes });
    expect(found.map(({ filename }) => filename)).toEqual(['note.txt', 'fwd.eml', '']);
  });

  test('leave the only text of a mail its text', async () => {
    const data = await read('Content-Type: text/plain; name="body.txt"', '', 'Hello');
    expect(data).toMatchObject({ text: 'Hello\n', attachments: [] });
  });
});

test('addresses keep their quotes, and names that equal them', async () => {
  const data = await read(
    'From: "a@b"@c.example',
    'To: "bo@b.c" <bo@b.c>, Team: =?utf-8?Q?L=C3=B6we?= <l@b.c>;',
    'Cc: (work) cy@b.c (Cy)',
    '',
    'Hello',
  );
  expect(data).toMatchObject({
    from: { name: '', address: '"a@b"@c.example' },
    to: [
      { name: 'bo@b.c', address: 'bo@b.c' },
      { name: 'Löwe', address: 'l@b.c' },
    ],
    cc: [{ name: 'work Cy', address: 'cy@b.c' }],
  });
});

test('a mail of two texts of different types has both in each', async () => {
  const data = await read(...multipart('mixed', 'b', html('<p>body</p>'), plain('-- a list & more')));
  expect(data.text).toContain('body');
  expect(data.text).toContain('-- a list & more');
  expect(data.html).toContain('-- a list &amp; more');
});
