import { describe, expect, it } from 'vitest';
import { plainDocument } from '../../../test-support/declarative/hostile-service.ts';
import { API_PATH } from '../../../test-support/declarative/shape.ts';
import { ASCII_SECRET } from '../../../test-support/declarative/try-against.ts';
import { startSmallServer } from '../../sdk/conformance/small-server.ts';
import { tryEntity } from './try-entity.ts';

const IDENTITY = { request: { path: '/me' }, subject: 'response.id', account: 'response.login' };

/** Tries a document whose service answers `/me` like this. */
async function identified(
  me: unknown,
  { status = 200, identity = {} }: { status?: number; identity?: object } = {},
) {
  const paths: string[] = [];
  const server = await startSmallServer((request, response) => {
    const path = request.url?.slice(API_PATH.length).split('?')[0] ?? '';
    paths.push(path);
    if (path === '/me') response.statusCode = status;
    const text = typeof me === 'string' ? me : JSON.stringify(me);
    response.end(path === '/me' ? text : '{"items":[{"id":1,"title":"a","created":"2026-01-01"}]}');
  });
  const document = { ...plainDocument({}), failed: undefined, identity: { ...IDENTITY, ...identity } };
  const trial = {
    document: JSON.stringify(document),
    entity: 'gen1-items',
    config: { site: 'acme', user: 'ada' },
    secret: ASCII_SECRET,
    settings: { project: 'work' },
  };
  const tried = await tryEntity(trial, { baseUrl: `${server.url}${API_PATH}`, hosts: ['127.0.0.1'] });
  server.close();
  const places = tried.result.problems.map(({ path, message }) => `${path}: ${message}`).join('\n');
  return { ...tried, paths, places };
}

describe('who is connected, in a trial', () => {
  it('is shown beside the records, and recorded with other values', async () => {
    const { result, identityRecording, paths, places } = await identified({ id: 4711, login: 'ada.nowak' });
    expect(places).not.toMatch(/identity/);
    expect(result.account).toBe('ada.nowak');
    expect(result.request?.url).not.toMatch(/me$/);
    expect(paths.at(-1)).toBe('/me');
    expect(identityRecording).toMatchObject({ entity: 'identity', status: 200 });
    expect(Object.keys(JSON.parse(identityRecording?.text ?? ''))).toEqual(['id', 'login']);
    expect(identityRecording?.text).not.toMatch(/4711|nowak/);
  });

  it.each([
    ['no id', { login: 'ada' }, {}, /^identity\.subject: It yields no text or number/],
    ['an expression that fails', { id: 1 }, { account: '$number("x")' }, /^identity\.account: It fails: /],
    ['an answer that is not JSON', '<html>', {}, /^identity\.request\.decode: .*a page of HTML/],
    [
      'a request that cannot be built',
      {},
      { request: { path: '/{config.none}' } },
      /^identity\.request\.path: /,
    ],
  ])('names the field of %s', async (_, me, identity, message) => {
    const { places, result } = await identified(me, { identity });
    expect(places).toMatch(new RegExp(message.source, 'm'));
    expect(result.records.count).toBe(1);
  });

  it('explains an address that does not exist, at its field', async () => {
    const { places, identityRecording } = await identified({ error: 'no' }, { status: 404 });
    expect(places).toMatch(/^identity\.request\.path: The service has nothing at this address/m);
    expect(identityRecording).toBeUndefined();
  });

  it.each<[string, unknown, RegExp]>([
    ['spaces around it', ' 4711', /^identity\.subject: Connecting refuses what it yields/m],
    ['two lines', 'a\nb', /^identity\.subject: Connecting refuses what it yields/m],
    ['too many characters', 'x'.repeat(2001), /^identity\.subject: Connecting refuses what it yields/m],
    ['the secret in it', `u-${ASCII_SECRET}`, /^identity\.subject: .*the secret in it/m],
  ])('is nobody for an id that connecting refuses: %s', async (_, id, message) => {
    const { places, result } = await identified({ id, login: 'ada' });
    expect(places).toMatch(message);
    expect(result.account).toBeUndefined();
  });

  it('is an account with an id of as many characters as can be stored', async () => {
    const { places, result } = await identified({
      id: `${'x'.repeat(1000)} ${'y'.repeat(999)}`,
      login: 'ada',
    });
    expect(places).not.toMatch(/identity/);
    expect(result.account).toBe('ada');
  });

  it('shows and records no secret of it', async () => {
    const tried = await identified({ id: ASCII_SECRET, login: `${'x'.repeat(190)}${ASCII_SECRET}` });
    expect(tried.places).toMatch(/^identity\.subject: .*the secret in it/m);
    expect(tried.result.account).toBeUndefined();
    expect(JSON.stringify(tried)).not.toContain(ASCII_SECRET.slice(4, 12));
  });
});
