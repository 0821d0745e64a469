import type { AlertMessage, Alerts, SavedAlert } from '@datadeck/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { HookServer } from '../../../test-support/hook-server.ts';
import { shareServer } from '../../../test-support/shared-server.ts';
import { awaitEnd, startSync, until } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';
import { comparisonTime } from './queue.ts';

const ALERTS = '/api/data/alerts';
const DOTFILES = { owner: 'ada-nowak', repo: 'dotfiles' };
const PULLS = { providerId: 'github', entityLabel: 'gh-pulls' };
const CHOSEN = { kinds: ['appeared', 'disappeared'], digest: 'each', bell: false, email: false };
let server: TestServer;
let hook: HookServer;
let ada: Client;
let viewId: string;

beforeAll(async () => {
  hook = await new HookServer().start();
  server = await shareServer();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await ada.connect('github', 'ada-nowak');
  await sync();
  const texts = { title: 'All', description: 'd', jsonNataQuery: '$', templateKey: 'pulls-all' };
  viewId = (await ada.post<{ _id: string }>('/api/data/views', { ...texts, ...PULLS }))._id;
});
afterEach(async () => {
  for (const { _id } of (await ada.get<Alerts>(ALERTS)).results) await ada.call('DELETE', `${ALERTS}/${_id}`);
  hook.hits.length = 0;
});
afterAll(async () => {
  hook?.stop();
  await server?.remove();
});

async function sync(): Promise<void> {
  await awaitEnd(ada, (await startSync(ada, 'gh-pulls', DOTFILES))._id);
}

function watch(rowText: string): Promise<SavedAlert> {
  return ada.post<SavedAlert>(ALERTS, { ...CHOSEN, viewId, webhookUrl: hook.url, rowText });
}

/** Returns what a test with the first rows of the view sends. */
async function tried(rowText: string): Promise<AlertMessage['changes']> {
  const { _id } = await watch(rowText);
  await ada.post(`${ALERTS}/${_id}/test?rows=current`);
  return (JSON.parse(hook.hits[0]?.body ?? '') as AlertMessage).changes;
}

describe('the text of a row', () => {
  it('is written from the whole row, for real changes too', async () => {
    const { _id } = await watch('title & " by " & user.login & " on " & head.ref');
    await until(async () => (await ada.get<Alerts>(ALERTS)).results[0]?.comparedAt !== null);
    const number = server.control.github.insertPull('ada-nowak/dotfiles');
    server.control.github.changePull('ada-nowak/dotfiles', number, { title: 'Mend it' });
    await sync();
    await until(() => hook.hits.length > 0);
    const { changes } = JSON.parse(hook.hits[0]?.body ?? '') as AlertMessage;
    expect(changes.rows[0]?.text).toMatch(/^Mend it by \S+ on \S+$/);
    expect((await ada.get<Alerts>(ALERTS)).results[0]).toMatchObject({ _id, rowText: /head\.ref$/ });
  });

  it.each<[string, RegExp]>([
    ['number', /^\d+$/],
    ['/* a note */ $uppercase(state)', /^[A-Z]+$/],
    ['[number, state]', /^\[\d+,"\w+"\]$/],
    ['{"n": number}', /^\{"n":\d+\}$/],
    ['title & "\n- forged line"', /^.+ - forged line$/],
    ['$pad("", 2000, "x")', /^x{499}…$/],
    ['( $n := number;\n $n > 0 )', /^true$/],
    ['$join(labels.name, ", ") & "!"', /!$/],
  ])('may be any value: %s', async (rowText, text) => {
    const { rows } = await tried(rowText);
    expect(rows).toHaveLength(5);
    for (const row of rows) expect(row.text).toMatch(text);
  });

  it('keeps the usual text of a row for which the expression has no value', async () => {
    for (const nothing of ['nothing_of_this_name', '" "', 'absent & "\t\n"']) {
      const { rows: same } = await tried(nothing);
      expect(same.map(({ text }) => text)).toEqual(Array.from({ length: 5 }, () => undefined));
      hook.hits.length = 0;
    }
    const { rows } = await tried('nothing_of_this_name');
    expect(rows.map(({ text, record }) => [text, record !== undefined])).toEqual(
      Array.from({ length: 5 }, () => [undefined, true]),
    );
    hook.hits.length = 0;
    const { number } = rows.map(({ row }) => row as { number: number })[0] ?? { number: 0 };
    const some = await tried(`number = ${number} ? "this one" : null`);
    expect(some.rows.map(({ text }) => text)).toEqual([
      'this one',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each([
    ['$error("Nothing works")', 'Nothing works'],
    ['title.$number()', ''],
    ['( $f := function() { $f() }; $f() )', ''],
  ])('says why it failed, and sends the message: %s', async (rowText, reason) => {
    const { rows, textProblem } = await tried(rowText);
    expect(rows).toHaveLength(5);
    expect(textProblem).toContain(reason);
    for (const row of rows) expect(row.text).toBeUndefined();
  });

  it.each([
    ['unfinished', 'title &'],
    ['of two parts', 'title) & (state'],
    ['an open comment', '/* open'],
    ['too long', 'x'.repeat(2001)],
  ])('is refused when it cannot be an expression: %s', async (_, rowText) => {
    const answer = await ada.call('POST', ALERTS, { ...CHOSEN, viewId, webhookUrl: hook.url, rowText });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(await answer.json())).toContain('rowText');
  });
});

describe('a daily message', () => {
  const alert = {
    digest: 'daily',
    dataKey: 'k',
    snoozedUntil: null,
    createdAt: new Date('2026-01-01T03:04:05Z'),
  } as const;

  it.each(['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Apia'])(
    'is due at its hour of each day in %s',
    (timeZone) => {
      const clock = new Intl.DateTimeFormat('en', {
        timeZone,
        hour: 'numeric',
        minute: 'numeric',
        hourCycle: 'h23',
      });
      for (let day = 0; day < 365; day += 3) {
        const now = new Date(Date.UTC(2026, 0, 1 + day, (day * 7) % 24, day % 60));
        // Some hours are missing on the day when summer time begins; noon never is.
        for (const digestHour of [0, 6, 12, 23]) {
          const due = comparisonTime({ ...alert, digestHour }, { isNow: false, timeZone, now }) as Date;
          expect(due.getTime()).toBeGreaterThan(now.getTime());
          expect(due.getTime() - now.getTime()).toBeLessThanOrEqual(25 * 3_600_000);
          if (digestHour === 12) expect(clock.format(due)).toBe('12:00');
        }
      }
    },
  );

  it('stays at the time of day at which it was created without an hour', () => {
    const now = new Date('2026-02-01T12:00:00Z');
    expect(comparisonTime({ ...alert, digestHour: null }, { isNow: false, timeZone: 'UTC', now })).toEqual(
      new Date('2026-02-02T03:04:05Z'),
    );
  });
});
