import { type ConnectorDocument, connectorDocumentSchema } from '@datadeck/contract/connector-document';
import { describe, expect, it } from 'vitest';
import { ProviderError } from '../sdk/index.ts';
import { accessOf, baseAddressOf } from './access.ts';

const SECRET = 's3cret';
type Input = Partial<Pick<ConnectorDocument, 'baseUrl' | 'authentication'>>;

function documentWith({ baseUrl = 'https://api.example.com', authentication = { kind: 'bearer' } }: Input) {
  const { shape } = connectorDocumentSchema;
  return {
    title: 'Tickets',
    baseUrl: shape.baseUrl.parse(baseUrl),
    authentication: shape.authentication.parse(authentication),
    connect: shape.connect.parse({
      fields: ['site', 'address', 'user'].map((name) => ({ name, label: name })),
      secret: { name: 'token', label: 'API token' },
    }),
  };
}

function refusal(make: () => unknown): Pick<ProviderError, 'failure' | 'field' | 'message'> {
  try {
    return { failure: 'malformed', field: undefined, message: `not refused: ${JSON.stringify(make())}` };
  } catch (error) {
    if (error instanceof ProviderError) return error;
    throw error;
  }
}

describe('the base address of a document', () => {
  const withSite = documentWith({ baseUrl: 'https://{config.site}.example.com:8443/api/v1/' });

  it.each([
    ['acme', 'acme'],
    ['ACME', 'acme'],
    [' acme-2 ', 'acme-2'],
    ['1', '1'],
    ['xn--mnchen-3ya', 'xn--mnchen-3ya'],
    ['a'.repeat(63), 'a'.repeat(63)],
  ])('takes one label of a host name: %s', (site, label) => {
    expect(baseAddressOf(withSite, { site })).toBe(`https://${label}.example.com:8443/api/v1`);
  });

  it.each([
    ['https://{config.site}.example.com:8443/api/v1/', '', '.example.com'],
    ['https://{config.site}-dsn.example.net:8443/api/v1', '', '-dsn.example.net'],
    ['https://api-{config.site}.example.com:8443/api/v1', 'api-', '.example.com'],
    ['https://a{config.site}b.eu.example.com:8443/api/v1', 'a', 'b.eu.example.com'],
  ])('never leads to another host, port, path or scheme for any value in %s', (baseUrl, before, after) => {
    const document = documentWith({ baseUrl });
    const most = 63 - before.length - after.indexOf('.');
    const pieces = [
      '',
      'a',
      '-',
      '.',
      '/',
      '\\',
      '@',
      ':',
      '#',
      '?',
      '%2e',
      '%',
      ' ',
      '\t',
      '\n',
      '\0',
      'é',
      '。',
      '{',
      '}',
      '$&',
      '[',
      '127.0.0.1',
      'evil.example',
    ];
    const values = pieces.flatMap((first) =>
      pieces.flatMap((second) => ['', 'b'].map((last) => first + second + last)),
    );
    const longest = [most, most + 1, 64].map((length) => 'a'.repeat(length));
    const strange = [undefined, ...longest, 'xn--zz--', 'http://x', '{config.site}', 'a..b'];
    for (const site of [...values, ...strange]) {
      const fields = site === undefined ? {} : { site };
      const text = site?.trim() ?? '';
      const isLabel = text.length <= most && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i.test(text);
      if (isLabel) {
        const url = new URL(baseAddressOf(document, fields));
        expect(url.href, site).toBe(`https://${before}${text}${after}:8443/api/v1`);
      } else
        expect(
          refusal(() => baseAddressOf(document, fields)),
          site,
        ).toMatchObject({ failure: 'invalid', field: 'site' });
    }
  });

  it('is the origin of an address that a person enters', () => {
    const document = documentWith({ baseUrl: '{config.address}', authentication: { kind: 'none' } });
    for (const [address, origin] of [
      ['https://example.org', 'https://example.org'],
      [' HTTP://Example.org:80/feed.xml?key=a#b ', 'http://example.org'],
      ['https://example.org:8443/', 'https://example.org:8443'],
    ] as const)
      expect(accessOf(document)({ accessToken: '', fields: { address } })).toEqual({
        apiUrl: origin,
        headers: {},
        query: {},
      });
    for (const address of [
      '',
      'example.org',
      'ftp://example.org',
      'file:///etc/hosts',
      'https://',
      'https://ada@example.org',
      'https://ada:b@example.org',
      'javascript:1',
      'data:,a',
      'blob:https://example.org/1',
    ])
      expect(
        refusal(() => baseAddressOf(document, { address })),
        address,
      ).toMatchObject({ failure: 'invalid', field: 'address' });
  });

  it('takes no secret to an address that a person enters', () => {
    for (const authentication of [
      { kind: 'bearer' },
      { kind: 'api-key', in: 'query', name: 'key', prefix: '' },
      { kind: 'basic', user: 'user' },
    ] as const) {
      const document = { ...documentWith({}), baseUrl: '{config.address}', authentication };
      const fields = { address: 'https://evil.example' };
      expect(
        refusal(() => accessOf(document)({ accessToken: SECRET, fields })).failure,
        authentication.kind,
      ).toBe('invalid');
    }
  });

  it('is replaced by the address of an operator', () => {
    for (const baseUrl of [
      'https://{config.site}.example.com',
      'https://api.example.com',
      '{config.address}',
    ])
      expect(
        baseAddressOf({ ...documentWith({}), baseUrl }, {}, { baseUrl: 'https://git.example.org/api/v4/' }),
      ).toBe('https://git.example.org/api/v4');
  });
});

describe('what proves the identity', () => {
  const proofOf = (authentication: ConnectorDocument['authentication'], fields = {}, accessToken = SECRET) =>
    accessOf(documentWith({ authentication }))({ accessToken, fields });

  it.each([
    [{ kind: 'none' }, {}, {}],
    [{ kind: 'bearer' }, { authorization: 'Bearer s3cret' }, {}],
    [{ kind: 'api-key', in: 'header', name: 'X-Api-Key', prefix: '' }, { 'x-api-key': SECRET }, {}],
    [
      { kind: 'api-key', in: 'header', name: 'Authorization', prefix: 'Token ' },
      { authorization: 'Token s3cret' },
      {},
    ],
    [{ kind: 'api-key', in: 'query', name: 'api_key', prefix: 'k-' }, {}, { api_key: 'k-s3cret' }],
    [
      { kind: 'basic', user: 'user' },
      { authorization: `Basic ${Buffer.from('adä:s3cret').toString('base64')}` },
      {},
    ],
  ] as const)('is sent as the document says: %j', (authentication, headers, query) => {
    expect(proofOf(authentication, { user: 'adä' })).toEqual({
      apiUrl: 'https://api.example.com',
      headers,
      query,
    });
  });

  it('refuses a secret that no header can have, without naming it', () => {
    for (const accessToken of [
      `${SECRET}\r\nx-other: 1`,
      `${SECRET}\0`,
      `${SECRET} – x`,
      `${SECRET}\u{1f600}`,
    ])
      for (const authentication of [
        { kind: 'bearer' },
        { kind: 'api-key', in: 'header', name: 'x-key', prefix: '' },
      ] as const) {
        const { failure, field, message } = refusal(() => proofOf(authentication, {}, accessToken));
        expect([failure, field]).toEqual(['invalid', 'token']);
        expect(message).not.toContain(SECRET);
      }
  });

  it('refuses a user name with a colon', () => {
    expect(refusal(() => proofOf({ kind: 'basic', user: 'user' }, { user: 'a:b' }))).toMatchObject({
      failure: 'invalid',
      field: 'user',
    });
  });
});
