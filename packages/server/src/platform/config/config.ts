import { isIP } from 'node:net';
import { resolve } from 'node:path';
import type { z } from 'zod';
import { Keyring, parseSecretKey, type SecretKey } from '../encryption.ts';
import type { MailSettings } from '../mail.ts';
import { StartError } from '../start-error.ts';
import type { OidcProvider } from './oidc-providers.ts';
import { environmentSchema, SETTINGS } from './settings.ts';

/** Issuer of Google's ID tokens. */
export const GOOGLE_ISSUER = 'https://accounts.google.com';

/** Longest start of a wrong value that is shown. */
const MAX_SHOWN = 100;

type Environment = z.infer<typeof environmentSchema>;

/** The parsed settings. */
export type Config = Omit<
  Environment,
  | 'DATA_DIR'
  | 'SANDBOX'
  | 'OIDC_PROVIDERS'
  | 'CONNECT_HOSTS'
  | 'TRUSTED_PROXIES'
  | 'WEBHOOK_PRIVATE_ADDRESSES'
  | 'SMTP_URL'
  | 'SMTP_FROM'
  | 'BACKUP_KEY'
  | 'BACKUP_RECIPIENT'
  | 'BACKUP_SCHEDULE'
  | 'BACKUP_FOLDER'
  | 'BACKUP_KEEP'
> & {
  /** Absolute path. */
  DATA_DIR: string;
  /** The OpenID Connect providers on the login screen, in addition to Google. */
  oidcProviders: readonly OidcProvider[];
  mail?: MailSettings;
  /** Encrypts backups. */
  backupKey?: SecretKey;
  /** Recipient of age for whom backups are encrypted. Never beside backupKey. */
  backupRecipient?: string;
  /** When and where backups are written; the folder is an absolute path. */
  scheduledBackups?: { schedule: string; folder: string; keep: number };
  /** Servers that users may connect to by a form: host names, `*.domain` or `*`. */
  connectHosts: readonly string[];
  /** Addresses and subnets whose X-Forwarded-For is trusted. */
  trustedProxies: readonly string[];
  /** Whether the sandbox replaces the providers (SANDBOX with `auto` resolved). */
  sandbox: boolean;
  /** Whether webhooks may target private networks (WEBHOOK_PRIVATE_ADDRESSES with `auto` resolved). */
  webhookPrivate: boolean;
};

/** Returns whether a host name or address is this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** Returns whether others can access the product; then users must not access the private network or the sandbox. */
function isPubliclyReachable(env: Environment): boolean {
  if (env.NODE_ENV === 'production' || !isLoopback(env.HOST)) return true;
  return (
    env.PUBLIC_URL !== undefined && !isLoopback(new URL(env.PUBLIC_URL).hostname.replace(/^\[|\]$/g, ''))
  );
}

function decideSandbox(env: Environment): boolean {
  if (env.SANDBOX === 'on' && env.NODE_ENV === 'production')
    throw new StartError(
      'SANDBOX=on is not possible with NODE_ENV=production: anybody could sign in as a sample account. Set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET instead.',
    );
  if (env.SANDBOX !== 'auto') return env.SANDBOX === 'on';
  const hasCredentials = Boolean(env.GOOGLE_CLIENT_ID ?? env.GITHUB_CLIENT_ID ?? env.MICROSOFT_CLIENT_ID);
  return !hasCredentials && env.OIDC_PROVIDERS.length === 0 && !isPubliclyReachable(env);
}

/** Returns the allowed hosts: by default any public server and this machine on a local installation, else none. */
function decideHosts(env: Environment): readonly string[] {
  if (env.CONNECT_HOSTS !== undefined) return env.CONNECT_HOSTS;
  if (isPubliclyReachable(env)) return [];
  return ['*', 'localhost', '127.0.0.1', '::1'];
}

function decideWebhookPrivate(env: Environment): boolean {
  if (env.WEBHOOK_PRIVATE_ADDRESSES !== 'auto') return env.WEBHOOK_PRIVATE_ADDRESSES === 'allow';
  return !isPubliclyReachable(env);
}

function requirePair(env: Environment, prefix: 'GOOGLE' | 'GITHUB' | 'MICROSOFT'): void {
  const id = env[`${prefix}_CLIENT_ID`];
  const secret = env[`${prefix}_CLIENT_SECRET`];
  if (Boolean(id) === Boolean(secret)) return;
  const missing = id ? `${prefix}_CLIENT_SECRET` : `${prefix}_CLIENT_ID`;
  throw new StartError(
    `${missing} is missing: ${prefix}_CLIENT_ID and ${prefix}_CLIENT_SECRET belong together. Set both, or neither.`,
  );
}

function refuseSecondGoogle(env: Environment): void {
  if (env.GOOGLE_CLIENT_ID === undefined) return;
  const google = new URL(env.GOOGLE_ISSUER ?? GOOGLE_ISSUER).href;
  const second = env.OIDC_PROVIDERS.find(({ issuer }) => new URL(issuer).href === google);
  if (second)
    throw new StartError(
      `The provider ${second.key} of OIDC_PROVIDERS has the issuer of Google, which GOOGLE_CLIENT_ID configures. Remove one of the two.`,
    );
}

/** Returns the settings of scheduled backups, if there are any. */
function decideBackups(env: Environment): Pick<Config, 'backupKey' | 'backupRecipient' | 'scheduledBackups'> {
  const { BACKUP_SCHEDULE: schedule, BACKUP_FOLDER: folder, BACKUP_KEEP: keep } = env;
  const { BACKUP_KEY: key, BACKUP_RECIPIENT: backupRecipient } = env;
  if (key !== undefined && backupRecipient !== undefined)
    throw new StartError(
      'BACKUP_KEY and BACKUP_RECIPIENT are both set, but a backup has one key. Unset one of them.',
    );
  if ((schedule === undefined) !== (folder === undefined))
    throw new StartError(
      `${schedule === undefined ? 'BACKUP_SCHEDULE' : 'BACKUP_FOLDER'} is missing: BACKUP_SCHEDULE and BACKUP_FOLDER belong together. Set both, or neither.`,
    );
  return {
    ...(key !== undefined && { backupKey: parseSecretKey(key, 'BACKUP_KEY') }),
    ...(backupRecipient !== undefined && { backupRecipient }),
    ...(schedule !== undefined &&
      folder !== undefined && { scheduledBackups: { schedule, folder: resolve(folder), keep } }),
  };
}

/** Returns the settings of mails, if there are any. */
function decideMail({ SMTP_URL: url, SMTP_FROM: from }: Environment): Pick<Config, 'mail'> {
  if ((url === undefined) !== (from === undefined))
    throw new StartError(
      `${url === undefined ? 'SMTP_URL' : 'SMTP_FROM'} is missing: SMTP_URL and SMTP_FROM belong together. Set both, or neither.`,
    );
  return url === undefined || from === undefined ? {} : { mail: { url, from } };
}

/** Returns a wrong value for its message: cut off, and without the password of a URL. */
function shownValue(value: string): string {
  const text = JSON.stringify(value.replace(/\/\/[^/@]*@/, '//(hidden)@'));
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}… (${value.length} characters)` : text;
}

/**
 * Parses the environment. Blank values count as absent.
 * @throws StartError that lists each invalid setting and the expected value
 */
export function parseConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    SETTINGS.flatMap(({ name }) => {
      const value = environment[name]?.trim();
      return value ? [[name, value]] : [];
    }),
  );
  const parsed = environmentSchema.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => {
      const name = String(issue.path[0]);
      const isSecret = SETTINGS.some((setting) => setting.name === name && setting.isSecret);
      const shown = isSecret ? '(hidden)' : shownValue(given[name] ?? '');
      return `  ${name}=${shown} is not valid; expected ${issue.message}`;
    });
    throw new StartError(`Wrong settings:\n${lines.join('\n')}\nSee docs/run/settings.md.`);
  }
  const env = parsed.data;
  // Throws for a key that cannot be used.
  if (env.ENCRYPTION_KEY !== undefined) new Keyring(env.ENCRYPTION_KEY);
  requirePair(env, 'GOOGLE');
  requirePair(env, 'GITHUB');
  requirePair(env, 'MICROSOFT');
  refuseSecondGoogle(env);
  if (env.ROLE !== 'all' && env.DATABASE_URL === undefined)
    throw new StartError(
      `ROLE=${env.ROLE} divides the work between processes, which need one database: set DATABASE_URL to the same PostgreSQL for all of them, or ROLE=all.`,
    );
  if (env.DATABASE_DIRECT_URL !== undefined && env.DATABASE_URL === undefined)
    throw new StartError(
      'DATABASE_DIRECT_URL is set without DATABASE_URL: it is the way to the same database without a connection pooler. Set DATABASE_URL to the pooler, or remove DATABASE_DIRECT_URL.',
    );
  if (env.SQL_LISTEN !== undefined && env.DATABASE_URL !== undefined)
    throw new StartError(
      'SQL_LISTEN is for the embedded database, but DATABASE_URL names another one. Remove SQL_LISTEN, and let the roles connect to that server.',
    );
  if (env.NODE_ENV === 'production' && env.ENCRYPTION_KEY === undefined) {
    throw new StartError(
      "ENCRYPTION_KEY is missing: production needs 32 random bytes in base64, for example from 'openssl rand -base64 32'.",
    );
  }
  const {
    DATA_DIR,
    SANDBOX: _sandbox,
    OIDC_PROVIDERS: oidcProviders,
    CONNECT_HOSTS: _hosts,
    TRUSTED_PROXIES: trustedProxies,
    WEBHOOK_PRIVATE_ADDRESSES: _hooks,
    SMTP_URL: _smtpUrl,
    SMTP_FROM: _smtpFrom,
    BACKUP_KEY: _backupKey,
    BACKUP_RECIPIENT: _backupRecipient,
    BACKUP_SCHEDULE: _backupSchedule,
    BACKUP_FOLDER: _backupFolder,
    BACKUP_KEEP: _backupKeep,
    ...rest
  } = env;
  return {
    ...rest,
    DATA_DIR: resolve(DATA_DIR),
    oidcProviders,
    ...decideBackups(env),
    ...decideMail(env),
    connectHosts: decideHosts(env),
    trustedProxies,
    sandbox: decideSandbox(env),
    webhookPrivate: decideWebhookPrivate(env),
  };
}
