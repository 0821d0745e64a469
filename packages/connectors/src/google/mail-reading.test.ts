import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { readMail } from './mail-reading.ts';

/** Runs the work and checks that it does not block the event loop. */
async function withResponsiveLoop<T>(work: () => Promise<T>): Promise<T> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const outcome = await work();
  delay.disable();
  expect(delay.max / 1e6).toBeLessThan(500);
  return outcome;
}

// @covers 10.mail-read-threads
test('a message of many megabytes does not stall the process', async () => {
  const part = { mimeType: 'text/html', body: { data: 'PHA-'.repeat(10_000_000) } };
  const json = Buffer.from(JSON.stringify({ id: 'm1', payload: part }));
  const [record] = await withResponsiveLoop(() => readMail('message', json));
  expect(record?.id).toBe('m1');
  expect(JSON.parse(String(record?.data))).toMatchObject({ truncated: true });
});

test('a message with a hundred thousand nested parts is readable', async () => {
  const depth = 100_000;
  const payload = `${'{"mimeType":"multipart/mixed","parts":['.repeat(depth)}{}${']}'.repeat(depth)}`;
  const [record] = await withResponsiveLoop(() =>
    readMail('message', Buffer.from(`{"id":"m1","payload":${payload}}`)),
  );
  expect(record?.id).toBe('m1');
});

test('the messages of a thread are read together', async () => {
  const json = Buffer.from(JSON.stringify({ messages: [{ id: 'a' }, { id: 'b' }] }));
  expect((await readMail('thread', json)).map(({ id }) => id)).toEqual(['a', 'b']);
});

test.each([
  ['{"id":', { name: 'SyntaxError' }],
  ['{"id":7}', { failure: 'malformed' }],
])('%j is an error of its own, and the next message is readable', async (json, error) => {
  await expect(readMail('message', Buffer.from(json))).rejects.toMatchObject(error);
  expect(await readMail('message', Buffer.from('{"id":"a"}'))).toHaveLength(1);
});
