import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../test-support/seeded-random.ts';
import { writeFile } from './write-file.ts';

const hasPython = spawnSync('python3', ['--version']).status === 0;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'datadeck-mbox-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(rows: readonly unknown[]): Promise<Buffer> {
  const open = () => Readable.from(rows.map((row) => `${JSON.stringify(row)}\n`));
  return buffer(writeFile('mbox', open, undefined));
}

const MAILS = [
  {
    id: 'm1',
    from: { name: 'Zoë "Z" <x>', address: 'zoe@mail.example' },
    to: [{ name: 'Bob', address: 'bob@mail.example\r\nBcc: spy@mail.example' }],
    cc: [],
    subject: 'Hello\r\nBcc: spy@mail.example\r\n\r\nFrom nobody',
    date: '2026-03-01T09:30:00.000Z',
    text: 'From the start\n>From a quote\n>>From two\n\nFrom me\r\nüber\n.\n',
    html: '<p>From</p>\nFrom html',
    messageId: '<one@mail.example>\r\nX-Evil: 1',
    headers: [
      { name: 'Received', value: 'from a by b\r\nX-Evil: 2' },
      { name: 'X-Bad\r\nX-Evil', value: '3' },
      { name: 'Content-Type', value: 'application/x-evil' },
      { name: 'X-Mailer', value: 'Pine' },
    ],
    labelIds: ['INBOX'],
    attachments: [{ filename: 'report.pdf', size: 1 }],
  },
  { id: 'm 2>\n', from: { name: '', address: '' }, subject: '', text: '', date: 'never' },
  { id: 'm3', from: 'odd', to: 'odd', headers: 'odd', text: 7, html: null },
];

const PIECES = [
  'a',
  'Bc',
  'ü',
  '漢字',
  '😀',
  '"',
  '(',
  ')',
  ',',
  '=',
  '?',
  '_',
  ' ',
  ' ',
  '-',
  '1',
  '\\',
  '<',
  ':',
];

describe('mbox', () => {
  it('keeps the text of each mail, and no value adds a header or a mail', async () => {
    const text = (await fileOf(MAILS)).toString();
    const mails = text.split(/^From .*\n/m).slice(1);
    expect(mails).toHaveLength(3);
    expect(text).not.toContain('\r');
    const [first, second] = await Promise.all(mails.map((mail) => PostalMime.parse(mail)));
    expect(first).toMatchObject({
      from: { name: 'Zoë "Z" <x>', address: 'zoe@mail.example' },
      date: '2026-03-01T09:30:00.000Z',
    });
    expect(first?.text?.replaceAll('\r\n', '\n').trimEnd()).toBe(
      'From the start\n>From a quote\n>>From two\n\nFrom me\nüber\n.',
    );
    expect(first?.html?.trimEnd()).toBe('<p>From</p>\nFrom html');
    const names = first?.headers.map(({ key }) => key);
    expect(names).toEqual(expect.arrayContaining(['received', 'x-mailer', 'x-datadeck-labels']));
    expect(names).not.toEqual(expect.arrayContaining(['x-evil']));
    expect(names).not.toContain('bcc');
    expect(names?.filter((name) => name === 'content-type')).toHaveLength(1);
    expect(first?.headers.find(({ key }) => key === 'x-datadeck-attachments')?.value).toBe('report.pdf');
    expect(second?.subject ?? '').toBe('');
  });

  it('keeps the parts of a mail apart for every text', async () => {
    const [mail] = MAILS;
    const boundary = /boundary="(.+)"/.exec((await fileOf([mail])).toString())?.[1];
    expect(boundary).toBeTruthy();
    const text = `one\n--${boundary}\nContent-Type: text/html\n\nforged\n--${boundary}--\ntwo`;

    const written = (await fileOf([{ ...(mail as object), text }])).toString();

    const parsed = await PostalMime.parse(written.slice(written.indexOf('\n') + 1));
    expect(parsed.text?.replaceAll('\r\n', '\n').trimEnd()).toBe(text);
    expect(parsed.html?.trimEnd()).toBe('<p>From</p>\nFrom html');
  });

  it.runIf(hasPython)("is read by Python's mailbox", async () => {
    const path = join(folder, 'mails.mbox');
    writeFileSync(path, await fileOf([...MAILS, ...MAILS]));
    const program = `
import mailbox, json, email.header, sys
out = []
for mail in mailbox.mbox(sys.argv[1]):
    part = mail.get_payload()[0] if mail.is_multipart() else mail
    out.append([mail.get_from(), part.get_payload(decode=True).decode(), mail.keys().count('Bcc'), len(mail.defects)])
print(json.dumps(out))`;
    const out = JSON.parse(execFileSync('python3', ['-c', program, path], { encoding: 'utf8' }));
    expect(out).toHaveLength(6);
    expect(out[0].slice(0, 2)).toEqual([
      'zoe@mail.example Sun Mar  1 09:30:00 2026',
      expect.stringMatching(/^From the start\n>From a quote\n>>From two\n\nFrom me\r?\nüber\n/),
    ]);
    for (const [, , bcc, defects] of out) expect([bcc, defects]).toEqual([0, 0]);
  });

  it.each<[string, object, string[]]>([
    ['an empty In-Reply-To', { inReplyTo: '', headers: [{ name: 'In-Reply-To', value: '<>' }] }, []],
    ['a missing In-Reply-To', {}, []],
    ['an In-Reply-To', { inReplyTo: '<a@B.example>' }, ['In-Reply-To: <a@B.example>']],
    [
      'a group',
      { headers: [{ name: 'To', value: 'undisclosed-recipients:;' }] },
      ['To: undisclosed-recipients:;'],
    ],
    [
      'a group with members, and the case of a domain',
      { headers: [{ name: 'Cc', value: 'Crew: "A, B" <a@Harbor.EXAMPLE>, b@X.example;' }] },
      ['Cc: Crew: "A, B" <a@Harbor.EXAMPLE>, b@X.example;'],
    ],
    ['people without headers', { to: [{ name: '', address: 'a@Mail.EXAMPLE' }] }, ['To: <a@Mail.EXAMPLE>']],
    [
      'blind copies, names with odd characters, and a header twice',
      {
        headers: [
          { name: 'Bcc', value: 'c@mail.example' },
          { name: 'X_odd!', value: '1' },
          { name: 'Received', value: 'one' },
          { name: 'Received', value: 'two' },
        ],
      },
      ['Bcc: c@mail.example', 'X_odd!: 1', 'Received: one', 'Received: two'],
    ],
    [
      'headers of the former body',
      {
        headers: [
          { name: 'Content-Type', value: 'text/x' },
          { name: 'Lines', value: '3' },
        ],
      },
      ['X-Original-Content-Type: text/x', 'X-Original-Lines: 3'],
    ],
  ])('writes %s', async (_, mail, expected) => {
    const [head = ''] = (await fileOf([{ id: '1', date: '2026-03-01T09:30:00Z', ...mail }]))
      .toString()
      .split('\n\n');
    const lines = head.split('\n').slice(1);
    const isOwn = /^(date|message-id|content-type|content-transfer-encoding|mime-version):/i;
    expect(lines.filter((line) => !isOwn.test(line))).toEqual(expected);
  });

  it.runIf(hasPython)('writes each stored header so that Python reads the same value', async () => {
    const random = seededRandom(20_261_126);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    const list = <T>(most: number, make: () => T) =>
      Array.from({ length: Math.floor(random() * most) }, make);
    const text = () =>
      `a${list(60, () => pick(PIECES))
        .join('')
        .replaceAll(/\s+/g, ' ')
        .replaceAll('=?', '')}`.trim();
    const mails = list(400, () => ({
      headers: list(8, () => ({ name: pick(['Subject', 'X-Note', 'X_Odd', 'List-Id']), value: text() })),
      to: list(4, () => ({
        name: text(),
        address: `${pick(['ada', 'B.C'])}@${pick(['Mail.EXAMPLE', 'x.example'])}`,
      })),
    }));
    const path = join(folder, 'headers.mbox');
    writeFileSync(path, await fileOf(mails.map((mail, id) => ({ ...mail, id: `${id}` }))));
    const program = `
import mailbox, json, email, email.policy, sys
from email.header import decode_header, make_header
from email.utils import getaddresses
out = []
# Python's newer reader of addresses keeps the blanks between encoded words.
for raw in mailbox.mbox(sys.argv[1]):
    mail = email.message_from_bytes(raw.as_bytes(), policy=email.policy.default)
    own = ('Date', 'Message-ID', 'MIME-Version', 'Content-Type', 'Content-Transfer-Encoding', 'To')
    people = [[str(make_header(decode_header(name))), address] for name, address in getaddresses([value.replace('\\n', '') for value in raw.get_all('To') or []])]
    out.append([[[k, str(v)] for k, v in mail.items() if k not in own], people])
print(json.dumps(out))`;
    const out = JSON.parse(execFileSync('python3', ['-c', program, path], { encoding: 'utf8' }));
    expect(out).toEqual(
      mails.map(({ headers, to }) => [
        headers.map(({ name, value }) => [name, value]),
        to.map(({ name, address }) => [name, address]),
      ]),
    );
  });
});
