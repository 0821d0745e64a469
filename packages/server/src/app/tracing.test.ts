import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChildServer } from '../../test-support/child-server.ts';
import { type ReceivedSpan, SpanReceiver } from '../../test-support/span-receiver.ts';
import { runSync } from '../../test-support/syncing.ts';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';
import { createEmptyDatabase } from '../../test-support/test-database.ts';
import { Client, startTestServer, type TestServer } from '../../test-support/test-server.ts';
import { summaryOf } from '../platform/tracing/query-spans.ts';
import { findFreePort } from './http/listen.ts';

const ADA = 'ada.nowak@sandbox.example';
const PROVIDERS = '/api/integrations/providers';
const HARBOR = { owner: 'aurora-labs', repo: 'harbor' };

let collector: SpanReceiver;
let server: TestServer;
let ada: Client;

beforeAll(async () => {
  collector = new SpanReceiver();
  server = await startTestServer({ OTEL_EXPORTER_OTLP_ENDPOINT: await collector.start() });
  ada = await new Client(server).signIn(ADA);
  await ada.connect('google', ADA);
  await ada.connect('github', 'ada-nowak');
});
afterAll(async () => {
  await server?.remove();
  collector?.stop();
});

/** Waits for a span. */
async function received(isIt: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan> {
  await expect.poll(() => collector.spans.some(isIt), { timeout: 10_000 }).toBe(true);
  return collector.spans.find(isIt) as ReceivedSpan;
}

const attributeOf = ({ attributes }: ReceivedSpan, key: string) =>
  attributes.find((attribute) => attribute.key === key)?.value;

describe('exported traces', () => {
  it('show a request with its statements', async () => {
    await ada.get(PROVIDERS);
    const request = await received(({ name }) => name === `GET ${PROVIDERS}`);
    expect(request.parentSpanId).toBeFalsy();
    expect(attributeOf(request, 'http.response.status_code')).toEqual({ intValue: 200 });
    expect(collector.below(request).map(({ name }) => name)).toContain('select connections');
  });

  it('keep concurrent requests apart when connections are scarce', async () => {
    const before = collector.spans.length;
    await Promise.all(Array.from({ length: 60 }, () => ada.get(PROVIDERS)));
    const isRequest = ({ name }: ReceivedSpan) => name === `GET ${PROVIDERS}`;
    const requests = () => collector.spans.slice(before).filter(isRequest);
    await expect.poll(() => requests().length, { timeout: 10_000 }).toBe(60);
    const counts = new Set(
      requests().map(
        (request) => collector.below(request).filter(({ name }) => name === 'select connections').length,
      ),
    );
    expect([...counts]).toHaveLength(1);
    expect(counts.has(0)).toBe(false);
  });

  it('show a sync with its calls to the provider and its statements', async () => {
    const { _id } = await runSync(ada, 'gh-pulls', HARBOR);
    const sync = await received((span) => attributeOf(span, 'sync.id')?.stringValue === _id);
    const names = new Set(collector.below(sync).map(({ name }) => name));
    expect(names).toContain('github request');
    expect(names).toContain('copy gh_pulls');
  });

  it('contain no token, address or text', async () => {
    await runSync(ada, 'gmail-messages', { labelIds: 'INBOX' });
    const path = '/api/integrations/entities/aggregation/gmail-messages/messages-all?page=1';
    const { results } = await ada.get<{ results: { subject: string }[] }>(path);
    await ada.get(`${PROVIDERS}?secret=hunter2`);
    await received(({ name }) => name.includes('aggregation'));
    const subjects = results.map(({ subject }) => subject).filter((subject) => subject.length > 5);
    expect(subjects.length).toBeGreaterThan(3);
    for (const text of [...subjects, ADA, ada.token, 'hunter2', 'page=1', 'Bearer'])
      expect(collector.text).not.toContain(text);
  });

  it('do not continue a trace that an outsider names', async () => {
    const traceId = 'a'.repeat(32);
    const headers = { traceparent: `00-${traceId}-${'b'.repeat(16)}-01` };
    await fetch(`${server.url}/api/product`, { headers });
    await received(({ name }) => name === 'GET /api/product');
    expect(collector.text).not.toContain(traceId);
  });

  it.each([
    ['select "id" from "users" where x = $1', 'select users'],
    ['  INSERT INTO syncs values ($1)', 'insert syncs'],
    ['update "record_versions" set version = 1', 'update record_versions'],
    ['copy "gh_pulls" (a) from stdin', 'copy gh_pulls'],
    ['commit', 'commit'],
    ['', 'query'],
  ])('name the statement %s', (text, summary) => {
    expect(summaryOf(text)).toBe(summary);
  });
});

describe('a collector', () => {
  it.each([
    ['is down', false],
    ['never answers', true],
  ])(
    'that %s slows down no request and no stop',
    async (_what, listens) => {
      const silent = new SpanReceiver(false);
      const endpoint = await silent.start();
      if (!listens) silent.stop();
      const database = await createEmptyDatabase();
      const child = new ChildServer({
        OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
        DATABASE_URL: database.url,
        DATA_DIR: makeTemporaryFolder('datadeck-traces-'),
        PORT: String(await findFreePort('127.0.0.1')),
        SANDBOX: 'on',
      });
      await child.start();
      for (let count = 0; count < 300; count++)
        expect((await fetch(`${child.url}/api/product`)).status).toBe(200);
      const begun = performance.now();
      expect(await child.end('SIGTERM')).toBe(0);
      expect(performance.now() - begun).toBeLessThan(10_000);
      silent.stop();
      await database.drop();
    },
    60_000,
  );
});
