import { z } from 'zod';
import {
  cron,
  databaseUrl,
  existingFolder,
  hostAddress,
  hostNames,
  imapServer,
  integer,
  listenAddress,
  mailAddress,
  nonNegative,
  oidcProviders,
  oneOf,
  origin,
  path,
  positive,
  proxies,
  recipient,
  secret,
  smtpUrl,
  tenant,
  text,
  url,
} from './setting-types.ts';

/**
 * The settings of the environment. This is their only declaration: the documentation, the help of `datadeck` and the messages
 * for wrong values come from it. `type` and `description` are what a person reads; `default` is for a setting whose default is
 * not a value of the schema; the value of a secret is never shown.
 */
export const environmentSchema = z.object({
  HOST: hostAddress.default('127.0.0.1').meta({ type: 'address', description: 'Address to listen on.' }),
  PORT: integer(0, 65535)
    .default(3000)
    .meta({ type: 'port (0: any free one)', description: 'Port to listen on.' }),
  PUBLIC_URL: origin.optional().meta({
    type: 'URL without a path',
    default: 'http://HOST:PORT',
    description: 'Address under which browsers reach Datadeck; the providers send people back to it.',
  }),
  DATA_DIR: path
    .default('./data')
    .meta({ type: 'folder', description: 'Where the embedded database and the generated key live.' }),
  DATABASE_URL: databaseUrl.optional().meta({
    type: 'postgres:// URL',
    default: '(embedded database)',
    isSecret: true,
    description: 'PostgreSQL 15 or newer to use instead of the embedded one.',
  }),
  DATABASE_DIRECT_URL: databaseUrl.optional().meta({
    type: 'postgres:// URL',
    default: 'DATABASE_URL',
    isSecret: true,
    description:
      'The same database without a connection pooler, when DATABASE_URL leads to one in transaction mode. See More than one database server.',
  }),
  SQL_LISTEN: listenAddress.optional().meta({
    type: 'address and port, such as 127.0.0.1:5433',
    default: '(only its Unix socket)',
    description:
      'Where the embedded database accepts the roles of datadeck sql-access. See Your data in SQL.',
  }),
  ENCRYPTION_KEY: text.optional().meta({
    type: '32 bytes in base64 or hex; several separated by commas, the first encrypts',
    default: '(generated into DATA_DIR)',
    isSecret: true,
    description: "Encrypts the providers' tokens. Required when NODE_ENV=production.",
  }),
  ROLE: oneOf(['all', 'web', 'worker']).default('all').meta({
    type: 'all | web | worker',
    description: 'What this process does: answer browsers, run syncs, or both.',
  }),
  WEB_APP: oneOf(['on', 'off']).default('on').meta({
    type: 'on | off',
    description: 'off: answer the API alone, because the web app is served elsewhere.',
  }),
  SANDBOX: oneOf(['auto', 'on', 'off']).default('auto').meta({
    type: 'auto | on | off',
    description:
      'Stand-ins for Google, GitHub and the sign-in of Microsoft. auto: on when no credentials are set, outside production, on a loopback HOST and PUBLIC_URL. on is refused in production.',
  }),
  SANDBOX_FOLDER: existingFolder.optional().meta({
    type: 'folder',
    default: '(bundled sample)',
    description: 'Folder of .eml files and pull-request JSON that the sandbox serves.',
  }),
  SANDBOX_QUOTA_SCALE: nonNegative.default(10).meta({
    type: 'number',
    description:
      "Factor on the providers' real quotas in the sandbox; 1: the real ones (a first sync of 300 messages a minute), 0: none.",
  }),
  SANDBOX_LATENCY_MS: integer(0, 60_000).default(0).meta({
    type: 'milliseconds, at most 60000',
    description: 'What every answer of the sandbox takes at least.',
  }),
  GOOGLE_CLIENT_ID: text
    .optional()
    .meta({ type: 'text', description: 'OAuth client of Google: sign-in and Gmail.' }),
  GOOGLE_CLIENT_SECRET: text.optional().meta({ type: 'text', isSecret: true, description: 'Its secret.' }),
  GITHUB_CLIENT_ID: text.optional().meta({ type: 'text', description: 'OAuth app or GitHub App of GitHub.' }),
  GITHUB_CLIENT_SECRET: text.optional().meta({ type: 'text', isSecret: true, description: 'Its secret.' }),
  MICROSOFT_CLIENT_ID: text.optional().meta({
    type: 'text',
    description: 'App registration at Microsoft Entra: mail of Microsoft 365 and Outlook.com. See Outlook.',
  }),
  MICROSOFT_CLIENT_SECRET: text
    .optional()
    .meta({ type: 'text', isSecret: true, description: 'The value of its client secret.' }),
  MICROSOFT_TENANT: tenant.default('common').meta({
    type: 'common | organizations | consumers | id or domain of an organization',
    description: 'Whose accounts can be connected; as in the app registration.',
  }),
  MICROSOFT_URL: url.optional().meta({
    type: 'URL',
    default: 'https://login.microsoftonline.com',
    description: "Microsoft's identity platform, or an emulator.",
  }),
  OUTLOOK_IMAP_HOST: imapServer.optional().meta({
    type: 'host, host:port, or imap://host:port without TLS on this machine',
    default: 'outlook.office365.com:993',
    description: 'Mail server of these accounts. It needs no CONNECT_HOSTS.',
  }),
  OIDC_PROVIDERS: oidcProviders.default([]).meta({
    type: 'JSON list, or path of a JSON file with it',
    isSecret: true,
    description:
      'OpenID Connect providers on the login screen: a list of {"key", "title", "issuer", "clientId", "clientSecret", "scopes"}, at most 10. See Sign in.',
  }),
  GOOGLE_ISSUER: url
    .optional()
    .meta({ type: 'URL', default: 'https://accounts.google.com', description: 'OpenID Connect issuer.' }),
  GMAIL_API_URL: url.optional().meta({
    type: 'URL',
    default: 'https://gmail.googleapis.com',
    description: 'Base address of the Gmail API.',
  }),
  GITHUB_URL: url.optional().meta({
    type: 'URL',
    default: 'https://github.com',
    description: 'GitHub or GitHub Enterprise, for consent.',
  }),
  GITHUB_API_URL: url
    .optional()
    .meta({ type: 'URL', default: 'https://api.github.com', description: 'Base address of its REST API.' }),
  GITLAB_URL: url.optional().meta({
    type: 'URL',
    default: 'https://gitlab.com',
    description: 'GitLab, or a server of your own. It needs no CONNECT_HOSTS.',
  }),
  GMAIL_UNITS_PER_MINUTE: nonNegative.default(6000).meta({
    type: 'number',
    description: "Gmail's quota a user and minute; 15000 for projects from before May 2026, 0: none.",
  }),
  GITHUB_POINTS_PER_MINUTE: nonNegative
    .default(900)
    .meta({ type: 'number', description: "GitHub's secondary limit a user and minute; 0: none." }),
  QUOTA_TIME_SCALE: positive.default(1).meta({
    type: 'number',
    description:
      "How many times faster a quota's minute goes by, the sandbox's as well: for trials and benches.",
  }),
  CONNECT_HOSTS: hostNames.optional().meta({
    type: 'host names separated by commas; *.domain, or * for any',
    default: '* and this machine; in production, on an open HOST or PUBLIC_URL none',
    description:
      'Servers that users may name when they connect by a form. A wildcard covers public addresses only: name what lies in your own network.',
  }),
  DEMO: oneOf(['on', 'off']).default('on').meta({
    type: 'on | off',
    description: 'Whether anybody may sign in as a demo user, who sees sample data.',
  }),
  SHARING: oneOf(['on', 'off']).default('on').meta({
    type: 'on | off',
    description:
      'Whether people may share views and boards by a link or an invitation. off ends all pages that are shared.',
  }),
  PLAN_LIMITS: path.optional().meta({
    type: 'none | path of a JSON file',
    default: "(the specification's limits)",
    description:
      'Changes how many records a sync keeps (cap) and how many runs a month a plan has, by plan and entity; null for no limit. none lifts all limits. See Operations.',
  }),
  ALLOWED_HOSTS: hostNames.default([]).meta({
    type: 'host names separated by commas; *.domain, or * for any',
    description:
      'Further names under which Datadeck is called. The host of PUBLIC_URL, HOST, localhost and IP addresses are always allowed.',
  }),
  METRICS_TOKEN: secret.optional().meta({
    type: 'at least 16 characters',
    isSecret: true,
    description: 'Bearer token for /metrics. This machine needs none.',
  }),
  TRUSTED_PROXIES: proxies.default([]).meta({
    type: 'addresses or subnets separated by commas',
    description:
      'Reverse proxies whose X-Forwarded-For header names the client address, by which logins are limited; loopback for a proxy on this machine.',
  }),
  WEBHOOK_PRIVATE_ADDRESSES: oneOf(['auto', 'allow', 'refuse']).default('auto').meta({
    type: 'auto | allow | refuse',
    description:
      "Whether users' webhooks may lead to loopback and private addresses. auto: outside production, on a loopback HOST and PUBLIC_URL.",
  }),
  SMTP_URL: smtpUrl.optional().meta({
    type: 'smtp:// or smtps:// URL',
    default: '(no mails)',
    isSecret: true,
    description:
      'Server that sends the mails of alerts, with user and password, e.g. smtps://user:password@mail.example.com. smtp:// uses STARTTLS if the server offers it.',
  }),
  SMTP_FROM: mailAddress
    .optional()
    .meta({ type: 'address, or name <address>', description: 'Sender of these mails. Belongs to SMTP_URL.' }),
  BACKUP_KEY: text.optional().meta({
    type: '32 bytes in base64 or hex',
    default: '(backups are not encrypted)',
    isSecret: true,
    description:
      'Encrypts backups, as the passphrase of age. Keep it apart from them: without it they cannot be restored.',
  }),
  BACKUP_RECIPIENT: recipient.optional().meta({
    type: 'recipient of age, age1…',
    description:
      'Encrypts backups for the holder of an age identity, which this server then need not know. Instead of BACKUP_KEY. See Backup and restore.',
  }),
  BACKUP_SCHEDULE: cron.optional().meta({
    type: 'cron line of five fields, UTC',
    description:
      'When a worker process writes a backup, e.g. 0 3 * * *. Set it in all processes, or in none.',
  }),
  BACKUP_FOLDER: path.optional().meta({
    type: 'folder',
    description: 'Where scheduled backups are written. Belongs to BACKUP_SCHEDULE.',
  }),
  BACKUP_KEEP: integer(1, 1000)
    .default(7)
    .meta({ type: 'number from 1 to 1000', description: 'How many scheduled backups are kept.' }),
  LOG_LEVEL: oneOf(['silent', 'error', 'warn', 'info', 'debug'])
    .default('info')
    .meta({ type: 'silent | error | warn | info | debug', description: 'How much is logged.' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional().meta({
    type: 'URL',
    default: '(no traces)',
    description: 'Where traces are sent by OTLP over HTTP, e.g. http://127.0.0.1:4318.',
  }),
  NODE_ENV: oneOf(['development', 'production', 'test']).default('development').meta({
    type: 'development | production | test',
    description: 'production demands ENCRYPTION_KEY and keeps the sandbox off.',
  }),
});

const metaSchema = z.object({
  type: z.string(),
  description: z.string(),
  default: z.string().default('(none)'),
  isSecret: z.boolean().default(false),
});

/** What a person reads about one setting. */
export interface Setting extends z.infer<typeof metaSchema> {
  name: string;
}

/** @throws Error for a setting without a description */
function describeSetting(name: string, schema: z.ZodType): Setting {
  const meta = metaSchema.parse(schema.meta());
  const value = schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined;
  const isShown = typeof value === 'string' || typeof value === 'number';
  return { name, ...meta, default: isShown ? String(value) : meta.default };
}

/** The settings in the order of the documentation. */
export const SETTINGS: readonly Setting[] = Object.entries(environmentSchema.shape).map(([name, schema]) =>
  describeSetting(name, schema),
);
