import type { Board, Tile, View } from '@datadeck/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { jobsOf } from '../../../test-support/jobs.ts';
import { MailServer } from '../../../test-support/mail-server.ts';
import { runSync, until } from '../../../test-support/syncing.ts';
import { Client, startTestServer, type TestServer } from '../../../test-support/test-server.ts';
import { writeBoardMail } from './board-mail.ts';
import { BOARD_MAIL_QUEUE } from './index.ts';

const BOARDS = '/api/data/boards';
let server: TestServer;
let mailServer: MailServer;
let ada: Client;
let userId: string;

beforeAll(async () => {
  mailServer = await new MailServer().start();
  server = await startTestServer({ SMTP_URL: mailServer.url, SMTP_FROM: 'Datadeck <boards@deck.example>' });
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  userId = (await ada.get<{ _id: string }>('/api/accounts'))._id;
  await ada.connect('github', 'ada-nowak');
  await runSync(ada, 'gh-pulls', { owner: 'ada-nowak', repo: 'dotfiles' });
});
afterAll(async () => {
  mailServer?.stop();
  await server?.remove();
});
beforeEach(() => {
  mailServer.mails.length = 0;
  mailServer.refusal = undefined;
});

async function tileOf(title: string, templateKey: string, expression: string, picture: 'chart' | 'table') {
  const { _id } = await ada.post<View>('/api/data/views', {
    title,
    description: 'For a test.',
    jsonNataQuery: expression,
    providerId: 'github',
    entityLabel: 'gh-pulls',
    templateKey,
  });
  const tile: Tile = {
    id: _id.slice(0, 8),
    kind: 'view',
    width: 6,
    height: 4,
    viewId: _id,
    picture,
    title: '',
  };
  return tile;
}

/** Lets the mail of a board start now instead of next Monday. */
async function startNow(boardId: string): Promise<void> {
  const { db, jobs } = server.product.context;
  const key = { userId, boardId };
  const singletonKey = `${userId}/${boardId}`;
  await db.transaction((tx) => jobs.replace(BOARD_MAIL_QUEUE.name, key, { singletonKey, db: tx }));
}
const jobs = () => jobsOf(server, BOARD_MAIL_QUEUE.name);
const htmlOf = (source: string) => source.replaceAll('=\r\n', '').replaceAll('=3D', '=');

describe('the weekly mail of a board', () => {
  it('has its numbers, charts as bars, rows as tables, and comes again a week later', async () => {
    const tiles = [
      await tileOf('By <state>', 'pulls-by-state', '$', 'chart'),
      await tileOf('All of them', 'pulls-all', '$count($)', 'chart'),
      await tileOf('Newest', 'pulls-all', '$[[0..2]].{"number": number, "title": title}', 'table'),
      await tileOf('Broken', 'pulls-all', '$.title + 1', 'table'),
    ];
    const board = await ada.post<Board>(BOARDS, { title: 'Reviews', tiles });
    const on = await ada.json<Board>('PUT', `${BOARDS}/${board._id}/mail`, { weekly: true });
    expect(on.weeklyMail).toBe(true);
    expect(await jobs()).toHaveLength(1);
    expect(mailServer.mails).toHaveLength(0);
    await startNow(board._id);
    await until(async () => mailServer.mails.length === 1);
    const [mail] = mailServer.mails;
    const html = htmlOf(mail?.source ?? '');
    expect(mail?.to).toEqual(['ada.nowak@sandbox.example']);
    expect(html).toContain('Subject: Your board: Reviews');
    expect(html).toContain('By &lt;state&gt;');
    expect(html).toMatch(/background:#3355dd;height:10px;width:200px/);
    expect(html).toContain('<h3>Newest</h3>');
    expect(html).toContain(`/dashboard/data/boards?board=${board._id}`);
    // One expression of the board fails; the others are there.
    expect(html).toContain('<h3>Broken</h3>');
    await until(async () => (await jobs()).length === 1);
  });

  it('is tried again when the mail server refuses it, and ends when it is switched off', async () => {
    const board = await ada.post<Board>(BOARDS, { title: 'Refused' });
    await ada.json('PUT', `${BOARDS}/${board._id}/mail`, { weekly: true });
    mailServer.refusal = '451 later';
    await startNow(board._id);
    await until(async () => (await jobs()).some(({ state }) => state === 'retry'));
    expect(mailServer.mails).toHaveLength(0);
    const off = await ada.json<Board>('PUT', `${BOARDS}/${board._id}/mail`, { weekly: false });
    expect(off.weeklyMail).toBe(false);
    mailServer.refusal = undefined;
    await startNow(board._id);
    await until(async () => (await jobs()).every(({ data }) => !JSON.stringify(data).includes(board._id)));
    expect(mailServer.mails).toHaveLength(0);
  });

  it('is tried again when the board could not be read', async () => {
    const board = await ada.post<Board>(BOARDS, { title: 'Away' });
    await ada.json('PUT', `${BOARDS}/${board._id}/mail`, { weekly: true });
    const { $client: database } = server.product.context.db;
    await database.query('alter table boards rename to boards_away');
    await startNow(board._id);
    const job = async () => (await jobs()).find(({ data }) => data.boardId === board._id);
    await until(async () => (await job())?.state === 'retry');
    await database.query('alter table boards_away rename to boards');
    await until(async () => mailServer.mails.length === 1);
    expect(mailServer.mails[0]?.source).toContain('Your board: Away');
  });

  it('is refused to others, and where no mail can be sent', async () => {
    const board = await ada.post<Board>(BOARDS, { title: 'Mine' });
    const jonas = await new Client(server).signIn('jonas.weber@sandbox.example');
    const foreign = await jonas.call('PUT', `${BOARDS}/${board._id}/mail`, { weekly: true });
    expect(foreign.status).toBe(404);
  });
});

describe('writeBoardMail', () => {
  it('writes hostile texts as text, and nothing that loads', () => {
    const hostile = '<img src=https://evil.example/x onerror=alert(1)>\u202egnp';
    const { html, text, subject } = writeBoardMail({
      title: `${hostile}\nBcc: all@example.org`,
      tiles: [
        { kind: 'text', text: hostile },
        { kind: 'rows', title: hostile, rows: [{ [hostile]: hostile }, hostile, [hostile], null], count: 4 },
        { kind: 'failure', title: hostile, message: hostile },
      ],
      url: 'https://deck.example/x',
    });
    expect(html).not.toContain('<img');
    expect(html.match(/https?:\/\//g)).toHaveLength(1 + html.split('&lt;img src=https://').length - 1);
    expect(subject).not.toMatch(/[\r\n\u202e]/);
    expect(text).not.toContain('\u202e');
  });
});
