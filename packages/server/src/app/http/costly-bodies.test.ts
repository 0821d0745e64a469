import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUser } from '../../../test-support/new-user.ts';
import { shareServer } from '../../../test-support/shared-server.ts';
import type { Client, TestServer } from '../../../test-support/test-server.ts';
import { exceedsLimits } from './body-shape.ts';
import { unstorableFields } from './storable-text.ts';

const MEGABYTE = 1024 * 1024;
/** Maximum length of an error response. */
const MAX_ERROR_LENGTH = 10_000;
let server: TestServer;
let ada: Client;

beforeAll(async () => {
  server = await shareServer();
  ada = await newUser(server, 'ada');
});
afterAll(() => server?.remove());

/** Joins generated JSON members to almost a megabyte. */
function members(memberOf: (nth: number) => string): string {
  const all: string[] = [];
  for (let size = 0; size < MEGABYTE - 1000; )
    size += (all[all.push(memberOf(all.length)) - 1]?.length ?? 0) + 1;
  return all.join(',');
}

function send(path: string, body: string, token = ada.token): Promise<Response> {
  return fetch(server.url + path, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json' },
    body,
  });
}

const QUERY = '"entryCollection":"gh-pulls","templateKey":"pulls-all","jsonNataQuery":"1"';
const SYNC = '"providerId":"google","entityLabel":"gmail-messages"';
const costly: [name: string, path: string, body: string][] = [
  ['wrong names', '/api/data/query', `{${QUERY},"parameters":{${members((n) => `"-${n}":{}`)}}}`],
  [
    'settings',
    '/api/integrations/synchronizations/plan',
    `{${SYNC},"entitySettings":{${members((n) => `"s${n}":1`)}}}`,
  ],
  ['fields', '/api/integrations/connections/imap', `{"values":{${members((n) => `"f${n}":1`)}}}`],
  ['nested unstorable texts', '/auth/logout', `${'["\\u0000",'.repeat(8000)}1${']'.repeat(8000)}`],
  ['nested lists', '/auth/logout', '['.repeat(500_000) + ']'.repeat(500_000)],
];

describe('a costly request body', () => {
  // @covers 7.body-more-values
  it.each(costly)('is refused with a short error before it is parsed: many %s', async (_, path, body) => {
    const response = await send(path, body);
    expect(response.status).toBe(413);
    expect((await response.text()).length).toBeLessThan(MAX_ERROR_LENGTH);
  });

  // @covers 7.body-more-values
  it.each([
    ['too long', 'x'],
    ['unstorable', '\\u0000'],
  ])('is refused without repeating a name that is %s', async (_, mark) => {
    const body = `{"values":{"${mark.repeat(Math.floor(900_000 / mark.length))}":"1"}}`;
    const response = await send('/api/integrations/connections/imap', body);
    expect(response.status).toBe(422);
    expect((await response.text()).length).toBeLessThan(MAX_ERROR_LENGTH);
  });

  // @covers 7.body-more-values
  it('is reported with the first 50 of its wrong fields', async () => {
    const values = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`f${n}`, 1]));
    const response = await ada.call('POST', '/api/integrations/connections/imap', { values });
    const { error } = (await response.json()) as { error: { fields: Record<string, string> } };
    expect(Object.keys(error.fields)).toHaveLength(50);
    expect(
      unstorableFields(
        Object.keys(values).map(() => '\0'),
        'body',
      ),
    ).toHaveLength(50);
  });

  // @covers 7.body-read-caller
  it('is not parsed for a caller without a session', async () => {
    expect((await send('/api/data/query', '{', 'nobody')).status).toBe(401);
  });
});

describe('exceedsLimits', () => {
  // @covers 7.body-more-values
  it('counts values and nesting, but not characters inside strings', () => {
    const labels = { labelIds: 'INBOX,'.repeat(100_000), quoted: '\\"[['.repeat(10_000) };
    expect(exceedsLimits(JSON.stringify(labels))).toBe(false);
    expect(exceedsLimits(JSON.stringify(Array(1000).fill(labels.quoted.slice(0, 9))))).toBe(false);
    expect(exceedsLimits(JSON.stringify(Array(1001).fill(0)))).toBe(true);
    expect(exceedsLimits('['.repeat(33))).toBe(true);
    expect(exceedsLimits('[[],[]]'.repeat(10))).toBe(false);
    expect(exceedsLimits('"'.repeat(1001))).toBe(false);
  });
});
