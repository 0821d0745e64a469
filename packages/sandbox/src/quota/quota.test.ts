import { type SandboxOptions, type StartedSandbox, startSandbox } from '@datadeck/test-sandbox';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ask, authorizeGithub, signInWithGoogle } from '../../test-support/sign-in.ts';

let sandbox: StartedSandbox;
// Fake the clock, so that no quota window ends on a busy machine.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => {
  vi.useRealTimers();
  return sandbox.close();
});

const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

async function openGmail(options: Omit<SandboxOptions, 'baseUrl'>) {
  sandbox = await startSandbox(options);
  const { tokens } = await signInWithGoogle(sandbox);
  return (path: string) => ask(`${sandbox.urls().gmailApiUrl}/gmail/v1/users/me${path}`, tokens.access_token);
}

async function openGithub(options: Omit<SandboxOptions, 'baseUrl'>) {
  sandbox = await startSandbox(options);
  const { access_token: token = '' } = await authorizeGithub(sandbox);
  return (path: string) => ask(`${sandbox.urls().githubApiUrl}${path}`, token);
}

async function statusesOf(count: number, request: () => Promise<Response>): Promise<Record<number, number>> {
  const answers = await Promise.all(Array.from({ length: count }, request));
  const tally: Record<number, number> = {};
  for (const { status } of answers) tally[status] = (tally[status] ?? 0) + 1;
  return tally;
}

/** Keeps this many one-unit requests in flight until the returned function is called. */
async function occupy(count: number, request: () => Promise<Response>) {
  const { control } = sandbox;
  const late = control.fault({ name: 'latency', times: count, options: { milliseconds: 60_000 } });
  control.resetCounters();
  const answered = statusesOf(count, request);
  await vi.waitFor(() => expect(Object.values(control.counters().units)).toEqual([count]), 30_000);
  return () => {
    late.remove();
    return answered;
  };
}

describe('Gmail quota', () => {
  // @covers limits.units-both-quotas
  it('counts the units of each method', async () => {
    const get = await openGmail({});
    const [id = ''] = sandbox.control.gmail.messageIds('ada.nowak@sandbox.example');
    const costs: [string, number][] = [
      ['/labels', 1],
      ['/labels/INBOX', 1],
      ['/profile', 1],
      ['/history?startHistoryId=1', 2],
      ['/messages', 5],
      ['/threads', 10],
      [`/messages/${id}`, 20],
    ];
    for (const [path, units] of costs) {
      sandbox.control.resetCounters();
      await get(path);
      expect(sandbox.control.counters().units).toEqual({ 'gmail ada.nowak@sandbox.example': units });
    }
  });

  it('refuses requests with userRateLimitExceeded until the minute ends', async () => {
    const get = await openGmail({ quotaScale: 0.01, quotaTimeScale: 60 });
    const [id = ''] = sandbox.control.gmail.messageIds('ada.nowak@sandbox.example');
    const statuses: number[] = [];
    for (let count = 0; count < 4; count += 1)
      statuses.push((await get(`/messages/${id}?format=minimal`)).status);
    expect(statuses).toEqual([200, 200, 200, 403]);

    const refused = await get('/messages');
    expect(await refused.json()).toMatchObject({
      error: { code: 403, errors: [{ domain: 'usageLimits', reason: 'userRateLimitExceeded' }] },
    });

    later(999);
    expect((await get('/messages')).status).toBe(403);
    later(1);
    expect((await get('/messages')).status).toBe(200);
  });

  it('refuses more than 50 concurrent requests with 429', async () => {
    const get = await openGmail({});
    const leave = await occupy(50, () => get('/labels'));
    expect(await statusesOf(20, () => get('/labels'))).toEqual({ 429: 20 });
    expect(sandbox.control.counters().mostInFlight.gmail).toBeGreaterThan(50);
    expect(await leave()).toEqual({ 200: 50 });
    await vi.waitFor(async () => expect((await get('/labels')).status).toBe(200), 30_000);
  });
});

describe('GitHub quota', () => {
  // @covers limits.units-both-quotas
  it('refuses requests until the reset of the hour, except GET /rate_limit', async () => {
    const get = await openGithub({ quotaScale: 0.001, quotaTimeScale: 1800 });
    // At this scale, one point per minute is also allowed, and a minute takes 33 ms.
    const nextPoint = () => later(40);
    const first = await get('/user');
    expect(first.headers.get('x-ratelimit-remaining')).toBe('4');

    for (let count = 0; count < 4; count += 1) {
      nextPoint();
      await get('/user');
    }
    nextPoint();
    const refused = await get('/user');
    expect([refused.status, refused.headers.get('x-ratelimit-remaining')]).toEqual([403, '0']);
    expect(await refused.json()).toMatchObject({
      message: expect.stringMatching(/^API rate limit exceeded for user ID/),
    });

    nextPoint();
    expect((await get('/rate_limit')).status).toBe(200);
    const reset = Number(refused.headers.get('x-ratelimit-reset')) * 1000;
    vi.setSystemTime(reset);
    expect((await get('/user')).status).toBe(200);
  });

  it('limits points per minute and concurrent requests', async () => {
    const get = await openGithub({ quotaScale: 0.02, quotaTimeScale: 1 });
    const tally = await statusesOf(1, () => get('/user'));
    expect(tally).toEqual({ 200: 1 });

    for (let count = 0; count < 17; count += 1) await get('/rate_limit');
    const refused = await get('/rate_limit');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([403, '60']);
    expect(await refused.json()).toMatchObject({ message: expect.stringMatching(/secondary rate limit/) });

    await sandbox.close();
    const crowded = await openGithub({});
    const leave = await occupy(100, () => crowded('/user'));
    expect(await statusesOf(20, () => crowded('/rate_limit'))).toEqual({ 403: 20 });
    expect(await leave()).toEqual({ 200: 100 });
    await vi.waitFor(async () => expect((await crowded('/rate_limit')).status).toBe(200), 30_000);
  });

  it('refuses nothing with the quota disabled', async () => {
    const get = await openGithub({ quotaScale: 0 });
    expect(await statusesOf(300, () => get('/rate_limit'))).toEqual({ 200: 300 });
  });
});
