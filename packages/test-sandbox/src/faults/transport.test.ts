import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ask, authorizeGithub, signInWithGoogle } from '../../../sandbox/test-support/sign-in.ts';
import { type StartedSandbox, startSandbox } from '../start-sandbox.ts';
import type { FaultName } from './fault-catalogue.ts';
import type { FaultSpec } from './fault-injector.ts';

let sandbox: StartedSandbox;
let targets: { api: 'gmail' | 'github'; address: string; token: string }[];

beforeAll(async () => {
  sandbox = await startSandbox({ quotaScale: 0 });
  const { gmailApiUrl, githubApiUrl } = sandbox.urls();
  const google = await signInWithGoogle(sandbox);
  const github = await authorizeGithub(sandbox);
  targets = [
    { api: 'gmail', address: `${gmailApiUrl}/gmail/v1/users/me/messages`, token: google.tokens.access_token },
    {
      api: 'github',
      address: `${githubApiUrl}/repos/aurora-labs/harbor/pulls?per_page=20`,
      token: github.access_token ?? '',
    },
  ];
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.control.clearFaults());

/** Injects the fault into both APIs, checks the responses, and checks that the next responses are complete. */
async function checkFault(
  spec: Omit<FaultSpec, 'match'>,
  check: (answer: Response, address: string, leaving: AbortController) => Promise<void>,
): Promise<void> {
  for (const { api, address, token } of targets) {
    const fault = sandbox.control.fault({ ...spec, match: { api } });
    const leaving = new AbortController();
    await check(await ask(address, token, { signal: leaving.signal }), address, leaving);
    expect(fault.hits).toBe(1);
    expect(await (await ask(address, token)).json()).toBeDefined();
    fault.remove();
  }
}

describe('transport fault', () => {
  it.each([
    ['http-500', 500],
    ['http-502', 502],
    ['http-503', 503],
    ['http-504', 504],
  ] as [FaultName, number][])('responds with an error status: %s', async (name, status) => {
    await checkFault({ name, options: { seconds: 3 } }, async (answer) => {
      expect(answer.status).toBe(status);
      expect(answer.headers.get('retry-after')).toBe('3');
      expect(await answer.json()).toBeTypeOf('object');
    });
  });

  it('sends HTML as an error or in place of JSON', async () => {
    await checkFault({ name: 'html-error-body' }, async (answer) => {
      expect([answer.status, answer.headers.get('content-type')]).toEqual([502, 'text/html; charset=UTF-8']);
    });
    await checkFault({ name: 'html-instead-of-json' }, async (answer) => {
      expect([answer.status, (await answer.text()).startsWith('<!DOCTYPE')]).toEqual([200, true]);
    });
  });

  it('resets the connection', async () => {
    for (const { api, address, token } of targets) {
      sandbox.control.fault({ name: 'connection-reset', match: { api } });
      await expect(ask(address, token)).rejects.toThrow('fetch failed');
    }
  });

  it.each(['reset-mid-body', 'content-length-too-long'] as const)('ends the body early: %s', async (name) => {
    await checkFault({ name }, async (answer) => {
      expect(answer.status).toBe(200);
      await expect(answer.text()).rejects.toThrow('terminated');
    });
  });

  it('stalls the body until the client aborts', async () => {
    await checkFault({ name: 'stalled-stream' }, async (answer, _address, leaving) => {
      const text = answer.text();
      expect(await Promise.race([text, sleep(300, 'stalled')])).toBe('stalled');
      leaving.abort();
      await expect(text).rejects.toThrow(/abort/i);
    });
  });

  it.each(['truncated-json', 'invalid-json', 'empty-body'] as const)(
    'sends a body that is no JSON: %s',
    async (name) => {
      await checkFault({ name }, async (answer) => {
        await expect(answer.json()).rejects.toBeInstanceOf(SyntaxError);
      });
    },
  );

  it('announces a Content-Length that is too short', async () => {
    for (const { api, address, token } of targets) {
      const fault = sandbox.control.fault({ name: 'content-length-too-short', match: { api } });
      await expect(ask(address, token).then((answer) => answer.json())).rejects.toThrow();
      expect(fault.hits).toBe(1);
    }
  });

  it('sends broken gzip', async () => {
    await checkFault({ name: 'broken-gzip' }, async (answer) => {
      expect(answer.headers.get('content-encoding')).toBe('gzip');
      await expect(answer.text()).rejects.toThrow();
    });
  });

  it('redirects to itself, elsewhere or in a loop', async () => {
    await checkFault({ name: 'redirect' }, async (answer, address) => {
      expect([answer.status, new URL(answer.headers.get('location') ?? '', address).href]).toEqual([
        307,
        address,
      ]);
    });
    await checkFault({ name: 'redirect', options: { location: 'http://127.0.0.1:1/' } }, async (answer) => {
      expect(answer.headers.get('location')).toBe('http://127.0.0.1:1/');
    });
    const { address, token } = targets[0] ?? { address: '', token: '' };
    sandbox.control.fault({ name: 'redirect-loop', times: Number.POSITIVE_INFINITY });

    await expect(ask(address, token, { redirect: 'follow' })).rejects.toThrow();
  });

  it('delays a response and skews its Date header', async () => {
    const started = performance.now();
    await checkFault({ name: 'latency', options: { milliseconds: 120 } }, async (answer) =>
      expect(answer.status).toBe(200),
    );
    expect(performance.now() - started).toBeGreaterThan(240);

    const held = sandbox.control.fault({ name: 'latency', options: { milliseconds: 600_000 } });
    const { address, token } = targets[0] ?? { address: '', token: '' };
    const answer = ask(address, token);
    await vi.waitFor(() => expect(held.hits).toBe(1), 30_000);

    held.remove();
    expect((await answer).status).toBe(200);
    await checkFault({ name: 'clock-skew', options: { seconds: 7200 } }, async (answer) => {
      expect(Date.parse(answer.headers.get('date') ?? '') - Date.now()).toBeGreaterThan(7_000_000);
    });
  });

  it('hits the ordered number of requests of its path and account', async () => {
    const { address, token } = targets[0] ?? { address: '', token: '' };
    const fault = sandbox.control.fault({
      name: 'http-500',
      match: { path: /messages\?page/, account: 'ada.nowak@sandbox.example' },
      times: 2,
      afterRequests: 1,
    });
    const statuses: number[] = [];
    for (const query of ['', '?page=1', '?page=2', '?page=3', '?page=4'])
      statuses.push((await ask(address + query, token)).status);
    expect(statuses).toEqual([200, 200, 500, 500, 200]);
    expect([fault.seen, fault.hits]).toEqual([4, 2]);

    sandbox.control.fault({ name: 'http-500', match: { account: 'somebody@else.example' } });
    expect((await ask(address, token)).status).toBe(200);
  });
});
