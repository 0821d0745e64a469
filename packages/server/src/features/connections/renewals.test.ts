import type { Credentials } from '@datadeck/connectors';
import { describe, expect, it } from 'vitest';
import { Renewals } from './renewals.ts';

/** Creates a renewal that ends when the test resolves it. */
function openRenewal(accessToken: string) {
  let end: (credentials: Credentials) => void = () => undefined;
  const renewed = new Promise<Credentials>((resolve) => {
    end = resolve;
  });
  let startCount = 0;
  return {
    renew: () => {
      startCount++;
      return renewed;
    },
    end: () => end({ accessToken, scopes: [] }),
    startCount: () => startCount,
  };
}

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

describe('Renewals', () => {
  it('shares a running renewal of a connection and starts a new one afterwards', async () => {
    const renewals = new Renewals();
    const renewal = openRenewal('new');
    const ada = { provider: 'github', id: 'ada' };
    const both = [renewals.share(ada, renewal.renew), renewals.share(ada, renewal.renew)];
    await nextTick();
    renewal.end();
    expect(await Promise.all(both)).toMatchObject([{ accessToken: 'new' }, { accessToken: 'new' }]);
    expect(renewal.startCount()).toBe(1);
    await renewals.share(ada, renewal.renew);
    expect(renewal.startCount()).toBe(2);
  });

  // @covers authorisation.provider-slow-renew
  it('runs two renewals per provider at a time; others wait', async () => {
    const renewals = new Renewals();
    const open = ['a', 'b', 'c'].map((id) => ({ id, ...openRenewal(id) }));
    const ends = open.map(({ id, renew }) => renewals.share({ provider: 'github', id }, renew));
    const failing = renewals.share({ provider: 'google', id: 'd' }, () => Promise.reject(new Error('down')));
    await expect(failing).rejects.toThrow('down');
    await nextTick();
    expect(open.map(({ startCount }) => startCount())).toEqual([1, 1, 0]);

    for (const { end } of open) end();
    expect((await Promise.all(ends)).map(({ accessToken }) => accessToken)).toEqual(['a', 'b', 'c']);
  });
});
