import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ask, authorizeGithub, signInWithGoogle } from '../../../sandbox/test-support/sign-in.ts';
import { MAIL_ODDITIES } from '../control/mail-oddities.ts';
import { PULL_ODDITIES } from '../control/pull-oddities.ts';
import { type StartedSandbox, startSandbox } from '../start-sandbox.ts';
import type { FaultName } from './fault-catalogue.ts';

const EMAIL = 'ada.nowak@sandbox.example';
const REPOSITORY = 'aurora-labs/harbor';
let sandbox: StartedSandbox;
let tokens: { gmail: string; github: string };

beforeAll(async () => {
  sandbox = await startSandbox({ quotaScale: 0 });
  tokens = {
    gmail: (await signInWithGoogle(sandbox)).tokens.access_token,
    github: (await authorizeGithub(sandbox)).access_token ?? '',
  };
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.control.reset());
afterEach(() => void vi.useRealTimers());

const gmail = (path: string) => ask(`${sandbox.urls().gmailApiUrl}/gmail/v1/users/me${path}`, tokens.gmail);
const github = (path: string) => ask(`${sandbox.urls().githubApiUrl}${path}`, tokens.github);
const pulls = (query = '') => github(`/repos/${REPOSITORY}/pulls?state=all&per_page=50&sort=created${query}`);

interface List {
  messages?: { id: string }[];
  nextPageToken?: string;
}
const list = async (query = ''): Promise<List> =>
  (await gmail(`/messages?maxResults=10${query}`)).json() as Promise<List>;
const numbers = async (query = '') =>
  ((await (await pulls(query)).json()) as { number: number }[]).map(({ number }) => number);

describe('rate limit or access fault', () => {
  it.each([
    ['gmail-user-rate-limit', 403, 'userRateLimitExceeded'],
    ['gmail-rate-limit', 403, 'rateLimitExceeded'],
    ['gmail-daily-limit', 403, 'dailyLimitExceeded'],
    ['gmail-too-many-concurrent', 429, 'rateLimitExceeded'],
    ['gmail-too-many-requests', 429, 'rateLimitExceeded'],
    ['insufficient-scope', 403, 'insufficientPermissions'],
  ] as [FaultName, number, string][])(
    'responds with the status and reason of %s',
    async (name, status, reason) => {
      sandbox.control.fault({ name });
      const answer = await gmail('/labels');
      expect(answer.headers.get('retry-after')).toBe(name === 'gmail-too-many-requests' ? '1' : null);
      expect([answer.status, await answer.json()]).toMatchObject([
        status,
        { error: { code: status, errors: [{ reason }] } },
      ]);
    },
  );

  it.each([
    ['github-primary-limit', 403, '0', null, 2],
    ['github-primary-limit-retry-after', 403, '0', '1', 3600],
    ['github-reset-in-past', 403, '0', null, -30],
    ['github-secondary-limit', 403, '5000', '1', 3600],
    ['github-secondary-limit-429', 429, '5000', '1', 3600],
    ['github-secondary-limit-bare', 403, '5000', null, 3600],
  ] as [FaultName, number, string, string | null, number][])(
    'responds with the status and headers of %s',
    async (name, status, remaining, retryAfter, reset) => {
      sandbox.control.fault({ name });
      vi.useFakeTimers({ toFake: ['Date'] });
      const { headers, status: actual } = await github('/user');
      expect([actual, headers.get('x-ratelimit-remaining'), headers.get('retry-after')]).toEqual([
        status,
        remaining,
        retryAfter,
      ]);
      expect(Math.abs(Number(headers.get('x-ratelimit-reset')) - Date.now() / 1000 - reset)).toBeLessThan(3);
    },
  );

  it('skews the Date and the reset of a limit alike', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    sandbox.control.fault({ name: 'clock-skew', match: { api: 'github' }, options: { seconds: -7200 } });
    sandbox.control.fault({ name: 'github-primary-limit', options: { seconds: 60 } });
    const { headers } = await github('/user');
    const [date, reset] = [Date.parse(headers.get('date') ?? ''), headers.get('x-ratelimit-reset')];
    expect(Math.abs(Number(reset) * 1000 - date - 60_000)).toBeLessThan(3000);
    expect(Math.abs(date + 7_200_000 - Date.now())).toBeLessThan(3000);
  });

  it('requires single sign-on or blocks access', async () => {
    sandbox.control.fault({ name: 'sso-required' });
    expect((await github('/user')).headers.get('x-github-sso')).toContain('required');
    sandbox.control.fault({ name: 'access-blocked' });
    expect((await github('/user')).status).toBe(451);
  });

  it('refuses one part of a batch', async () => {
    sandbox.control.fault({ name: 'batch-part-refused' });
    const part = '--x\r\nContent-Type: application/http\r\n\r\nGET /gmail/v1/users/me/profile\r\n\r\n';
    const answer = await ask(`${sandbox.urls().gmailApiUrl}/batch/gmail/v1`, tokens.gmail, {
      method: 'POST',
      body: `${part}${part}--x--`,
      headers: { 'content-type': 'multipart/mixed; boundary=x' },
    });

    const text = await answer.text();

    expect([answer.status, text.includes('HTTP/1.1 200 OK'), text.includes('HTTP/1.1 429')]).toEqual([
      200,
      true,
      true,
    ]);
  });
});

describe('data change fault', () => {
  it('changes messages between Gmail pages without repeating any', async () => {
    const before = sandbox.control.gmail.messageIds(EMAIL).length;
    const first = await list();
    sandbox.control.fault({ name: 'insert-between-pages', match: { api: 'gmail' }, options: { count: 3 } });
    const second = await list(`&pageToken=${first.nextPageToken}`);
    expect((second.messages ?? []).filter(({ id }) => first.messages?.some((one) => one.id === id))).toEqual(
      [],
    );
    expect(sandbox.control.gmail.messageIds(EMAIL)).toHaveLength(before + 3);

    sandbox.control.fault({ name: 'delete-between-pages', match: { api: 'gmail' }, options: { count: 5 } });
    await list();
    expect(sandbox.control.gmail.messageIds(EMAIL)).toHaveLength(before - 2);
    const { historyId } = (await (await gmail('/profile')).json()) as { historyId: string };
    sandbox.control.fault({ name: 'update-between-pages', match: { api: 'gmail' } });
    await list();
    expect(await (await gmail(`/history?startHistoryId=${historyId}`)).json()).toHaveProperty('history');
  });

  it('changes pull requests between GitHub pages, which shifts the pages', async () => {
    const first = await numbers('&page=1');
    sandbox.control.fault({ name: 'insert-between-pages', match: { api: 'github' }, options: { count: 2 } });
    expect((await numbers('&page=2')).filter((number) => first.includes(number))).toHaveLength(2);
    sandbox.control.fault({ name: 'delete-between-pages', match: { api: 'github' }, options: { count: 4 } });
    expect((await numbers('&page=2')).filter((number) => first.includes(number))).toHaveLength(0);
    sandbox.control.fault({ name: 'update-between-pages', match: { api: 'github' } });
    const updated = (await (
      await github(`/repos/${REPOSITORY}/pulls?state=all&sort=updated&direction=desc`)
    ).json()) as { title: string }[];
    expect(updated[0]?.title).toBe('Changed between two pages');
  });

  it('expires or repeats a page token and empties a page', async () => {
    const { nextPageToken } = await list();
    sandbox.control.fault({ name: 'page-token-expired' });
    expect((await gmail(`/messages?pageToken=${nextPageToken}`)).status).toBe(400);

    sandbox.control.fault({ name: 'page-token-loop', match: { api: 'gmail' } });
    expect((await list(`&pageToken=${nextPageToken}`)).nextPageToken).toBe(nextPageToken);
    sandbox.control.fault({ name: 'empty-page-with-next', match: { api: 'gmail' } });
    const empty = await list();
    expect([empty.messages, typeof empty.nextPageToken]).toEqual([undefined, 'string']);
    expect((await list(`&pageToken=${empty.nextPageToken}`)).messages).toHaveLength(10);

    sandbox.control.fault({ name: 'page-token-loop', match: { api: 'github' } });
    expect((await pulls('&page=2')).headers.get('link')).toMatch(/[?&]page=2>; rel="next"/);
    sandbox.control.fault({ name: 'empty-page-with-next', match: { api: 'github' } });
    const page = await pulls();
    expect([await page.json(), page.headers.get('link')?.includes('rel="next"')]).toEqual([[], true]);
  });

  it('shortens pages and cycles page tokens', async () => {
    sandbox.control.fault({ name: 'short-page', times: Number.POSITIVE_INFINITY, options: { count: 3 } });
    const first = await list();
    expect(first.messages).toHaveLength(3);
    const second = await list(`&pageToken=${first.nextPageToken}`);
    expect(second.messages).toHaveLength(3);
    sandbox.control.fault({ name: 'page-token-cycle', times: Number.POSITIVE_INFINITY });
    const third = await list(`&pageToken=${second.nextPageToken}`);
    const fourth = await list(`&pageToken=${third.nextPageToken}`);
    expect([fourth.messages, fourth.nextPageToken]).toEqual([first.messages, first.nextPageToken]);
  });

  it('expires or repeats history and deletes a message', async () => {
    const { historyId } = (await (await gmail('/profile')).json()) as { historyId: string };
    sandbox.control.gmail.insert(EMAIL);
    sandbox.control.gmail.insert(EMAIL);
    sandbox.control.fault({ name: 'history-repeats' });
    const { history } = (await (await gmail(`/history?startHistoryId=${historyId}`)).json()) as {
      history: { id: string }[];
    };
    expect(history).toHaveLength(4);
    expect(Number(history[0]?.id)).toBeGreaterThan(Number(history[1]?.id));

    sandbox.control.fault({ name: 'history-gone' });
    expect((await gmail(`/history?startHistoryId=${historyId}`)).status).toBe(404);
    const [id = ''] = sandbox.control.gmail.messageIds(EMAIL);
    sandbox.control.fault({ name: 'message-gone' });
    expect([(await gmail(`/messages/${id}`)).status, (await gmail(`/messages/${id}`)).status]).toEqual([
      404, 200,
    ]);
  });

  it('renames or deletes a label', async () => {
    sandbox.control.fault({ name: 'label-renamed', options: { name: 'Hafen' } });
    expect(await (await gmail('/labels')).text()).toContain('"Hafen"');
    sandbox.control.fault({ name: 'label-deleted' });
    expect((await gmail('/labels/Label_1')).status).toBe(404);
    expect((await gmail('/messages?labelIds=Label_1')).status).toBe(400);
  });

  it.each([
    ['repo-renamed', 301],
    ['repo-deleted', 404],
    ['repo-private', 404],
  ] as [FaultName, number][])('changes the repository between pages: %s', async (name, status) => {
    sandbox.control.fault({ name, afterRequests: 1 });
    expect([
      (await pulls()).status,
      (await pulls('&page=2')).status,
      (await pulls('&page=3')).status,
    ]).toEqual([200, status, status]);
  });
});

describe('payload fault', () => {
  it('damages, omits or adds fields of a payload', async () => {
    const id = sandbox.control.gmail.insert(EMAIL, { text: 'Text of the message' });
    const read = async () =>
      (await (await gmail(`/messages/${id}`)).json()) as { payload?: { body?: { data: string } } };
    sandbox.control.fault({ name: 'bad-base64url' });
    expect((await read()).payload?.body?.data).toMatch(/[%*]/);

    sandbox.control.fault({ name: 'missing-body' });
    expect((await read()).payload?.body).toBeUndefined();
    sandbox.control.fault({ name: 'missing-payload' });
    expect((await read()).payload).toBeUndefined();

    sandbox.control.fault({ name: 'unknown-field', match: { api: 'gmail' } });
    expect(await read()).toHaveProperty('classificationLabelValues');
    sandbox.control.fault({ name: 'unknown-field', match: { api: 'github' } });
    expect(await (await pulls()).text()).toContain('merge_forecast');
  });

  it.each(MAIL_ODDITIES)('inserts a malformed message: %s', async (oddity) => {
    const id = sandbox.control.gmail.insertOddity(EMAIL, oddity);
    for (const format of ['full', 'metadata', 'raw']) {
      const answer = await gmail(`/messages/${id}?format=${format}`);
      expect([answer.status, await answer.json()]).toMatchObject([200, { id }]);
    }
  });

  it.each(PULL_ODDITIES)('inserts a malformed pull request: %s', async (oddity) => {
    const number = sandbox.control.github.insertOddity(REPOSITORY, oddity);
    const answer = await github(`/repos/${REPOSITORY}/pulls/${number}`);
    expect([answer.status, await answer.json()]).toMatchObject([200, { number }]);
    expect((await pulls()).status).toBe(200);
  });
});
