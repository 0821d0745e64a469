import type { Socket } from 'node:net';
import {
  flood,
  type ScriptedMail,
  ScriptedServer,
} from '../../packages/connectors/test-support/imap/scripted-server.ts';
import { Client } from '../../packages/server/test-support/test-server.ts';
import { type Attack, send, type Target, wait } from './attack.ts';

const SYNCS = '/api/integrations/synchronizations';
const PASSWORD = 'secret';
const html = (body: string) => `Subject: x\r\nContent-Type: text/html\r\n\r\n${body}`;
const numbered = (sources: readonly string[]): ScriptedMail[] =>
  sources.map((source, index) => ({ uid: index + 1, source }));
const HARMLESS = numbered(Array.from({ length: 10 }, (_, n) => `Subject: ${n}\r\n\r\nHello`));
const MAIL_BYTES = 120_000;
const long = (piece: string) => piece.repeat(Math.floor(MAIL_BYTES / piece.length));

/** Mails that cost a careless reader seconds each. */
const MAILS = numbered([
  html('<'.repeat(65_536)),
  ...['<style', '<script', '<!--', '<![CDATA[', '<a ', '<a href="', '&#', '&amp', '</', '<p>', '<b <'].map(
    (piece) => html(long(piece)),
  ),
  html(long('<div>'.repeat(100))),
  html(`<style>${long('*/')}`),
  `Subject: ${long('=?utf-8?q?=41?= ')}\r\n\r\nx`,
  `From: ${long('"a" <')}\r\n\r\nx`,
  `From: ${long('(')}\r\nTo: ${long('a@b,')}\r\n\r\nx`,
  `${long('X-A: b\r\n')}\r\nx`,
  `Content-Type: multipart/mixed; ${long('a*0="b";')}\r\n\r\nx`,
  `Content-Type: multipart/mixed; boundary=b\r\n\r\n${long('--b\r\n\r\n')}`,
  long('Content-Type: message/rfc822\r\n\r\n'),
  long(' \t'),
  // 400 elements that a browser would open again in each of 800 paragraphs.
  html(Array.from({ length: 400 }, (_, n) => `<b title=${n}>`).join('') + '<p>x'.repeat(800)),
  html(long('<table>x')),
  // More words than an entry of the search index may have.
  `Subject: words\r\n\r\n${Array.from({ length: 60_000 }, (_, n) => `漢字${n.toString(36)}`).join(' ')}`,
  Array.from({ length: 900 }, (_, n) => `X-${n}: ${'漢'.repeat(250)}${n}`).join('\r\n'),
]);

/** Starts a sync of a connected mailbox and counts how it ends. */
async function runSync(target: Target, entity: string): Promise<void> {
  const client = new Client(target);
  client.token = target.user;
  const providerId = entity.startsWith('imap') ? 'imap' : 'google';
  const entitySettings = providerId === 'imap' ? { mailbox: 'INBOX' } : { labelIds: 'INBOX' };
  const { status, text } = await send(target, {
    method: 'POST',
    path: SYNCS,
    token: target.user,
    body: { providerId, entityLabel: entity, entitySettings },
  });
  if (status !== 202) return;
  const { _id } = JSON.parse(text) as { _id: string };
  for (;;) {
    await wait(target, 300);
    if (target.signal.aborted) {
      await client.call('POST', `${SYNCS}/${_id}/cancel`);
      return;
    }
    const syncs = await client.get<{ _id: string; status: string; summary: { errMessage?: string } }[]>(
      `${SYNCS}?providers=${providerId}`,
    );
    const sync = syncs.find((one) => one._id === _id);
    if (sync?.status === 'started') continue;
    target.note(`${sync?.status ?? 'gone'} ${sync?.summary.errMessage ?? ''}`.trim());
    return;
  }
}

/** Connects the user to a hostile mail server and syncs from it. */
async function syncFrom(
  target: Target,
  mails: ScriptedMail[],
  hostility?: (line: string, socket: Socket) => boolean,
): Promise<void> {
  const server = await ScriptedServer.start();
  server.mails = mails;
  server.hostility = hostility;
  const values = {
    host: '127.0.0.1',
    port: String(server.port),
    security: 'none',
    user: 'mallory',
    password: PASSWORD,
  };
  try {
    const path = '/api/integrations/connections/imap';
    await send(target, { method: 'POST', path, token: target.user, body: { values } });
    await runSync(target, 'imap-messages');
    await wait(target, 3000);
  } finally {
    server.close();
  }
}

const is = (command: string) => (line: string) => new RegExp(`^\\S+ (UID )?${command}\\b`).test(line);

/** Answers each command of a kind by the same bytes without end. */
function endless(command: string, piece: string): (target: Target) => Promise<void> {
  const isStruck = is(command);
  const bytes = Buffer.from(piece);
  return (target) =>
    syncFrom(target, HARMLESS, (line, socket) => {
      if (!isStruck(line)) return false;
      flood(socket, bytes);
      return true;
    });
}

/** Nests parts deeper than the call stack. */
function nestedMail(depth: number): string {
  const open = Array.from(
    { length: depth },
    (_, level) => `Content-Type: multipart/mixed; boundary="b${level}"\r\n\r\n--b${level}\r\n`,
  );
  return `Subject: deep\r\n${open.join('')}Content-Type: text/plain\r\n\r\nAt the bottom.`;
}

let insertions = 0;

async function nestGmailParts(target: Target): Promise<void> {
  const raws =
    insertions++ < 4 ? [nestedMail(100), nestedMail(900), nestedMail(2000), html('<'.repeat(65_536))] : [];
  for (const raw of raws)
    await fetch(`${target.sandbox}/control/actions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ target: 'gmail.insertRaw', arguments: [target.email, raw] }),
    });
  await runSync(target, 'gmail-messages');
  await wait(target, 1000);
}

/** Attacks by what providers send. */
export const MAIL_ATTACKS: readonly Attack[] = [
  { name: 'html-mail', run: (target) => syncFrom(target, MAILS) },
  {
    name: 'imap-vanished',
    run: (target) =>
      syncFrom(target, HARMLESS, (line, socket) => {
        if (is('FETCH')(line))
          socket.write('* VANISHED (EARLIER) 1:4294967295\r\n* VANISHED 1:4294967295\r\n'.repeat(50));
        return false;
      }),
  },
  {
    name: 'imap-literals',
    run: endless('FETCH', `* 9 FETCH (UID 4294967295 BODY[]<0> {131072}\r\n${'x'.repeat(131_072)})\r\n`),
  },
  {
    name: 'imap-large-literal',
    run: endless(
      'FETCH',
      `* 1 FETCH (UID 1 RFC822.SIZE 20 BODY[]<0> {3000000000}\r\n${'x'.repeat(1024 * 1024)}`,
    ),
  },
  { name: 'imap-lines', run: endless('FETCH', 'x'.repeat(1024 * 1024)) },
  { name: 'imap-lists', run: endless('FETCH', '('.repeat(100_000)) },
  {
    name: 'imap-uids',
    run: endless('FETCH', '* 1 FETCH (UID 1 INTERNALDATE "01-Mar-2026 09:00:00 +0000")\r\n'.repeat(100)),
  },
  {
    name: 'imap-drip',
    run: (target) =>
      syncFrom(target, HARMLESS, (line, socket) => {
        if (!line.includes('BODY')) return false;
        const drip = setInterval(() => socket.write('x'), 20);
        socket.once('close', () => clearInterval(drip));
        return true;
      }),
  },
  { name: 'gmail-parts', run: nestGmailParts },
];
