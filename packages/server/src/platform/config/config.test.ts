import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { StartError } from '../start-error.ts';
import { parseConfig } from './config.ts';
import { SETTINGS } from './settings.ts';

describe('parseConfig', () => {
  it('trims settings and treats blank ones as absent', () => {
    const config = parseConfig({
      GOOGLE_CLIENT_ID: ' ',
      PORT: ' 8080\n',
      PUBLIC_URL: ' https://Deck.example:443/ ',
    });
    expect(config).toMatchObject({ PORT: 8080, PUBLIC_URL: 'https://deck.example', sandbox: false });
    expect(config.GOOGLE_CLIENT_ID).toBeUndefined();
  });

  const KEY = Buffer.alloc(32, 1).toString('base64');

  it.each([
    [{}, true],
    [{ PUBLIC_URL: 'http://localhost:8080' }, true],
    [{ PUBLIC_URL: 'http://[::1]:8080' }, true],
    [{ PUBLIC_URL: 'https://deck.example' }, false],
    [{ PUBLIC_URL: 'http://127.deck.example' }, false],
    [{ HOST: '0.0.0.0' }, false],
    [{ NODE_ENV: 'production', ENCRYPTION_KEY: KEY }, false],
  ])('sets for %j the permission of private addresses to %j', (environment, isAllowed) => {
    const { webhookPrivate, connectHosts } = parseConfig(environment);
    expect(webhookPrivate).toBe(isAllowed);
    expect(connectHosts.includes('127.0.0.1')).toBe(isAllowed);
  });

  it('trusts no proxy by default', () => {
    expect(parseConfig({}).trustedProxies).toEqual([]);
  });

  it.each([
    [{}, true],
    [{ PUBLIC_URL: 'http://localhost:8080' }, true],
    [{ PUBLIC_URL: 'https://deck.example' }, false],
    [{ PUBLIC_URL: 'http://192.168.1.5:3000' }, false],
    [{ HOST: '0.0.0.0' }, false],
    [{ NODE_ENV: 'production', ENCRYPTION_KEY: KEY }, false],
    [{ GITHUB_CLIENT_ID: 'a', GITHUB_CLIENT_SECRET: 'b' }, false],
    [{ HOST: '0.0.0.0', SANDBOX: 'on' }, true],
  ])('sets for %j the sandbox to %j', (environment, runs) => {
    expect(parseConfig(environment).sandbox).toBe(runs);
  });

  it('refuses the sandbox in production', () => {
    const production = { NODE_ENV: 'production', ENCRYPTION_KEY: KEY, SANDBOX: 'on' };
    expect(() => parseConfig(production)).toThrow(/^SANDBOX=on is not possible with NODE_ENV=production/);
  });

  it.each(['loopback', '10.0.0.1', 'loopback, 172.16.0.0/12,fd00::/8'])(
    'accepts %s as trusted proxies',
    (given) => {
      expect(parseConfig({ TRUSTED_PROXIES: given }).trustedProxies).toEqual(given.split(/, ?/));
    },
  );

  it.each(['yes', '*', '10.0.0.1/33', '10.0.0.1/', '1.2.3.4,', 'proxy.example'])(
    'refuses %s as trusted proxies',
    (given) => {
      expect(() => parseConfig({ TRUSTED_PROXIES: given })).toThrow('TRUSTED_PROXIES');
    },
  );

  it.each([
    [{ ROLE: 'web' }, /ROLE=web divides the work.*set DATABASE_URL .* or ROLE=all/],
    [{ DATABASE_DIRECT_URL: 'postgres://db/x' }, /DATABASE_DIRECT_URL is set without DATABASE_URL/],
    [{ PUBLIC_URL: 'datadeck' }, /PUBLIC_URL="datadeck" is not valid; expected an http\(s\) URL/],
    [{ NODE_ENV: 'production' }, /ENCRYPTION_KEY is missing: production needs/],
  ])('refuses %j with the setting and the expected value', (environment, message) => {
    expect(() => parseConfig(environment)).toThrow(message);
  });
});

/** A wrong value of each setting, and what its message says. Settings of any text are wrong without their partner. */
const WRONG: Readonly<Record<string, [value: string, message: RegExp]>> = {
  HOST: ['http://a', /HOST="http:\/\/a" is not valid; expected an address or a host name/],
  PORT: ['70000', /PORT="70000" is not valid; expected a whole number from 0 to 65535/],
  PUBLIC_URL: [
    'https://a/b',
    /PUBLIC_URL="https:\/\/a\/b" is not valid; expected an http\(s\) URL without a path/,
  ],
  DATA_DIR: [
    'x'.repeat(5000),
    /DATA_DIR="x+… \(5000 characters\) is not valid; expected a path of at most 4096/,
  ],
  DATABASE_URL: [
    'mysql://u:hunter2@db/x',
    /DATABASE_URL=\(hidden\) is not valid; expected a postgres:\/\/ URL/,
  ],
  DATABASE_DIRECT_URL: ['db', /DATABASE_DIRECT_URL=\(hidden\) is not valid; expected a postgres:\/\/ URL/],
  SQL_LISTEN: ['db:5433', /SQL_LISTEN="db:5433" is not valid; expected an address and a port/],
  ENCRYPTION_KEY: ['hunter2', /ENCRYPTION_KEY is not valid; expected 32 bytes in base64 or hex/],
  ROLE: ['both', /ROLE="both" is not valid; expected one of all, web, worker/],
  WEB_APP: ['yes', /WEB_APP="yes" is not valid; expected one of on, off/],
  SANDBOX: ['true', /SANDBOX="true" is not valid; expected one of auto, on, off/],
  SANDBOX_FOLDER: ['/nope', /SANDBOX_FOLDER="\/nope" is not valid; expected a folder that exists/],
  SANDBOX_QUOTA_SCALE: ['-1', /SANDBOX_QUOTA_SCALE="-1" is not valid; expected a number of 0 or more/],
  SANDBOX_LATENCY_MS: [
    '1e9',
    /SANDBOX_LATENCY_MS="1e9" is not valid; expected a whole number from 0 to 60000/,
  ],
  GOOGLE_CLIENT_ID: ['a', /GOOGLE_CLIENT_SECRET is missing: .* Set both, or neither/],
  GOOGLE_CLIENT_SECRET: ['hunter2', /GOOGLE_CLIENT_ID is missing: .* Set both, or neither/],
  GITHUB_CLIENT_ID: ['a', /GITHUB_CLIENT_SECRET is missing: .* Set both, or neither/],
  GITHUB_CLIENT_SECRET: ['hunter2', /GITHUB_CLIENT_ID is missing: .* Set both, or neither/],
  MICROSOFT_CLIENT_ID: ['a', /MICROSOFT_CLIENT_SECRET is missing: .* Set both, or neither/],
  MICROSOFT_CLIENT_SECRET: ['hunter2', /MICROSOFT_CLIENT_ID is missing: .* Set both, or neither/],
  MICROSOFT_TENANT: [
    'a/b',
    /MICROSOFT_TENANT="a\/b" is not valid; expected common, organizations, consumers/,
  ],
  MICROSOFT_URL: ['login.microsoftonline.com', /MICROSOFT_URL=.* is not valid; expected an http\(s\) URL/],
  OUTLOOK_IMAP_HOST: [
    'imap://u:hunter2@mail.example',
    /OUTLOOK_IMAP_HOST="imap:\/\/\(hidden\)@mail.example" is not valid; expected a host, a host and a port/,
  ],
  OIDC_PROVIDERS: [
    '{"clientSecret": "hunter2"}',
    /OIDC_PROVIDERS=\(hidden\) is not valid; expected a JSON list/,
  ],
  GOOGLE_ISSUER: ['accounts.google.com', /GOOGLE_ISSUER=.* is not valid; expected an http\(s\) URL/],
  GMAIL_API_URL: [
    'http://u:hunter2@',
    /GMAIL_API_URL="http:\/\/\(hidden\)@" is not valid; expected an http\(s\) URL/,
  ],
  GITHUB_URL: ['ftp://github.com', /GITHUB_URL=.* is not valid; expected an http\(s\) URL/],
  GITLAB_URL: ['gitlab.com', /GITLAB_URL=.* is not valid; expected an http\(s\) URL/],
  GITHUB_API_URL: ['github', /GITHUB_API_URL=.* is not valid; expected an http\(s\) URL/],
  GMAIL_UNITS_PER_MINUTE: [
    'NaN',
    /GMAIL_UNITS_PER_MINUTE="NaN" is not valid; expected a number of 0 or more/,
  ],
  GITHUB_POINTS_PER_MINUTE: [
    '1e400',
    /GITHUB_POINTS_PER_MINUTE=.* is not valid; expected a number of 0 or more/,
  ],
  QUOTA_TIME_SCALE: ['-1', /QUOTA_TIME_SCALE="-1" is not valid; expected a number above 0/],
  CONNECT_HOSTS: ['https://a', /CONNECT_HOSTS=.* is not valid; expected host names separated by commas/],
  DEMO: ['no', /DEMO="no" is not valid; expected one of on, off/],
  SHARING: ['no', /SHARING="no" is not valid; expected one of on, off/],
  PLAN_LIMITS: [
    'x'.repeat(5000),
    /PLAN_LIMITS="x+… \(5000 characters\) is not valid; expected a path of at most 4096/,
  ],
  ALLOWED_HOSTS: ['https://a', /ALLOWED_HOSTS=.* is not valid; expected host names separated by commas/],
  METRICS_TOKEN: ['hunter2', /METRICS_TOKEN=\(hidden\) is not valid; expected at least 16 letters/],
  TRUSTED_PROXIES: ['a', /TRUSTED_PROXIES="a" is not valid; expected addresses or subnets/],
  WEBHOOK_PRIVATE_ADDRESSES: [
    'on',
    /WEBHOOK_PRIVATE_ADDRESSES="on" is not valid; expected one of auto, allow, refuse/,
  ],
  SMTP_URL: ['https://user:hunter2@mail.example', /SMTP_URL=\(hidden\) is not valid; expected a smtp/],
  SMTP_FROM: ['a@b.example', /SMTP_URL is missing: .* Set both, or neither/],
  BACKUP_KEY: ['hunter2', /BACKUP_KEY is not valid; expected 32 bytes in base64 or hex/],
  BACKUP_RECIPIENT: ['AGE-SECRET-KEY-1', /BACKUP_RECIPIENT=.* is not valid; expected a recipient of age/],
  BACKUP_SCHEDULE: ['daily', /BACKUP_SCHEDULE="daily" is not valid; expected a cron line of five fields/],
  BACKUP_FOLDER: ['/tmp', /BACKUP_SCHEDULE is missing: .* Set both, or neither/],
  BACKUP_KEEP: ['0', /BACKUP_KEEP="0" is not valid; expected a whole number from 1 to 1000/],
  LOG_LEVEL: ['trace', /LOG_LEVEL="trace" is not valid; expected one of silent, error, warn, info, debug/],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['localhost:4318', /OTEL_EXPORTER_OTLP_ENDPOINT=.* expected an http\(s\) URL/],
  NODE_ENV: ['prod', /NODE_ENV="prod" is not valid; expected one of development, production, test/],
};

describe.each(SETTINGS.map(({ name }) => name))('the setting %s', (name) => {
  /** Returns the message of the refusal. */
  function refusal(value: string): string {
    try {
      parseConfig({ [name]: value });
    } catch (error) {
      expect(error).toBeInstanceOf(StartError);
      return (error as StartError).message;
    }
    throw new Error(`${name} was accepted`);
  }

  it('is refused with its name, what was expected and no secret', () => {
    const [value, message] = WRONG[name] ?? ['', /^$/];
    expect(refusal(value)).toMatch(message);
    expect(refusal(value)).not.toContain('hunter2');
  });

  it('is refused in a short message when it is too long', () => {
    expect(refusal('x'.repeat(100_000)).length).toBeLessThan(500);
  });

  it('is absent when it is blank', () => {
    expect(parseConfig({ [name]: ' ' })).toEqual(parseConfig({}));
  });
});

const PROVIDER = {
  key: 'keycloak',
  title: 'Keycloak',
  issuer: 'https://id.example.org/realms/main',
  clientId: 'datadeck',
  clientSecret: 'hunter2',
};

describe('OIDC_PROVIDERS', () => {
  const parse = (...providers: object[]) => parseConfig({ OIDC_PROVIDERS: JSON.stringify(providers) });

  it('reads a list, with the default scopes, and turns the sandbox off', () => {
    const { oidcProviders, sandbox } = parse(PROVIDER);
    expect(oidcProviders).toEqual([{ ...PROVIDER, scopes: 'openid email profile' }]);
    expect(sandbox).toBe(false);
    expect(parse({ ...PROVIDER, issuer: 'http://127.0.0.1:8080' }).oidcProviders).toHaveLength(1);
  });

  it('reads a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'datadeck-oidc-'));
    const path = join(folder, 'providers.json');
    writeFileSync(path, JSON.stringify([PROVIDER]));
    expect(parseConfig({ OIDC_PROVIDERS: path }).oidcProviders).toHaveLength(1);
    rmSync(folder, { recursive: true });
  });

  it.each<[object[], RegExp]>([
    [[{ ...PROVIDER, key: 'google' }], /another key than google, .*key of provider 1/],
    [[{ ...PROVIDER, key: 'link' }], /another key than/],
    [[{ ...PROVIDER, key: '../x' }], /small letters, digits and hyphens.*key of provider 1/],
    [[PROVIDER, { ...PROVIDER, issuer: 'https://other.example' }], /a different key for each provider/],
    [[PROVIDER, { ...PROVIDER, key: 'two' }], /a different issuer for each provider/],
    [[{ ...PROVIDER, issuer: 'http://id.example.org' }], /an https URL.*issuer of provider 1/],
    [[{ ...PROVIDER, issuer: 'https://id.example.org/?a=b' }], /an https URL without a query/],
    [[{ ...PROVIDER, issuer: 'https://login.microsoftonline.com/common/v2.0' }], /the issuer of one tenant/],
    [[{ ...PROVIDER, title: '' }], /title of provider 1/],
    [[{ ...PROVIDER, scopes: 'email' }], /'openid' among them/],
    [[{ ...PROVIDER, secret: 'hunter2' }], /no field secret \(provider 1\)/],
    [[{ ...PROVIDER, clientSecret: undefined }], /clientSecret of provider 1/],
    [Array.from({ length: 11 }, () => PROVIDER), /at most 10 providers/],
  ])('refuses %j', (providers, message) => {
    expect(() => parse(...providers)).toThrow(/^Wrong settings:\n {2}OIDC_PROVIDERS=\(hidden\) is not valid/);
    expect(() => parse(...providers)).toThrow(message);
    expect(() => parse(...providers)).not.toThrow(/hunter2/);
  });

  it.each([
    ['[hunter2', /a list in valid JSON/],
    ['/nowhere/providers.json', /a JSON list, or the path of a file/],
    ['{"key": "hunter2"}', /a JSON list, or the path of a file/],
  ])('refuses %s without quoting it', (text, message) => {
    expect(() => parseConfig({ OIDC_PROVIDERS: text })).toThrow(message);
    expect(() => parseConfig({ OIDC_PROVIDERS: text })).not.toThrow(/hunter2/);
  });

  it('refuses a second configuration of Google', () => {
    const google = { ...PROVIDER, issuer: 'https://accounts.google.com/' };
    const environment = { GOOGLE_CLIENT_ID: 'a', GOOGLE_CLIENT_SECRET: 'b' };
    expect(() => parseConfig({ ...environment, OIDC_PROVIDERS: JSON.stringify([google]) })).toThrow(
      'The provider keycloak of OIDC_PROVIDERS has the issuer of Google',
    );
  });
});
