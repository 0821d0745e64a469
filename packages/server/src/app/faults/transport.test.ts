import type { FaultName } from '@datadeck/sandbox';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Collection, FaultStage } from '../../testing/fault-stage.ts';

/** What is said of a fault that lasts; undefined: the run finishes all the same. */
const TRANSPORT: [FaultName, RegExp | undefined][] = [
  ['latency', undefined],
  ['http-500', /is failing \(status 500\)\. Try again later/],
  ['http-502', /is failing \(status 502\)\. Try again later/],
  ['http-503', /is failing \(status 503\)\. Try again later/],
  ['http-504', /is failing \(status 504\)\. Try again later/],
  ['html-error-body', /is failing \(status 502\)\. Try again later/],
  ['html-instead-of-json', /answered with something that is not JSON\. Try again later/],
  ['connection-reset', /could not be reached \(ECONNRESET\)\. Try again later/],
  ['reset-mid-body', /could not be reached \(.+\)\. Try again later/],
  ['truncated-json', /answered with something that is not JSON\. Try again later/],
  ['invalid-json', /answered with something that is not JSON\. Try again later/],
  ['empty-body', /answered with something that is not JSON\. Try again later/],
  ['stalled-stream', /could not be reached \(it fell silent\)\. Try again later/],
  ['content-length-too-long', /could not be reached \(.+\)\. Try again later/],
  ['content-length-too-short', /Try again later/],
  ['broken-gzip', /could not be reached \(.+\)\. Try again later/],
  ['redirect', /redirects without end/],
  ['redirect-loop', /redirects without end/],
];
const FOR_LONG = Number.POSITIVE_INFINITY;

let stage: FaultStage;

beforeAll(async () => {
  stage = await FaultStage.open();
  await Promise.all([stage.gmail, stage.github].map((from) => stage.run(from)));
});
afterAll(() => stage?.close());
beforeEach(() => {
  stage.server.product.schedulers.silenceMs = undefined;
});

/** For long: the run fails and says why, what is stored stays. Then twice: it finishes, with all that was left out. */
async function survive(name: FaultName, message: RegExp | undefined, from: Collection): Promise<void> {
  const order = { name, match: { api: from.api }, options: { milliseconds: 20 } };
  from.insert();
  const before = await stage.stored(from);
  const lasting = stage.fault({ ...order, times: FOR_LONG });
  const ended = await stage.run(from);
  lasting.remove();
  expect(ended.status).toBe(message ? 'failed' : 'finished');
  if (message) expect(ended.summary.errMessage).toMatch(message);
  expect(await stage.stored(from)).toEqual(message ? before : from.ids());
  expect(await stage.connection(from)).toBe('connected');

  const twice = stage.fault({ ...order, times: 2 });
  expect(await stage.run(from)).toMatchObject({ status: 'finished' });
  expect(twice.hits).toBeGreaterThan(0);
  expect(await stage.stored(from)).toEqual(from.ids());
}

test.each(TRANSPORT)('%s, for long and then twice', async (name, message) => {
  if (name === 'stalled-stream') stage.server.product.schedulers.silenceMs = 150;
  await Promise.all([stage.gmail, stage.github].map((from) => survive(name, message, from)));
});
