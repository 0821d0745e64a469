import { isPublic } from '@datadeck/connectors';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HookServer } from '../../test-support/hook-server.ts';
import { postOutside } from './outside-post.ts';

let hook: HookServer;
let elsewhere: HookServer;
beforeAll(async () => {
  hook = await new HookServer().start();
  elsewhere = await new HookServer().start();
});
afterAll(() => {
  hook?.stop();
  elsewhere?.stop();
});
beforeEach(() => {
  hook.hits.length = 0;
  hook.status = 200;
  hook.location = undefined;
});

const post = (url: string, change: { mayReach?: (address: string) => boolean; timeoutMs?: number } = {}) =>
  postOutside(url, { body: '{"a":"ä"}', headers: {}, timeoutMs: 30_000, mayReach: () => true, ...change });

describe('postOutside', () => {
  it('sends the body and returns the status', async () => {
    hook.status = 204;
    expect(await post(hook.url)).toBe(204);
    expect(hook.hits.map(({ body }) => body)).toEqual(['{"a":"ä"}']);
  });

  it('follows no redirect', async () => {
    hook.status = 307;
    hook.location = elsewhere.url;
    expect(await post(hook.url)).toBe(307);
    expect(elsewhere.hits).toEqual([]);
  });

  it('times out when the server does not respond', async () => {
    hook.status = null;
    await expect(post(hook.url, { timeoutMs: 60 })).rejects.toThrow('The server did not answer in time.');
  });

  it('reports a refused connection and an unknown host name', async () => {
    await expect(post('http://127.0.0.1:1/')).rejects.toThrow('The server refuses the connection.');
    await expect(post('http://nothing.invalid/')).rejects.toThrow(
      'The host name of the address cannot be resolved.',
    );
  });

  it('refuses private addresses in any notation and by name', async () => {
    const { port } = new URL(hook.url);
    for (const host of ['127.0.0.1', 'localhost', '0x7f.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]'])
      await expect(post(`http://${host}:${port}/`, { mayReach: isPublic }), host).rejects.toThrow(
        'private network',
      );
    expect(hook.hits).toEqual([]);
  });
});
