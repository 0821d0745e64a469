import { expect, test } from 'vitest';
import { parseConfig } from './config.ts';

// @covers 10.where-others-can
test('blank settings count as absent, and none keeps the blanks around it', () => {
  const config = parseConfig({
    GOOGLE_CLIENT_ID: ' ',
    PORT: ' 8080\n',
    PUBLIC_URL: ' https://Deck.example:443/ ',
  });
  expect(config).toMatchObject({ PORT: 8080, PUBLIC_URL: 'https://deck.example', sandbox: false });
  expect(config.GOOGLE_CLIENT_ID).toBeUndefined();
});

const KEY = Buffer.alloc(32, 1).toString('base64');

// @covers 10.where-others-can
test.each([
  [{}, true],
  [{ PUBLIC_URL: 'http://localhost:8080' }, true],
  [{ PUBLIC_URL: 'http://[::1]:8080' }, true],
  [{ PUBLIC_URL: 'https://deck.example' }, false],
  [{ PUBLIC_URL: 'http://127.deck.example' }, false],
  [{ HOST: '0.0.0.0' }, false],
  [{ NODE_ENV: 'production', ENCRYPTION_KEY: KEY }, false],
])('with %j, what users name may lead to this machine: %j', (environment, may) => {
  const { webhookPrivate, connectHosts } = parseConfig(environment);
  expect(webhookPrivate).toBe(may);
  expect(connectHosts.includes('127.0.0.1')).toBe(may);
});

test('no proxy is trusted by default', () => {
  expect(parseConfig({}).trustedProxies).toEqual([]);
});

test.each([
  [{}, true],
  [{ PUBLIC_URL: 'http://localhost:8080' }, true],
  [{ PUBLIC_URL: 'https://deck.example' }, false],
  [{ PUBLIC_URL: 'http://192.168.1.5:3000' }, false],
  [{ HOST: '0.0.0.0' }, false],
  [{ NODE_ENV: 'production', ENCRYPTION_KEY: KEY }, false],
  [{ GITHUB_CLIENT_ID: 'a', GITHUB_CLIENT_SECRET: 'b' }, false],
  [{ HOST: '0.0.0.0', SANDBOX: 'on' }, true],
])('with %j the sandbox runs: %j', (environment, runs) => {
  expect(parseConfig(environment).sandbox).toBe(runs);
});

test('the sandbox is refused in production', () => {
  const production = { NODE_ENV: 'production', ENCRYPTION_KEY: KEY, SANDBOX: 'on' };
  expect(() => parseConfig(production)).toThrow(/^SANDBOX=on is not possible with NODE_ENV=production/);
});

test.each(['loopback', '10.0.0.1', 'loopback, 172.16.0.0/12,fd00::/8'])('%s may be trusted', (given) => {
  expect(parseConfig({ TRUSTED_PROXIES: given }).trustedProxies).toEqual(given.split(/, ?/));
});

test.each(['yes', '*', '10.0.0.1/33', '10.0.0.1/', '1.2.3.4,', 'proxy.example'])(
  '%s is no proxy',
  (given) => {
    expect(() => parseConfig({ TRUSTED_PROXIES: given })).toThrow('TRUSTED_PROXIES');
  },
);

test.each([
  [{ PORT: 'eighty' }, /PORT="eighty" is not valid; expected a whole number from 0 to 65535/],
  [{ ROLE: 'both' }, /ROLE="both" is not valid; expected one of all, web, worker/],
  [{ PUBLIC_URL: 'datadeck' }, /PUBLIC_URL="datadeck" is not valid; expected an http\(s\) URL/],
  [{ PUBLIC_URL: 'https://example.org/deck' }, /PUBLIC_URL=.* expected an http\(s\) URL without a path/],
  [{ SANDBOX_FOLDER: '/nope' }, /SANDBOX_FOLDER="\/nope" is not valid; expected a folder that exists/],
  [{ NODE_ENV: 'production' }, /ENCRYPTION_KEY is missing: production needs/],
  [{ GOOGLE_CLIENT_ID: 'x' }, /GOOGLE_CLIENT_SECRET is missing/],
])('%j is refused with the setting and what to do', (environment, message) => {
  expect(() => parseConfig(environment)).toThrow(message);
});
