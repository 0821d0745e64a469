import { expect, it } from 'vitest';
import { parseConfig } from '../platform/config/config.ts';
import { configuredEndpoints, createRegistry } from './connector-registry.ts';

const PUBLIC = { PUBLIC_URL: 'https://datadeck.example.org' };
const MICROSOFT = { MICROSOFT_CLIENT_ID: 'id', MICROSOFT_CLIENT_SECRET: 'secret' };
const GOOGLE = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' };

it.each<[string, Record<string, string>, { google?: RegExp; imap?: RegExp; feeds?: RegExp; outlook?: null }]>(
  [
    ['a local server', {}, { google: /GOOGLE_CLIENT_ID.* Mailboxes can be connected by IMAP\.$/ }],
    [
      'a public one',
      PUBLIC,
      {
        google: /CONNECT_HOSTS names imap\.gmail\.com/,
        imap: /CONNECT_HOSTS, for example/,
        feeds: /feeds yet \(CONNECT_HOSTS/,
      },
    ],
    ['a public one with Gmail', { ...PUBLIC, ...GOOGLE }, { imap: /CONNECT_HOSTS/, feeds: /CONNECT_HOSTS/ }],
    [
      'a public one with Outlook',
      { ...PUBLIC, ...MICROSOFT, CONNECT_HOSTS: '*' },
      { google: /can be connected by IMAP\.$/, outlook: null },
    ],
    [
      'one that allows any host',
      { ...PUBLIC, CONNECT_HOSTS: '*' },
      { google: /can be connected by IMAP\.$/ },
    ],
    [
      'one that allows other hosts',
      { ...PUBLIC, CONNECT_HOSTS: 'mail.example' },
      { google: /CONNECT_HOSTS names/ },
    ],
    [
      'one that allows Gmail',
      { ...PUBLIC, CONNECT_HOSTS: '*.gmail.com' },
      { google: /can be connected by IMAP\.$/ },
    ],
  ],
)('the cards of %s say what cannot be connected, and the setting', (_, settings, expected) => {
  const { unavailable } = configuredEndpoints(parseConfig(settings));
  const { outlook = /MICROSOFT_CLIENT_ID and MICROSOFT_CLIENT_SECRET/, ...others } = expected;
  const sentences = { ...others, ...(outlook !== null && { outlook }) };
  expect(Object.keys(unavailable).sort()).toEqual(Object.keys(sentences).sort());
  for (const [key, text] of Object.entries(sentences)) expect(unavailable[key]).toMatch(text);
});

it.each<[Record<string, string>, object]>([
  [{}, { host: 'outlook.office365.com', port: 993, security: 'tls' }],
  [{ OUTLOOK_IMAP_HOST: 'Mail.Example.org' }, { host: 'mail.example.org', port: 993, security: 'tls' }],
  [{ OUTLOOK_IMAP_HOST: '[::1]:1993' }, { host: '::1', port: 1993, security: 'tls' }],
  [{ OUTLOOK_IMAP_HOST: 'imap://127.0.0.1:1143' }, { host: '127.0.0.1', port: 1143, security: 'none' }],
])('reads the mail of Outlook from the server of %j', (settings, expected) => {
  expect(configuredEndpoints(parseConfig(settings)).outlook.mailServer).toEqual(expected);
});

it.each<[Record<string, string>, RegExp]>([
  [{ OUTLOOK_IMAP_HOST: 'http://mail.example.org' }, /OUTLOOK_IMAP_HOST/],
  [{ OUTLOOK_IMAP_HOST: 'mail.example.org/path' }, /OUTLOOK_IMAP_HOST/],
  [{ OUTLOOK_IMAP_HOST: 'imap://ada:secret@mail.example.org' }, /OUTLOOK_IMAP_HOST/],
  [{ MICROSOFT_TENANT: 'a/b' }, /MICROSOFT_TENANT/],
  [{ MICROSOFT_CLIENT_ID: 'id' }, /MICROSOFT_CLIENT_SECRET is missing/],
])('refuses the settings %j', (settings, message) => {
  expect(() => parseConfig(settings)).toThrow(message);
});

it.each([
  ['gitlab.com', {}, 'https://gitlab.com'],
  ['a server of their own', { GITLAB_URL: 'https://git.example.org/' }, 'https://git.example.org'],
])('leads users of %s to its page of tokens', (_, settings, expected) => {
  const registry = createRegistry(configuredEndpoints(parseConfig(settings)));
  const gitlab = registry.all().find(({ key }) => key === 'gitlab');
  const links = gitlab?.formAuthorization?.form.links ?? [];
  expect(links.map(({ url }) => url.split('/-/')[0])).toEqual([expected]);
});
