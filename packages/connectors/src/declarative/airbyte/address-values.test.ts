import { describe, expect, it } from 'vitest';
import { manifest, stream } from '../../../test-support/airbyte/manifests.ts';
import { importManifest } from './import-manifest.ts';

const PROPERTIES = {
  token: { type: 'string', airbyte_secret: true },
  domain: {
    type: 'string',
    title: 'Domain',
    description: 'Such as <b>acme.books.test</b>',
    examples: ['acme.books.test'],
  },
  region: { type: 'string', enum: ['us', 'eu'], default: 'us' },
  sandbox: { type: 'boolean', default: false },
  port: { type: 'integer', default: 8443 },
  odd: { type: 'string', enum: ['a', 'b'], default: 'c' },
  credentials: {
    type: 'object',
    oneOf: ['https://one.books.test', 'https://two.books.test'].map((url) => ({
      properties: { url: { type: 'string', const: url } },
    })),
  },
};
const spec = { type: 'Spec', connection_specification: { type: 'object', properties: PROPERTIES } };

/** Imports a manifest whose streams have an address. */
function importedAt(url_base: string, values?: Record<string, string>, requester: object = {}) {
  const streams = ['books', 'shelves'].map((name) => stream(name, { requester: { url_base, ...requester } }));
  const {
    document,
    addresses,
    streams: outcomes,
  } = importManifest(manifest(streams, { spec }), {
    key: 'books',
    title: 'Books',
    values,
  });
  return {
    base: document && document.baseUrl + (document.entities[0]?.request.path ?? ''),
    fields: document?.connect.fields.map(({ name }) => name),
    asked: addresses.map(({ path, value }) => `${path}=${value}`),
    addresses,
    reason: outcomes[0]?.reason,
    document,
  };
}

describe('an address that depends on the configuration', () => {
  it.each<[string, Record<string, string> | undefined, string, string[]]>([
    [
      "https://{{ config['domain'] }}/v1",
      { domain: 'acme.books.test' },
      'https://acme.books.test/v1/books',
      ['domain=acme.books.test'],
    ],
    [
      "https://{{ config['domain'] }}/v1",
      { domain: 'https://acme.books.test' },
      'https://acme.books.test/v1/books',
      ['domain=https://acme.books.test'],
    ],
    [
      "{{ config['domain'] }}/v1",
      { domain: 'https://Acme.books.test/' },
      'https://acme.books.test/v1/books',
      ['domain=https://Acme.books.test/'],
    ],
    [
      "https://api.{{ config['domain'] }}:{{ config.port }}",
      { domain: 'books.test' },
      'https://api.books.test:8443/books',
      ['domain=books.test', 'port=8443'],
    ],
    [
      "{{ 'https://sandbox.books.test' if config['sandbox'] else 'https://api.books.test' }}/v2",
      undefined,
      'https://api.books.test/v2/books',
      ['sandbox=false'],
    ],
    [
      "{{ 'https://sandbox.books.test' if config['sandbox'] else 'https://api.books.test' }}/v2",
      { sandbox: 'true' },
      'https://sandbox.books.test/v2/books',
      ['sandbox=true'],
    ],
    [
      "{% if config.region == 'eu' %}https://eu.books.test/{% else %}https://us.books.test/{% endif %}",
      { region: 'eu' },
      'https://eu.books.test/books',
      ['region=eu'],
    ],
    [
      "https://{{ '' if config.region == 'us' else config.region + '.' }}books.test",
      { region: 'eu' },
      'https://eu.books.test/books',
      ['region=eu'],
    ],
    [
      "{{ config.get('api_url', 'https://api.books.test') }}/v1",
      undefined,
      'https://api.books.test/v1/books',
      ['api_url='],
    ],
    [
      "{{ config['api_url'] or 'https://api.books.test' }}/v1",
      { api_url: 'https://own.books.test' },
      'https://own.books.test/v1/books',
      ['api_url=https://own.books.test'],
    ],
    [
      "{{ config['credentials']['url'] }}",
      { 'credentials.url': 'https://two.books.test' },
      'https://two.books.test/books',
      ['credentials.url=https://two.books.test'],
    ],
  ])('has its value when it is imported: %s', (address, values, base, asked) => {
    const found = importedAt(address, values);
    expect([found.base, found.asked, found.fields, found.reason]).toEqual([base, asked, [], undefined]);
  });

  it('is one field of people where only a label is missing, unless it is given', () => {
    const address = 'https://{{ config["domain"] }}.books.test/v1';
    expect(importedAt(address)).toMatchObject({
      base: 'https://{config.domain}.books.test/v1/books',
      asked: [],
    });
    expect(importedAt(address, { domain: 'acme' })).toMatchObject({
      base: 'https://acme.books.test/v1/books',
      fields: [],
    });
  });

  it('leaves templates after the host to people', () => {
    const { document, fields } = importedAt('https://{{ config.domain }}/{{ config.region }}/v1', {
      domain: 'a.test',
    });
    expect([document?.baseUrl, fields]).toEqual(['https://a.test', ['region']]);
  });

  it.each(['https://{{ config.domain }}/{{ config.region }}', '{{ config.domain }}/{{ config.region }}'])(
    'needs no value for them before the host is known: %s',
    (address) => expect(importedAt(address).asked).toEqual(['domain=']),
  );

  it('has the same value everywhere', () => {
    const { document } = importedAt(
      'https://{{ config.domain }}/',
      { domain: 'a.test' },
      {
        request_parameters: { of: '{{ config.domain }}' },
      },
    );
    expect(document?.entities[0]?.request.query).toEqual({ of: '"a.test"' });
  });

  it.each<[string, Record<string, string>, string]>([
    ["https://{{ config['domain'] }}/v1", {}, 'an address that needs a value of domain'],
    [
      "https://{{ config['domain'] }}.{{ config.zone }}/v1",
      {},
      'an address that needs a value of domain and zone',
    ],
    ["{{ config['domain'] }}/v1", { domain: 'http://acme.books.test' }, 'an address without TLS'],
    [
      "https://{{ config['domain'] }}/v1",
      { domain: 'user:pass@books.test' },
      '“https://user:pass@books.test/v1” as an address',
    ],
    [
      "https://{{ config['domain'] }}/v1",
      { domain: 'books.test#' },
      '“https://books.test#/v1” as an address',
    ],
    ["https://{{ config['domain'] }}/v1", { domain: 'localhost' }, '“https://localhost/v1” as an address'],
    [
      "https://{{ config['token'] }}.books.test/{{ config.domain }}",
      { token: 'x' },
      'the secret token in an address',
    ],
    ["https://{{ config['port'] }}.books.test", { port: 'x' }, 'the value “x” of port'],
    ["https://{{ config['region'] }}.{{ config.domain }}", { region: 'asia' }, 'the value “asia” of region'],
    [
      "https://{{ config['domain'] }}/v1",
      { domain: 'a.test/{{ config.region }}' },
      'the value “a.test/{{ config.region }}” of domain',
    ],
    [
      "https://{{ 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' | regex_search('(a+)+$') }}.test",
      {},
      'an address with a pattern',
    ],
    ['{{ stream_partition.url }}/v1', {}, 'the part url of the stream'],
  ])('leaves the stream out with a reason: %s', (address, values, reason) => {
    expect(importedAt(address, values)).toMatchObject({ base: undefined, reason });
  });

  it('has no value for others where it could not be filled in', () => {
    const one = stream('books', { requester: { url_base: "https://{{ config['domain'] }}/v1" } });
    const other = stream('shelves', {
      requester: {
        request_parameters: { domain: "{{ config['domain'] }}" },
        path: "{{ 'a' if config.domain == 'x' else 'b' }}",
      },
    });
    const { document, streams } = importManifest(manifest([one, other], { spec }), {
      key: 'lib',
      title: 'Lib',
    });
    expect(streams[0]?.reason).toBe('an address that needs a value of domain');
    expect(document?.connect.fields.map(({ name }) => name)).toEqual(['domain']);
    expect(document?.entities[0]?.request.query.domain).toContain('config.domain');
    expect(document?.entities[0]?.request.path).toContain('config.domain');
  });

  it('may have the default of the specification, which is none of its choices', () => {
    expect(importedAt("https://{{ config['odd'] }}.books.test", { odd: 'c' }).base).toBe(
      'https://c.books.test/books',
    );
  });

  it('is described as the specification does', () => {
    const { addresses } = importedAt(
      "https://{{ config['domain'] }}/{{ config.region }}{% if config.region %}{% endif %}",
    );
    expect(addresses).toEqual([
      {
        path: 'domain',
        label: 'Domain',
        tip: 'Such as acme.books.test',
        value: '',
        choices: [],
        example: 'acme.books.test',
      },
      { path: 'region', label: 'region', tip: '', value: 'us', choices: ['us', 'eu'], example: '' },
    ]);
    expect(importedAt("{{ config['credentials']['url'] }}").addresses[0]?.choices).toEqual([
      'https://one.books.test',
      'https://two.books.test',
    ]);
  });

  it('is the same for requests and tokens, also where a label is missing', () => {
    const authenticator = {
      type: 'OAuthAuthenticator',
      token_refresh_endpoint: 'https://{{ config.region }}.books.test/token',
      grant_type: 'client_credentials',
      client_id: "{{ config['client_id'] }}",
      client_secret: "{{ config['token'] }}",
    };
    const found = importedAt(
      'https://{{ config.region }}.books.test/v1',
      { region: 'eu' },
      { authenticator },
    );
    const others = importedAt('https://{{ config.region }}.books.test/v1', undefined, { authenticator });
    expect([found.base, others.base]).toEqual([
      'https://eu.books.test/v1/books',
      'https://us.books.test/v1/books',
    ]);
    expect(others.document?.authentication).toMatchObject({ tokenUrl: 'https://us.books.test/token' });
    expect([found.fields, others.fields]).toEqual([['clientId'], ['clientId']]);
  });

  it('may be that of tokens', () => {
    const authenticator = {
      type: 'OAuthAuthenticator',
      token_refresh_endpoint: 'https://login.{{ config.domain }}/token',
      grant_type: 'client_credentials',
      client_id: "{{ config['client_id'] }}",
      client_secret: "{{ config['token'] }}",
    };
    const { document } = importedAt('https://books.test', { domain: 'books.test' }, { authenticator });
    expect(document?.authentication).toMatchObject({ tokenUrl: 'https://login.books.test/token' });
  });
});

it.each([
  ['https://books.test/v1', '/', '/v1'],
  ['https://books.test/v1/', '/', '/v1/'],
  ['https://books.test/v1/', '//all', '/v1/all'],
  ['https://books.test/v1', 'all/', '/v1/all/'],
  ['https://books.test/v1', '', '/v1'],
  ['https://other.test', 'https://books.test/v2/all', '/v2/all'],
  ['https://books.test/v1', "{{ '/all' }}", '/v1/all'],
  ['https://books.test/v1', "{{ 'a' }}/{{ 'b c' }}", '/v1/a/b%20c'],
])('joins %s and %s as the CDK does', (url_base, path, joined) => {
  expect(importedAt(url_base, undefined, { path }).document?.entities[0]?.request.path).toBe(joined);
});

it('refuses a path that leads to another host', () => {
  const { reason } = importedAt('https://books.test', undefined, { path: "{{ 'https://other.test/' }}all" });
  expect(reason).toBe('requests to another host');
});

describe('streams with the same name', () => {
  const child = (name: string, path: string, parameters: object) =>
    stream(name, {
      requester: { path: `/books/{{ stream_partition.book }}/${name}` },
      retriever: {
        partition_router: {
          type: 'SubstreamPartitionRouter',
          $parameters: parameters,
          parent_stream_configs: [
            {
              type: 'ParentStreamConfig',
              parent_key: 'id',
              partition_field: 'book',
              stream: stream('books', { requester: { path } }),
            },
          ],
        },
      },
    });

  it('are one entity where they are translated alike, otherwise several', () => {
    const { document, streams } = importManifest(
      manifest([
        stream('books'),
        child('pages', '/books', { a: 1 }),
        child('notes', '/books', { a: 2 }),
        child('marks', '/old-books', {}),
      ]),
      { key: 'lib', title: 'Library' },
    );
    expect(streams.map(({ reason }) => reason)).toEqual([undefined, undefined, undefined, undefined]);
    expect(document?.entities.map(({ id, title, parent }) => [id, title, parent])).toEqual([
      ['lib-books', 'Books', undefined],
      ['lib-pages', 'Pages', 'lib-books'],
      ['lib-notes', 'Notes', 'lib-books'],
      ['lib-books2', 'Books 2', undefined],
      ['lib-marks', 'Marks', 'lib-books2'],
    ]);
  });
});
