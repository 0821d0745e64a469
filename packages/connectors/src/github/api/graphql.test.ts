import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SmallServer, startSmallServer } from '../../sdk/conformance/small-server.ts';
import { ProviderClient } from '../../sdk/provider-client.ts';
import { Scheduler } from '../../sdk/scheduler.ts';
import { classifyGithub } from './classify.ts';
import { graphqlUrl, queryGraphql } from './graphql.ts';

type Answer = { status?: number; headers?: Record<string, string>; body: unknown };

let server: SmallServer;
/** The answers of the server, one for each request; the last one repeats. */
let answers: Answer[];
let requests: { method: string; type: string; token: string; body: unknown }[];

async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const { method = '', headers } = request;
  const { 'content-type': type = '', authorization: token = '' } = headers;
  requests.push({ method, type, token, body: JSON.parse(Buffer.concat(pieces).toString()) });
  const answer = (answers.length > 1 ? answers.shift() : answers[0]) as Answer;
  response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
  response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
}

beforeEach(async () => {
  now = Date.now();
  requests = [];
  server = await startSmallServer((request, response) => void reply(request, response));
});
afterEach(() => server.close());

/** A clock that a pause moves forward. */
let now = 0;
const quiet = {
  now: () => now,
  pause: async (ms: number) => {
    now += ms;
  },
};

function clientOf(): ProviderClient {
  return new ProviderClient({
    connector: { title: 'GitHub', apiUrl: server.url, classify: classifyGithub },
    scheduler: new Scheduler({ concurrency: 5, unitsPerMinute: Number.POSITIVE_INFINITY }, quiet),
    clock: quiet,
    credentials: async () => ({ accessToken: 'secret', scopes: [] }),
    signal: new AbortController().signal,
  });
}

function ask(client = clientOf(), optional: string[] = []) {
  const { signal } = new AbortController();
  const query = { query: 'query Q($n: Int) { viewer { login } }', variables: { n: 1 }, signal, optional };
  return queryGraphql(client, `${server.url}/graphql`, query);
}

const GOOD = { body: { data: { repository: { id: 1 } } } };
const failing = (type: string | undefined, message: string, data: unknown = { repository: null }) => ({
  body: { data, errors: [{ ...(type && { type }), message, path: ['repository'] }] },
});

describe('GraphQL', () => {
  it('is sent as JSON by POST, for one unit', async () => {
    answers = [{ ...GOOD, headers: { date: 'Sun, 22 Nov 2026 12:00:00 GMT' } }];
    const client = clientOf();
    expect(await ask(client)).toEqual({
      data: GOOD.body.data,
      answeredAt: Date.parse('2026-11-22T12:00:00Z'),
    });
    expect(requests).toEqual([
      {
        method: 'POST',
        type: 'application/json',
        token: 'Bearer secret',
        body: { query: 'query Q($n: Int) { viewer { login } }', variables: { n: 1 } },
      },
    ]);
    expect([client.requests, client.units]).toEqual([1, 1]);
  });

  it('keeps an answer of which only an optional part is missing', async () => {
    const data = { repository: { pulls: [{ commit: null }] } };
    const path = ['repository', 'pulls', 0, 'commit'];
    answers = [{ body: { data, errors: [{ type: 'FORBIDDEN', path }] } }];
    expect((await ask(clientOf(), ['commit'])).data).toEqual(data);
    await expect(ask()).rejects.toMatchObject({ failure: 'forbidden' });
  });

  it.each([
    ['that the token may not read', 'FORBIDDEN', 'forbidden', 1],
    ['that took too long', undefined, 'unavailable', 6],
    ['that needs too much', 'RESOURCE_LIMITS_EXCEEDED', 'unavailable', 1],
  ])('does not take a part %s for an empty one', async (_name, type, failure, sent) => {
    const data = { repository: { pulls: [null] } };
    answers = [failing(type, 'Resource not accessible by personal access token', data)];
    await expect(ask()).rejects.toMatchObject({ failure });
    expect(requests).toHaveLength(sent);
  });

  it.each([
    ['a missing repository', failing('NOT_FOUND', 'Could not resolve to a Repository.'), 'not-found'],
    [
      'a missing right',
      failing('FORBIDDEN', 'Resource not accessible by personal access token'),
      'forbidden',
    ],
    ['a token without a scope', failing('INSUFFICIENT_SCOPES', 'Your token has no scope.'), 'forbidden'],
    ['a query that always takes too long', failing(undefined, 'Something went wrong'), 'unavailable'],
    [
      'a field that the server does not have',
      { body: { errors: [{ message: 'No such field', extensions: { code: 'undefinedField' } }] } },
      'invalid',
    ],
    ['a page that is too large', failing('EXCESSIVE_PAGINATION', 'Too many'), 'invalid'],
    ['an answer without data', { body: {} }, 'unavailable'],
    ['HTML', { body: '<html>' }, 'unavailable'],
    ['a token that is not accepted', { status: 401, body: { message: 'Bad credentials' } }, 'reauthorise'],
  ] satisfies [string, Answer, string][])('fails for %s', async (_name, answer, failure) => {
    answers = [answer];
    await expect(ask()).rejects.toMatchObject({ failure });
  });

  it.each([
    ['a limit', failing('RATE_LIMITED', 'API rate limit exceeded')],
    ['a limit by its newer name', failing('RATE_LIMIT', 'API rate limit already exceeded')],
    ['a query that failed', failing(undefined, 'Something went wrong while executing your query.')],
    ['an error of the server', { status: 502, body: '<html>' }],
    ['a secondary limit', { status: 403, headers: { 'retry-after': '1' }, body: { message: 'wait' } }],
  ] satisfies [string, Answer][])('is sent again after %s', async (_name, answer) => {
    answers = [answer, GOOD];
    expect((await ask()).data).toEqual(GOOD.body.data);
    expect(requests).toHaveLength(2);
  });

  it('has its address beside that of REST', () => {
    expect(graphqlUrl('https://api.github.com')).toBe('https://api.github.com/graphql');
    expect(graphqlUrl('https://github.example.org/api/v3/')).toBe('https://github.example.org/api/graphql');
  });
});
