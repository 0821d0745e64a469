import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { imported, stream } from '../../../test-support/airbyte/manifests.ts';
import { type SmallServer, startSmallServer } from '../../sdk/conformance/small-server.ts';
import { accessOf } from '../access.ts';
import { documentProblems } from '../document-problems.ts';
import { exchangeSecret } from '../exchange-secret.ts';
import { formValuesOf } from '../form-values.ts';

const CONFIG = {
  client_id: 'client one',
  client_secret: 'client+secret/1',
  refresh_token: 'refresh=token',
  email: 'ada@example.com',
  password: 'pass&word',
  region: 'eu west',
  credentials: { api_token: 'token-of-credentials', access_token: 'access-of-credentials' },
} as const;
const PROPERTIES = {
  ...Object.fromEntries(
    ['client_id', 'client_secret', 'refresh_token', 'password'].map((name) => [
      name,
      { type: 'string', airbyte_secret: name !== 'client_id' },
    ]),
  ),
  email: { type: 'string' },
  region: { type: 'string' },
  credentials: {
    type: 'object',
    oneOf: [{ properties: { api_token: { type: 'string', airbyte_secret: true } } }],
  },
};
const place = (name: keyof typeof CONFIG) => `{{ config['${name}'] }}`;

/** A request for a token as the service got it. */
interface Seen {
  method: string;
  query: [string, string][];
  headers: IncomingHttpHeaders;
  body: string;
}

const opened: SmallServer[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

function importedAccess(authenticator: object) {
  const found = imported([stream('books', { requester: { authenticator } })], {
    spec: { type: 'Spec', connection_specification: { type: 'object', properties: PROPERTIES } },
  });
  const { document, form, streams } = found;
  if (!document) return { reason: streams[0]?.reason };
  expect(documentProblems(document)).toEqual([]);
  const valueAt = (path: readonly string[]) =>
    path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], CONFIG);
  const values = Object.fromEntries(form.map(({ name, path }) => [name, String(valueAt(path) ?? '')]));
  for (const { name, defaultValue } of document.connect.fields) values[name] ||= defaultValue;
  return { document, values };
}

/** Returns the request for a token of an imported authenticator, sent to a local service. */
async function tokenRequest(authenticator: object): Promise<Seen> {
  const { document, values = {}, reason } = importedAccess(authenticator);
  const { authentication } = document ?? {};
  if (!document || !authentication || !('tokenUrl' in authentication))
    throw new Error(`not imported: ${reason}`);
  const seen: Seen[] = [];
  const server = await startSmallServer(async (request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://service.test');
    const { method = '', headers } = request;
    seen.push({ method, query: [...searchParams].sort(), headers, body: await text(request) });
    response.end(JSON.stringify({ access_token: 'token-1', data: { token: 'token-1' } }));
  });
  opened.push(server);
  expect(authentication.tokenUrl).toBe('https://login.books.test/token');
  const moved = { ...document, authentication: { ...authentication, tokenUrl: `${server.url}/token` } };
  const { secret = '' } = values;
  const token = await exchangeSecret(moved, {}, { secret, ...formValuesOf(document, values) });
  expect(token?.accessToken).toBe('token-1');
  return seen[0] as Seen;
}

const sorted = (pairs: Iterable<readonly [string, string]>) =>
  [...pairs].map(([name, value]) => [name, value]).sort();
const formOf = ({ body }: Seen) => sorted(new URLSearchParams(body));
const basic = (user: string, password: string) => `Basic ${btoa(`${user}:${password}`)}`;

describe('a request of OAuth', () => {
  const BODIES = {
    'no body': [{}, []],
    'fixed texts and fields': [
      { scope: 'https://graph.test/.default', where: place('region'), level: 3, empty: '' },
      [
        ['scope', 'https://graph.test/.default'],
        ['where', CONFIG.region],
        ['level', '3'],
      ],
    ],
    'names that the CDK sends itself': [
      { grant_type: 'other', client_secret: 'x', type: 'refresh' },
      [['type', 'refresh']],
    ],
  } as const;
  const pair = "[config['client_id'], config['client_secret']] | join(':')";
  const HEADERS = {
    none: {},
    'of a type': { 'Content-Type': 'application/x-www-form-urlencoded' },
    'with a list': { Authorization: `Basic {{ ${pair} | base64encode }}` },
    'with a sum': {
      Authorization: `Basic {{ (config['client_id'] ~ ':' ~ config.client_secret) | base64encode }}`,
    },
  } as const;
  const cases = (['refresh_token', 'client_credentials', 'password'] as const).flatMap((grant) =>
    Object.entries(BODIES).flatMap(([bodyName, body]) =>
      Object.entries(HEADERS).flatMap(([headerName, headers]) =>
        [[], ['read', 'all']].map((scopes) => ({ grant, bodyName, body, headerName, headers, scopes })),
      ),
    ),
  );

  it.each(cases)('is that of the CDK: $grant, $bodyName, header $headerName, scopes $scopes', async (one) => {
    const { grant, body, headers, scopes } = one;
    const hasHeader = 'Authorization' in headers;
    const seen = await tokenRequest({
      type: 'OAuthAuthenticator',
      ...{ grant_type: grant, token_refresh_endpoint: 'https://login.books.test/token?a=b' },
      ...{ client_id: place('client_id'), client_secret: place('client_secret'), scopes },
      ...(grant === 'refresh_token' && { refresh_token: place('refresh_token') }),
      ...{ refresh_request_body: body[0], refresh_request_headers: headers },
    });
    const own = hasHeader
      ? body[1].length === 1
        ? [['client_secret', 'x'] as const]
        : []
      : [['client_id', CONFIG.client_id] as const, ['client_secret', CONFIG.client_secret] as const];
    expect(seen.method).toBe('POST');
    expect(seen.query).toEqual([['a', 'b']]);
    expect(formOf(seen)).toEqual(
      sorted([
        ['grant_type', grant],
        ...own,
        ...(grant === 'refresh_token' ? [['refresh_token', CONFIG.refresh_token] as const] : []),
        ...scopes.map((scope) => ['scopes', scope] as const),
        ...body[1],
      ]),
    );
    expect(seen.headers['content-type']).toBe('application/x-www-form-urlencoded');
    const proof = basic(CONFIG.client_id, CONFIG.client_secret);
    expect(seen.headers.authorization).toBe(hasHeader ? proof : undefined);
  });

  it.each([false, true])('has own names, in the address: %s', async (isInAddress) => {
    const seen = await tokenRequest({
      type: 'OAuthAuthenticator',
      ...{ grant_type: 'client_credentials', token_refresh_endpoint: 'https://login.books.test/token' },
      ...{ client_id: place('client_id'), client_secret: place('client_secret') },
      ...{ client_id_name: 'client_key', client_secret_name: 'key', grant_type_name: 'kind' },
      send_refresh_request_as_query_params: isInAddress,
    });
    const sent = sorted([
      ['client_key', CONFIG.client_id],
      ['key', CONFIG.client_secret],
      ['kind', 'client_credentials'],
    ]);
    expect([formOf(seen), seen.query]).toEqual(isInAddress ? [[], sent] : [sent, []]);
  });

  const OAUTH = {
    type: 'OAuthAuthenticator',
    ...{ token_refresh_endpoint: 'https://login.books.test/token', refresh_token: place('refresh_token') },
    ...{ client_id: place('client_id'), client_secret: place('client_secret') },
  };
  it.each<[object, string]>([
    [{ client_id_name: 'client_key' }, 'client_id_name'],
    [{ send_refresh_request_as_query_params: true }, 'send_refresh_request_as_query_params'],
    [{ use_profile_assertion: true }, 'use_profile_assertion'],
    [{ refresh_token_updater: { refresh_token_name: 'next' } }, 'refresh_token_name'],
    [{ refresh_request_body: { a: [1] } }, 'a of refresh_request_body'],
    [{ refresh_request_body: { a: "{{ config['region'] | upper }}" } }, 'is computed'],
    [{ refresh_request_body: { a: '[1]' } }, 'is no text'],
    [{ refresh_request_headers: { Authorization: `Bearer ${place('password')}` } }, 'other than the client'],
    [{ refresh_request_headers: { authorization: 'x' } }, 'other than the client'],
    [{ token_refresh_endpoint: `https://${place('region')}.books.test/token` }, 'an address of tokens'],
    [{ token_refresh_endpoint: 'http://login.books.test/token' }, 'an address of tokens'],
    [{ grant_type: 'client_credentials' }, 'a refresh token with OAuth'],
  ])('is refused by name: %j', (members, reason) => {
    expect(importedAccess({ ...OAUTH, ...members }).reason).toContain(reason);
  });
});

describe('a sign-in that answers with a token', () => {
  const login = (requester: object, members: object = {}) => ({
    type: 'SessionTokenAuthenticator',
    login_requester: {
      ...{ type: 'HttpRequester', url_base: 'https://login.books.test', path: 'token', http_method: 'POST' },
      ...requester,
    },
    ...{ session_token_path: ['data', 'token'], request_authentication: { type: 'Bearer' }, ...members },
  });
  const MEMBERS = { email: place('email'), password: place('password'), grant: 'local', empty: '' };
  const SENT = { email: CONFIG.email, password: CONFIG.password, grant: 'local' };
  const BODIES = {
    json: { request_body_json: MEMBERS },
    'typed json': { request_body: { type: 'RequestBodyJsonObject', value: MEMBERS } },
    form: { request_body_data: MEMBERS },
    'quoted form': { request_body_data: { ...MEMBERS, password: `'${place('password')}'` } },
    'typed form': { request_body: { type: 'RequestBodyUrlEncodedForm', value: MEMBERS } },
    parameters: { request_parameters: MEMBERS, request_body_json: {} },
    get: { request_parameters: MEMBERS, http_method: 'GET' },
  };
  const option = { type: 'RequestOption', inject_into: 'header', field_name: 'X-Key' };
  const PROOFS = {
    none: [undefined, {}],
    Basic: [
      { type: 'BasicHttpAuthenticator', username: place('client_id'), password: place('client_secret') },
      { authorization: basic(CONFIG.client_id, CONFIG.client_secret) },
    ],
    'a key': [
      { type: 'ApiKeyAuthenticator', api_token: `K ${place('client_secret')}`, inject_into: option },
      { 'x-key': `K ${CONFIG.client_secret}` },
    ],
    'a header that is Basic': [
      undefined,
      { authorization: basic(CONFIG.client_id, CONFIG.client_secret) },
      `Basic {{ (config['client_id'] + ':' + config['client_secret']) | base64encode }}`,
    ],
    'a bearer token': [
      { type: 'BearerAuthenticator', api_token: place('client_secret') },
      { authorization: `Bearer ${CONFIG.client_secret}` },
    ],
  } as const;
  const cases = Object.entries(BODIES).flatMap(([body, requester]) =>
    Object.entries(PROOFS).map(([proof, [authenticator, headers, header]]) => ({
      body,
      requester,
      proof,
      authenticator,
      headers,
      header,
    })),
  );

  it.each(cases)(
    'is that of the CDK: $body with $proof',
    async ({ body, requester, authenticator, headers, header }) => {
      const seen = await tokenRequest(
        login({
          ...requester,
          authenticator,
          request_headers: {
            'X-Region': place('region'),
            Accept: '*/*',
            ...(header && { Authorization: header }),
          },
        }),
      );
      expect(seen.method).toBe(body === 'get' ? 'GET' : 'POST');
      expect(seen.headers).toMatchObject({ ...headers, 'x-region': CONFIG.region, accept: '*/*' });
      const isQuery = body === 'get' || body === 'parameters';
      expect(seen.query).toEqual(isQuery ? sorted(Object.entries(SENT)) : []);
      const type = isQuery ? undefined : body.endsWith('json') ? 'json' : 'form';
      if (type === 'json') expect(JSON.parse(seen.body)).toEqual(SENT);
      else expect(formOf(seen)).toEqual(type ? sorted(Object.entries(SENT)) : []);
      const types = { json: 'application/json', form: 'application/x-www-form-urlencoded' };
      expect(seen.headers['content-type']).toBe(type && types[type]);
    },
  );

  it.each<[object, object]>([
    [{ type: 'Bearer' }, { name: 'authorization', prefix: 'Bearer ' }],
    [
      { type: 'ApiKey', inject_into: option },
      { name: 'X-Key', prefix: '' },
    ],
    [
      { type: 'ApiKey', inject_into: option, api_token: 'Token {{ session_token }}' },
      { name: 'X-Key', prefix: 'Token ' },
    ],
    [
      { type: 'ApiKey', inject_into: { ...option, inject_into: 'request_parameter' } },
      { name: 'X-Key', in: 'query' },
    ],
  ])('sends the token: %j', (request_authentication, expected) => {
    const found = importedAccess(login(BODIES.json, { request_authentication, expiration_duration: 'PT8H' }));
    expect(found.document?.authentication).toMatchObject({
      ...expected,
      expiresAfter: 28_800,
      token: 'data.token',
    });
  });

  it.each<[object, object, string]>([
    [{ request_body_data: 'a=b' }, {}, 'as one text'],
    [{ request_body_json: { a: { b: 'c' } } }, {}, 'a of the body'],
    [{ request_body_json: { ...MEMBERS, a: 3 } }, {}, 'is no text'],
    [{ request_body_json: { ...MEMBERS, a: '3' } }, {}, 'is no text'],
    [{ ...BODIES.json, request_body_data: MEMBERS }, {}, 'two bodies'],
    [{ request_body_json: { email: place('email') } }, {}, 'without a secret'],
    [{ ...BODIES.json, http_method: 'GET' }, {}, 'a GET with a body'],
    [{ ...BODIES.json, http_method: 'PUT' }, {}, 'the method PUT'],
    [{ ...BODIES.json, url_base: `https://${place('region')}.books.test` }, {}, 'an address of tokens'],
    [{ ...BODIES.json, authenticator: { type: 'CustomAuthenticator' } }, {}, 'CustomAuthenticator'],
    [
      {
        ...BODIES.json,
        authenticator: PROOFS.Basic[0],
        request_headers: { authorization: place('password') },
      },
      {},
      'two parts of one name',
    ],
    [BODIES.json, { session_token_path: ['*'] }, 'the path of a token'],
    [BODIES.json, { decoder: { type: 'XmlDecoder' } }, 'the decoder XmlDecoder'],
    [
      BODIES.json,
      { request_authentication: { type: 'ApiKey', inject_into: { ...option, inject_into: 'body_json' } } },
      'in the body',
    ],
  ])('is refused by name: %j %j', (requester, members, reason) => {
    expect(importedAccess(login(requester, members)).reason).toContain(reason);
  });
});

describe('a sign-in of several values', () => {
  const headerOf = (authenticator: object) => {
    const { document, values = {}, reason } = importedAccess(authenticator);
    if (!document) throw new Error(`not imported: ${reason}`);
    const credentials = { accessToken: values.secret ?? '', ...formValuesOf(document, values) };
    return accessOf(document)(credentials).headers.authorization;
  };
  const key = (api_token: string) => ({ type: 'ApiKeyAuthenticator', header: 'Authorization', api_token });
  const bearer = (api_token: string) => ({ type: 'BearerAuthenticator', api_token });
  const user = (username: string) => ({
    type: 'BasicHttpAuthenticator',
    username,
    password: place('password'),
  });

  it.each<[string, object, string]>([
    [
      'two secrets',
      key(`OAuth a="${place('client_secret')}", b="${place('password')}"`),
      `OAuth a="${CONFIG.client_secret}", b="${CONFIG.password}"`,
    ],
    [
      'a field and a secret',
      key(`V1 Id=${place('region')}, Token=${place('password')}`),
      `V1 Id=${CONFIG.region}, Token=${CONFIG.password}`,
    ],
    ['a text after it', key(`${place('password')}:x`), `${CONFIG.password}:x`],
    [
      'a long text before it',
      key(`A long text before the key: ${place('password')}`),
      `A long text before the key: ${CONFIG.password}`,
    ],
    [
      'a sum',
      key("{{ 'K ' + config['region'] ~ ':' ~ config.password }}"),
      `K ${CONFIG.region}:${CONFIG.password}`,
    ],
    [
      'a bearer token with a text',
      bearer(`${place('region')}/${place('password')}`),
      `Bearer ${CONFIG.region}/${CONFIG.password}`,
    ],
    ['a user with a text', user(`${place('email')}/token`), basic(`${CONFIG.email}/token`, CONFIG.password)],
    [
      'a user in a sum',
      user("{{ config['email'] + '/token' }}"),
      basic(`${CONFIG.email}/token`, CONFIG.password),
    ],
    [
      'a user of two fields',
      user(`${place('region')}|${place('email')}`),
      basic(`${CONFIG.region}|${CONFIG.email}`, CONFIG.password),
    ],
    [
      'Basic by a filter',
      key("Basic {{ (config['email'] ~ ':' ~ config['password']) | base64encode }}"),
      basic(CONFIG.email, CONFIG.password),
    ],
    [
      'Basic by a filter without a password',
      key("Basic {{ (config['password'] + ':') | base64encode }}"),
      basic(CONFIG.password, ''),
    ],
    ['a fixed user', user('api'), basic('api', CONFIG.password)],
  ])('is imported: %s', (_, authenticator, expected) => {
    expect(headerOf(authenticator)).toBe(expected);
  });

  const get = (name: string) => `config.get('credentials', {}).get('${name}')`;
  it.each([
    `{{ ${get('api_token')} }}`,
    `{{ config.get('none') or config['credentials']['api_token'] }}`,
    `{{ config['credentials']['api_token'] if config.get('credentials') else config['none'] }}`,
    `{{ ${get('none')} if ${get('type')} == 'a' else ${get('api_token')} if ${get('type')} == 'b' else config.get('other', '') }}`,
  ])('takes the first of some places that the specification has: %s', (template) => {
    expect(headerOf(bearer(template))).toBe(`Bearer ${CONFIG.credentials.api_token}`);
  });

  it.each([
    "{{ config['password'] | upper }}",
    "Basic {{ config['email'] ~ ':' ~ config['password'] | base64encode }}",
    "{{ config['password'] + now_utc() }}",
    'fixed',
    "{% if config['password'] %}a{% endif %}",
    "{{ config['password'] }}{a}",
  ])('is refused: %s', (template) => {
    expect(importedAccess(bearer(template)).document).toBeUndefined();
  });

  it.each([`${place('email')}/token:x`, "{{ config['email'] + ':x' }}", 'fixed:user'])(
    'is refused for a user with a colon: %s',
    (username) => {
      expect(importedAccess(user(username)).reason).toBe('a user with a colon');
    },
  );

  it('is refused for a choice by another value', () => {
    const choice = (condition: string) =>
      bearer(`{{ config['client_secret'] if ${condition} else config['password'] }}`);
    expect(importedAccess(choice("config['region'] == 'test'")).reason).toBe('the token is computed');
    expect(importedAccess(choice("'email' in config")).reason).toBe('the token is computed');
    expect(headerOf(choice("'client_secret' in config"))).toBe(`Bearer ${CONFIG.client_secret}`);
  });

  const sentAs = (inject_into: string, field_name: string) => ({
    ...key(place('password')),
    inject_into: { type: 'RequestOption', inject_into, field_name },
  });
  it.each<[object, string]>([
    [sentAs('header', 'a key'), 'the name of the API key'],
    [sentAs('body_json', 'key'), 'an API key in the body of requests'],
  ])('is refused for the place of its key: %j', (authenticator, reason) => {
    expect(importedAccess(authenticator).reason).toBe(reason);
  });
});
