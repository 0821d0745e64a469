import { expect, it } from 'vitest';
import { parseConfig } from '../platform/config/config.ts';
import { configuredEndpoints } from './connector-registry.ts';

const PUBLIC = { PUBLIC_URL: 'https://datadeck.example.org' };
const GOOGLE = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' };

it.each<[string, Record<string, string>, { google?: RegExp; imap?: RegExp }]>([
  ['a local server', {}, { google: /GOOGLE_CLIENT_ID.* Mailboxes can be connected by IMAP\.$/ }],
  [
    'a public one',
    PUBLIC,
    { google: /CONNECT_HOSTS names imap\.gmail\.com/, imap: /CONNECT_HOSTS, for example/ },
  ],
  ['a public one with Gmail', { ...PUBLIC, ...GOOGLE }, { imap: /CONNECT_HOSTS/ }],
  ['one that allows any host', { ...PUBLIC, CONNECT_HOSTS: '*' }, { google: /can be connected by IMAP\.$/ }],
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
])('the cards of %s say what cannot be connected, and the setting', (_, settings, expected) => {
  const { unavailable } = configuredEndpoints(parseConfig(settings));
  expect(Object.keys(unavailable).sort()).toEqual(Object.keys(expected).sort());
  for (const [key, text] of Object.entries(expected)) expect(unavailable[key]).toMatch(text);
});
