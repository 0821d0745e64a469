import type { Template } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import { runSync } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';

type Row = Record<string, unknown>;

interface Message {
  id: string;
  threadId: string;
  labelIds: string[];
  date: string;
  from: { name: string; address: string };
  subject: string;
  attachments: unknown[];
}

interface Pull {
  id: number;
  number: number;
  title: string;
  state: string;
  draft?: boolean;
  user: { login: string } | null;
  created_at: string;
  merged_at: string | null;
  labels?: { name: string }[];
  requested_reviewers?: { login: string }[];
  requested_teams?: { name: string }[];
  base: { repo: { full_name: string } };
}

interface Label {
  id: string;
  name: string;
  type: string;
  messagesTotal: number;
  messagesUnread: number;
  threadsTotal: number;
}

const PAGE = 20;
const ADA = 'ada.nowak@sandbox.example';
const ENTITIES = { 'gmail-labels': 'google', 'gmail-messages': 'google', 'gh-pulls': 'github' } as const;
let server: TestServer;
let ada: Client;
let labels: Label[];
let messages: Message[];
let pulls: Pull[];

/** Reads all rows of a template page by page. The count must be correct and only the last page may be short. */
async function rowsOf(entity: string, template: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page++) {
    const path = `/api/integrations/entities/aggregation/${entity}/${template}?page=${page}`;
    const { results, count } = await ada.get<{ results: Row[]; count: number }>(path);
    rows.push(...results);
    expect(results.length).toBe(Math.max(0, Math.min(PAGE, count - (page - 1) * PAGE)));
    if (rows.length === count) return rows;
  }
}

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await ada.connect('google', 'ada.nowak@sandbox.example');
  await ada.connect('github', 'ada-nowak');
  for (const odd of ['no-headers', 'no-subject', 'emoji', 'no-date'] as const)
    server.control.gmail.insertOddity('ada.nowak@sandbox.example', odd);
  for (const odd of ['null-author', 'missing-fields', 'unknown-state', 'odd-date', 'lone-surrogate'] as const)
    server.control.github.insertOddity('aurora-labs/harbor', odd);
  const runs = [
    await runSync(ada, 'gmail-labels'),
    await runSync(ada, 'gmail-messages', { labelIds: 'INBOX,SENT' }),
    await runSync(ada, 'gh-pulls', { owner: 'aurora-labs', repo: 'harbor' }),
    await runSync(ada, 'gh-pulls', { owner: 'ada-nowak', repo: 'dotfiles' }),
  ];
  for (const run of runs) expect(run).toMatchObject({ status: 'finished' });
  labels = (await rowsOf('gmail-labels', 'labels-all')) as unknown as Label[];
  messages = (await rowsOf('gmail-messages', 'messages-all')) as unknown as Message[];
  pulls = (await rowsOf('gh-pulls', 'pulls-all')) as unknown as Pull[];
});
afterAll(() => server?.remove());

function groupsBy<T>(items: readonly T[], keysOf: (item: T) => readonly string[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items)
    for (const key of keysOf(item)) groups.set(key, [...(groups.get(key) ?? []), item]);
  return groups;
}

/** Expects these rows in any order, and that the rows are sorted by the value in descending order. */
function expectRows(
  rows: readonly Row[],
  expected: readonly Row[],
  descendingBy: (row: Row) => number,
): void {
  const sorted = (list: readonly Row[]) =>
    list.map((row) => JSON.stringify(row, Object.keys(row).sort())).sort();
  expect(sorted(rows)).toEqual(sorted(expected));
  const values = rows.map(descendingBy);
  expect(values).toEqual([...values].sort((a, b) => b - a));
}

const count = (field: string) => (row: Row) => Number(row[field]);
const monthNumber = (row: Row) => Number(String(row.month).replace('-', ''));
const second = (date: string | undefined) => `${(date ?? '').slice(0, 19)}Z`;
const distinct = (values: readonly string[]) => [...new Set(values)].sort();

describe('the list of templates', () => {
  it('contains 21 templates with distinct titles and descriptions', async () => {
    const all: Template[] = [];
    for (const [entity, provider] of Object.entries(ENTITIES))
      all.push(...(await ada.get<Template[]>(`/api/integrations/entities/templates/${provider}/${entity}`)));
    expect(all).toHaveLength(21);
    expect(new Set(all.map((template) => template.title)).size).toBe(21);
    expect(new Set(all.map((template) => template.description)).size).toBe(21);
    for (const template of all) expect(template.description).toMatch(/^[A-Z].{20,}\.$/);
  });

  it('returns 404 for an unknown entity or template', async () => {
    for (const path of [
      'templates/google/gh-nothing',
      'aggregation/gmail-messages/messages-nothing',
      'aggregation/gmail-messages/pulls-all',
    ])
      expect((await ada.call('GET', `/api/integrations/entities/${path}`)).status).toBe(404);
  });

  it('contains templates whose pages have each row exactly once', async () => {
    for (const [entity, provider] of Object.entries(ENTITIES)) {
      const templates = await ada.get<Template[]>(
        `/api/integrations/entities/templates/${provider}/${entity}`,
      );
      for (const { templateKey } of templates) {
        const rows = await rowsOf(entity, templateKey);
        expect(rows.length, templateKey).toBeGreaterThan(0);
        expect(new Set(rows.map((row) => JSON.stringify(row))).size, templateKey).toBe(rows.length);
        const path = `/api/integrations/entities/aggregation/${entity}/${templateKey}?page=${Math.ceil(rows.length / PAGE) + 1}`;
        expect(await ada.get(path)).toEqual({ results: [], count: rows.length });
      }
    }
  });
});

describe('a template of labels', () => {
  it('lists the labels of Gmail before those of the user', () => {
    expect(new Set(labels.map(({ id }) => id)).size).toBe(10);
    const types = labels.map(({ type }) => type);
    expect(types).toEqual([...types].sort());
  });

  it('groups by type', async () => {
    const expected = [...groupsBy(labels, ({ type }) => [type])].map(([type, of]) => ({
      type,
      labels: of.length,
      names: of.map(({ name }) => name).sort(),
    }));
    expectRows(await rowsOf('gmail-labels', 'labels-by-type'), expected, count('labels'));
  });

  it('counts messages', async () => {
    const expected = labels.map((label) => ({
      id: label.id,
      name: label.name,
      type: label.type,
      messages: label.messagesTotal,
      unread: label.messagesUnread,
      threads: label.threadsTotal,
      account: ADA,
    }));
    expectRows(await rowsOf('gmail-labels', 'labels-message-counts'), expected, count('messages'));
  });
});

describe('a template of messages', () => {
  const senderOf = ({ from }: Message) => from.address.toLowerCase() || from.name;
  const domainOf = ({ from }: Message) => from.address.toLowerCase().split('@')[1] ?? '';
  const unreadOf = (list: readonly Message[]) => list.filter(({ labelIds }) => labelIds.includes('UNREAD'));
  const nameOf = (list: readonly Message[]) =>
    list
      .map(({ from }) => from.name)
      .sort()
      .at(-1) ?? '';
  const datesOf = (list: readonly Message[]) => list.map(({ date }) => date).sort();
  const firstOf = (list: readonly Message[]) => second(datesOf(list)[0]);
  const lastOf = (list: readonly Message[]) => second(datesOf(list).at(-1));
  const time = (field: string) => (row: Row) => Date.parse(String(row[field]));

  it('lists the messages of the synced labels, newest first', () => {
    expect(messages.length).toBeGreaterThan(100);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
    const dates = messages.map(({ date }) => date);
    expect(dates).toEqual([...dates].sort().reverse());
    for (const { labelIds } of messages)
      expect(labelIds.some((id) => ['INBOX', 'SENT'].includes(id))).toBe(true);
  });

  it('groups by sender', async () => {
    const expected = [...groupsBy(messages, (message) => [senderOf(message)])].map(([sender, of]) => ({
      sender,
      name: nameOf(of),
      messages: of.length,
      unread: unreadOf(of).length,
      first: firstOf(of),
      last: lastOf(of),
    }));
    expectRows(await rowsOf('gmail-messages', 'messages-by-sender'), expected, count('messages'));
  });

  it('groups by sender domain', async () => {
    const expected = [...groupsBy(messages, (message) => [domainOf(message)])].map(([domain, of]) => ({
      domain,
      messages: of.length,
      senders: new Set(of.map(senderOf)).size,
    }));
    expectRows(await rowsOf('gmail-messages', 'messages-by-domain'), expected, count('messages'));
  });

  it('groups by label', async () => {
    const expected = [...groupsBy(messages, ({ labelIds }) => labelIds)].map(([label, of]) => ({
      label,
      name: labels.find(({ id }) => id === label)?.name ?? label,
      messages: of.length,
      unread: unreadOf(of).length,
      newest: lastOf(of),
      account: ADA,
    }));
    expectRows(await rowsOf('gmail-messages', 'messages-by-label'), expected, count('messages'));
  });

  it('groups by month', async () => {
    const expected = [...groupsBy(messages, ({ date }) => [date.slice(0, 7)])].map(([month, of]) => ({
      month,
      messages: of.length,
      senders: new Set(of.map(senderOf)).size,
    }));
    expectRows(await rowsOf('gmail-messages', 'messages-by-month'), expected, monthNumber);
  });

  it('groups by weekday and hour', async () => {
    const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
    const keyOf = ({ date }: Message) => {
      const at = new Date(date);
      return JSON.stringify([at.getUTCDay() || 7, at.getUTCHours()]);
    };
    const expected = [...groupsBy(messages, (message) => [keyOf(message)])].map(([key, of]) => {
      const [weekday, hour] = JSON.parse(key) as [number, number];
      return { weekday, day: days[weekday - 1], hour, messages: of.length };
    });
    const rising = (row: Row) => -(Number(row.weekday) * 24 + Number(row.hour));
    expectRows(await rowsOf('gmail-messages', 'messages-by-hour'), expected, rising);
  });

  it('groups by thread', async () => {
    const expected = [...groupsBy(messages, ({ threadId }) => [threadId])].map(([thread, of]) => ({
      thread,
      subject: [...of].sort((a, b) => (a.date + a.id < b.date + b.id ? -1 : 1))[0]?.subject,
      messages: of.length,
      unread: unreadOf(of).length,
      participants: distinct(of.map(senderOf)),
      first: firstOf(of),
      last: lastOf(of),
      account: ADA,
    }));
    const rows = await rowsOf('gmail-messages', 'messages-threads');
    const sorted = rows.map((row) => ({ ...row, participants: distinct(row.participants as string[]) }));
    expectRows(sorted, expected, time('last'));
  });

  it('lists messages with attachments', async () => {
    const expected = messages
      .filter(({ attachments }) => attachments.length > 0)
      .map((message) => ({
        id: message.id,
        date: second(message.date),
        sender: senderOf(message),
        subject: message.subject,
        files: message.attachments.length,
        attachments: message.attachments,
        account: ADA,
      }));
    expect(expected.length).toBeGreaterThan(0);
    expectRows(await rowsOf('gmail-messages', 'messages-attachments'), expected, time('date'));
  });

  it('groups unread messages by sender', async () => {
    const expected = [...groupsBy(unreadOf(messages), (message) => [senderOf(message)])].map(
      ([sender, of]) => ({
        sender,
        name: nameOf(of),
        unread: of.length,
        newest: lastOf(of),
      }),
    );
    expectRows(await rowsOf('gmail-messages', 'messages-unread-by-sender'), expected, count('unread'));
  });
});

describe('a template of pull requests', () => {
  const stateOf = (pull: Pull) => (pull.merged_at ? 'merged' : pull.state);
  const authorOf = (pull: Pull) => pull.user?.login ?? 'ghost';
  const inState = (list: readonly Pull[], state: string) =>
    list.filter((pull) => stateOf(pull) === state).length;
  const reviewersOf = (pull: Pull) => [
    ...(pull.requested_reviewers ?? []).map(({ login }) => login),
    ...(pull.requested_teams ?? []).map(({ name }) => `team ${name}`),
  ];

  it('lists those of both repositories including odd ones, newest first', () => {
    expect(pulls.length).toBeGreaterThan(265);
    expect(new Set(pulls.map(({ id }) => id)).size).toBe(pulls.length);
    const times = pulls.map(({ created_at }) => Date.parse(created_at));
    expect(times).toEqual([...times].sort((a, b) => b - a));
  });

  it('groups by author', async () => {
    const expected = [...groupsBy(pulls, (pull) => [authorOf(pull)])].map(([author, of]) => ({
      author,
      pulls: of.length,
      open: inState(of, 'open'),
      merged: inState(of, 'merged'),
      closed: inState(of, 'closed'),
    }));
    expectRows(await rowsOf('gh-pulls', 'pulls-by-author'), expected, count('pulls'));
  });

  it('groups by state', async () => {
    const expected = [...groupsBy(pulls, (pull) => [stateOf(pull)])].map(([state, of]) => ({
      state,
      pulls: of.length,
      drafts: of.filter(({ draft }) => draft).length,
    }));
    expectRows(await rowsOf('gh-pulls', 'pulls-by-state'), expected, count('pulls'));
  });

  it('lists open ones by age', async () => {
    const open = pulls.filter((pull) => stateOf(pull) === 'open');
    const ageOf = ({ created_at }: Pull, at: number) =>
      Math.floor((at - Date.parse(created_at)) / 86_400_000);
    const [asked, rows] = [Date.now(), await rowsOf('gh-pulls', 'pulls-open-by-age')]; // A day may end now.
    const shown = new Map(rows.map(({ number, ageDays }) => [number, ageDays]));
    const isOf = (at: number) => open.every((pull) => shown.get(pull.number) === ageOf(pull, at));
    const expected = open.map((pull) => ({
      number: pull.number,
      title: pull.title.toWellFormed(),
      author: authorOf(pull),
      repository: pull.base.repo.full_name,
      created: pull.created_at,
      draft: pull.draft ?? false,
      ageDays: ageOf(pull, isOf(asked) ? asked : Date.now()),
      account: 'ada-nowak',
    }));
    expectRows(rows, expected, count('ageDays'));
  });

  it('lists those that wait for each reviewer', async () => {
    const rows = await rowsOf('gh-pulls', 'pulls-waiting');
    const expected = pulls
      .filter((pull) => stateOf(pull) === 'open')
      .flatMap((pull) =>
        reviewersOf(pull).map((reviewer) => `${reviewer} ${pull.base.repo.full_name} ${pull.number}`),
      );
    expect(expected.length).toBeGreaterThan(0);
    expect(rows.map((row) => `${row.reviewer} ${row.repository} ${row.number}`).sort()).toEqual(
      expected.sort(),
    );
    const times = rows.map(({ created }) => Date.parse(String(created)));
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  it('computes percentiles of the time to merge by month', async () => {
    const merged = pulls.flatMap(({ created_at, merged_at }) =>
      merged_at ? [{ created_at, merged_at }] : [],
    );
    const rows = await rowsOf('gh-pulls', 'pulls-time-to-merge');
    const groups = groupsBy(merged, ({ merged_at }) => [merged_at.slice(0, 7)]);

    expect(rows.map(({ month }) => month)).toEqual([...groups.keys()].sort().reverse());
    for (const row of rows) {
      const hours = (groups.get(String(row.month)) ?? [])
        .map((pull) => (Date.parse(pull.merged_at) - Date.parse(pull.created_at)) / 3_600_000)
        .sort((a, b) => a - b);
      const percentile = (share: number) => {
        const at = (hours.length - 1) * share;
        const [low = 0, high = 0] = [hours[Math.floor(at)], hours[Math.ceil(at)]];
        return low + (high - low) * (at - Math.floor(at));
      };
      expect(row.merged).toBe(hours.length);
      expect(Math.abs(Number(row.medianHours) - percentile(0.5))).toBeLessThan(0.0501);
      expect(Math.abs(Number(row.p90Hours) - percentile(0.9))).toBeLessThan(0.0501);
    }
  });

  it('groups by label', async () => {
    const groups = groupsBy(pulls, (pull) => (pull.labels ?? []).map(({ name }) => name));
    const expected = [...groups].map(([label, of]) => ({
      label,
      pulls: of.length,
      open: inState(of, 'open'),
      merged: inState(of, 'merged'),
    }));
    expectRows(await rowsOf('gh-pulls', 'pulls-by-label'), expected, count('pulls'));
  });

  it('counts review requests by reviewer', async () => {
    const expected = [...groupsBy(pulls, reviewersOf)].map(([reviewer, of]) => ({
      reviewer,
      requests: of.length,
      open: inState(of, 'open'),
    }));
    const rows = await rowsOf('gh-pulls', 'pulls-review-requests');
    expectRows(rows, expected, (row) => Number(row.open) * 10_000 + Number(row.requests));
  });

  it('groups by repository and month', async () => {
    const keyOf = (pull: Pull) => `${pull.base.repo.full_name} ${pull.created_at.slice(0, 7)}`;
    const expected = [...groupsBy(pulls, (pull) => [keyOf(pull)])].map(([key, of]) => ({
      repository: key.split(' ')[0],
      month: key.split(' ')[1],
      opened: of.length,
      merged: inState(of, 'merged'),
    }));
    expectRows(await rowsOf('gh-pulls', 'pulls-by-month'), expected, monthNumber);
  });
});
