import { describe, expect, it } from 'vitest';
import { textOfHtml } from '../mail/html.ts';
import { attachmentsOf } from './mail-parts.ts';
import { messageRecord } from './mail-record.ts';

const MAILBOX_REF = { mailbox: 'INBOX', uidValidity: '7' };
const HALF = 65_536;
const filled = (piece: string, length = HALF) =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

async function read(...lines: string[]): Promise<Record<string, unknown>> {
  const source = Buffer.from(lines.join('\r\n'));
  const message = { seq: 1, uid: 1, source, size: source.length };
  return (await messageRecord(MAILBOX_REF, message)).data as Record<string, unknown>;
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

describe('messageRecord of a hostile mail', () => {
  it.each([
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
    '&amp',
    '&#1;',
    '< ',
    '>',
    ' \n',
    '\u0001',
  ])('reads HTML that repeats %j in linear time', async (piece) => {
    const start = performance.now();
    await read('Content-Type: text/html', '', filled(piece));
    await read(...multipart('mixed', 'b', plain(filled(piece)), html(filled(piece))));
    textOfHtml(`<p>${filled(piece)}`);
    expect(performance.now() - start).toBeLessThan(8000);
  });

  it.each([
    ['nested parts', (i: number) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n`],
    ['empty parts', () => '--b\r\n'],
    ['content headers', () => 'content-\r\n'],
    ['folded headers', () => 'Content-X: y\r\n z\r\n'],
    ['groups', () => 'a:'],
    ['attached messages', () => 'Content-Type: message/rfc822\r\n\r\n'],
  ])('reads many %s in linear time', async (_name, piece) => {
    const many = Array.from({ length: 20_000 }, (_, index) => piece(index))
      .join('')
      .slice(0, 2 * HALF);
    const start = performance.now();
    const data = await read('Subject: odd', 'Content-Type: multipart/mixed; boundary=b', `To: ${many}`);
    expect(data.subject).toBe('odd');
    expect((await read('Subject: odd', many)).subject).toBe('odd');
    expect(performance.now() - start).toBeLessThan(8000);
  });

  it('limits headers, addresses, files and the subject', async () => {
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

describe('textOfHtml', () => {
  it.each([
    ['<p>Hello <b>you</b></p>', 'Hello you'],
    ['<style>p { a: b }</style>Hi', 'Hi'],
    ['<STYLE x>p <b></STYLE>Hi<script>if (a < b) c();</script>!', 'Hi !'],
    ['<!-- <b>no</b> -->Hi', 'Hi'],
    ['1 < 2 <b>and</b> 3 > 2', '1 < 2 and 3 > 2'],
    ['a <b', 'a <b'],
    ['<style>never closed', ''],
    ['<styled>yes</styled>', 'yes'],
    ['f&uuml;r&nbsp;Stra&szlig;e &#39;1&#x27; &lt;b&gt; &amp;amp; A&B', `für Straße '1' <b> &amp; A&B`],
  ])('extracts the text of %j', (page, text) =>
    expect(textOfHtml(page).replaceAll(/\s+/g, ' ').trim()).toBe(text),
  );
});

describe('messageRecord of a mail with attached mails', () => {
  const inner = [
    'Subject: inner',
    ...multipart('alternative', 'i', plain('inner text'), html('<p>inner html</p>')),
  ];

  it('ignores their text and lists named ones as files', async () => {
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

  it('lists no files for a delivery report', async () => {
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

describe('attachment list of a mail', () => {
  it('contains parts with a file name or attachment disposition', async () => {
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

  it('follows the same rules for the BODYSTRUCTURE of a server', () => {
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

  it('excludes the only text of a mail', async () => {
    const data = await read('Content-Type: text/plain; name="body.txt"', '', 'Hello');
    expect(data).toMatchObject({ text: 'Hello\n', attachments: [] });
  });
});

describe('messageRecord', () => {
  it('keeps quotes in an address and a name that equals the address', async () => {
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

  it('joins two texts of different types in both the text and the HTML', async () => {
    const data = await read(...multipart('mixed', 'b', html('<p>body</p>'), plain('-- a list & more')));
    expect(data.text).toContain('body');
    expect(data.text).toContain('-- a list & more');
    expect(data.html).toContain('-- a list &amp; more');
  });
});
