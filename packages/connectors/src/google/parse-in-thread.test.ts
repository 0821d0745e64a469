import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, expect, it } from 'vitest';
import { readMail } from './parse-in-thread.ts';

/** Runs the work and checks that it does not block the event loop. */
async function withResponsiveLoop<T>(work: () => Promise<T>): Promise<T> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const outcome = await work();
  delay.disable();
  expect(delay.max / 1e6).toBeLessThan(500);
  return outcome;
}

describe('readMail', () => {
  it('reads a message of many megabytes without blocking the event loop', async () => {
    const part = { mimeType: 'text/html', body: { data: 'PHA-'.repeat(10_000_000) } };
    const json = Buffer.from(JSON.stringify({ id: 'm1', payload: part }));
    const [record] = await withResponsiveLoop(() => readMail('message', json));
    expect(record?.id).toBe('m1');
    expect(JSON.parse(String(record?.data))).toMatchObject({ truncated: true });
  });

  it('reads a message with a hundred thousand nested parts', async () => {
    const depth = 100_000;
    const payload = `${'{"mimeType":"multipart/mixed","parts":['.repeat(depth)}{}${']}'.repeat(depth)}`;
    const [record] = await withResponsiveLoop(() =>
      readMail('message', Buffer.from(`{"id":"m1","payload":${payload}}`)),
    );
    expect(record?.id).toBe('m1');
  });

  it('reads all messages of a thread', async () => {
    const json = Buffer.from(JSON.stringify({ messages: [{ id: 'a' }, { id: 'b' }] }));
    expect((await readMail('thread', json)).map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it.each([
    ['{"id":', { name: 'SyntaxError' }],
    ['{"id":7}', { failure: 'malformed' }],
  ])('reports %j as an error and reads the next message', async (json, error) => {
    await expect(readMail('message', Buffer.from(json))).rejects.toMatchObject(error);
    expect(await readMail('message', Buffer.from('{"id":"a"}'))).toHaveLength(1);
  });
});
