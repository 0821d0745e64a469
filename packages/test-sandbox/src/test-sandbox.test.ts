import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ask, signInWithGoogle } from '../../sandbox/test-support/sign-in.ts';
import { FAULTS, type StartedSandbox, startSandbox } from './index.ts';

describe('control over HTTP', () => {
  it('injects faults, runs actions and counts requests from this machine only', async () => {
    const sandbox = await startSandbox({});
    const post = (path: string, body: unknown, headers = {}) =>
      fetch(`${sandbox.url}/control${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    const fault = { name: 'http-503', match: { api: 'github', path: 'rate_limit' }, times: 2 };
    expect(await (await post('/faults', fault)).json()).toMatchObject({ ...fault, hits: 0 });
    expect((await fetch(`${sandbox.urls().githubApiUrl}/rate_limit`)).status).toBe(503);
    expect(await (await fetch(`${sandbox.url}/control/faults`)).json()).toMatchObject([{ hits: 1 }]);
    expect(await (await fetch(`${sandbox.url}/control/counters`)).json()).toMatchObject({
      statuses: { 'github 503': 1 },
    });

    const inserted = await post('/actions', {
      target: 'gmail.insert',
      arguments: ['ada.nowak@sandbox.example', { subject: 'Hi' }],
    });
    expect(await inserted.json()).toEqual({ result: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect((await post('/faults', { name: 'no-such-fault' })).status).toBe(400);
    expect((await post('/actions', { target: 'gmail.constructor' })).status).toBe(400);
    expect((await post('/reset', {}, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await post('/reset', {}, { 'x-forwarded-for': '10.0.0.1' })).status).toBe(403);
    expect((await post('/reset', {})).status).toBe(204);
    expect(await (await fetch(`${sandbox.url}/control/faults`)).json()).toEqual([]);
    await sandbox.close();
  });
});

describe('synthetic data', () => {
  it('has the requested number of complete records', async () => {
    const sandbox = await startSandbox({ synthetic: { messages: 20_000, pulls: 100_000 }, quotaScale: 0 });
    const { tokens } = await signInWithGoogle(sandbox, { account: 'bench-20000@sandbox.example' });
    const profile = await ask(`${sandbox.urls().gmailApiUrl}/gmail/v1/users/me/profile`, tokens.access_token);
    expect(await profile.json()).toMatchObject({ messagesTotal: 20_000 });

    const address = `${sandbox.urls().githubApiUrl}/repos/bench/pulls-100000/pulls?state=all&sort=created&direction=asc&per_page=100`;
    const first = (await (await fetch(address)).json()) as { number: number; head: unknown }[];
    const last = await fetch(`${address}&page=1000`);
    const pulls = (await last.json()) as { number: number }[];
    expect([first[0]?.number, pulls.length, pulls.at(-1)?.number]).toEqual([1, 100, 100_000]);

    const single = await fetch(`${sandbox.urls().githubApiUrl}/repos/bench/pulls-100000/pulls/100`);
    expect(await single.json()).toMatchObject(first[99] ?? {});
    await sandbox.close();
  });

  it('is the same with preparation and concurrent requests as without', async () => {
    const sandboxes = [false, true].map(async (isPrepared) => {
      const sandbox = await startSandbox({ synthetic: { pulls: 1000 }, quotaScale: 0 });
      if (isPrepared) sandbox.prepare();
      return sandbox;
    });
    const [plain, prepared] = (await Promise.all(sandboxes)) as [StartedSandbox, StartedSandbox];
    const page = async ({ url, urls }: StartedSandbox, number: number) => {
      const query = `state=all&sort=created&direction=asc&per_page=100&page=${number}`;
      const answer = await fetch(`${urls().githubApiUrl}/repos/bench/pulls-1000/pulls?${query}`);
      return hash('sha256', (await answer.text()).replaceAll(new URL(url).host, ''));
    };
    const numbers = [3, 1, 10, 2, 9, 4, 8, 5, 7, 6];
    const one: string[] = [];
    for (const number of numbers) one.push(await page(plain, number));
    expect(new Set(one).size).toBe(10);
    expect(await Promise.all(numbers.map((number) => page(prepared, number)))).toEqual(one);
    await Promise.all([plain.close(), prepared.close()]);
  });
});

describe('fault catalogue', () => {
  it('contains only faults that a test names', () => {
    const folder = fileURLToPath(new URL('./faults', import.meta.url));
    const tests = readdirSync(folder)
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join();
    const untested = FAULTS.filter(({ name }) => !tests.includes(`'${name}'`));
    expect(untested.map(({ name }) => name)).toEqual([]);
  });
});
