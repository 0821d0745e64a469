/** One setting of the environment. This list is the single place that documents them; docs/run/settings.md is written from it. */
export interface SettingDoc {
  name: string;
  /** How the default reads in the documentation. */
  default: string;
  type: string;
  meaning: string;
}

export const SETTINGS: readonly SettingDoc[] = [
  { name: 'HOST', default: '127.0.0.1', type: 'address', meaning: 'Address to listen on.' },
  { name: 'PORT', default: '3000', type: 'port (0: any free one)', meaning: 'Port to listen on.' },
  {
    name: 'PUBLIC_URL',
    default: 'http://HOST:PORT',
    type: 'URL without a path',
    meaning: 'Address under which browsers reach Datadeck; the providers send people back to it.',
  },
  {
    name: 'DATA_DIR',
    default: './data',
    type: 'folder',
    meaning: 'Where the embedded database and the generated key live.',
  },
  {
    name: 'DATABASE_URL',
    default: '(embedded database)',
    type: 'postgres:// URL',
    meaning: 'PostgreSQL 15 or newer to use instead of the embedded one.',
  },
  {
    name: 'DATABASE_DIRECT_URL',
    default: 'DATABASE_URL',
    type: 'postgres:// URL',
    meaning:
      'The same database without a connection pooler, when DATABASE_URL leads to one in transaction mode. See More than one database server.',
  },
  {
    name: 'SQL_LISTEN',
    default: '(only its Unix socket)',
    type: 'address and port, such as 127.0.0.1:5433',
    meaning: 'Where the embedded database accepts the roles of datadeck sql-access. See Your data in SQL.',
  },
  {
    name: 'ENCRYPTION_KEY',
    default: '(generated into DATA_DIR)',
    type: '32 bytes in base64 or hex; several separated by commas, the first encrypts',
    meaning: "Encrypts the providers' tokens. Required when NODE_ENV=production.",
  },
  {
    name: 'ROLE',
    default: 'all',
    type: 'all | web | worker',
    meaning: 'What this process does: answer browsers, run syncs, or both.',
  },
  {
    name: 'WEB_APP',
    default: 'on',
    type: 'on | off',
    meaning: 'off: answer the API alone, because the web app is served elsewhere.',
  },
  {
    name: 'SANDBOX',
    default: 'auto',
    type: 'auto | on | off',
    meaning:
      'Stand-ins for Google and GitHub. auto: on when no credentials are set, outside production, on a loopback HOST and PUBLIC_URL. on is refused in production.',
  },
  {
    name: 'SANDBOX_FOLDER',
    default: '(bundled sample)',
    type: 'folder',
    meaning: 'Folder of .eml files and pull-request JSON that the sandbox serves.',
  },
  {
    name: 'SANDBOX_QUOTA_SCALE',
    default: '10',
    type: 'number',
    meaning:
      "Factor on the providers' real quotas in the sandbox; 1: the real ones (a first sync of 300 messages a minute), 0: none.",
  },
  {
    name: 'SANDBOX_LATENCY_MS',
    default: '0',
    type: 'milliseconds, at most 60000',
    meaning: 'What every answer of the sandbox takes at least.',
  },
  {
    name: 'GOOGLE_CLIENT_ID',
    default: '(none)',
    type: 'text',
    meaning: 'OAuth client of Google: sign-in and Gmail.',
  },
  { name: 'GOOGLE_CLIENT_SECRET', default: '(none)', type: 'text', meaning: 'Its secret.' },
  {
    name: 'GITHUB_CLIENT_ID',
    default: '(none)',
    type: 'text',
    meaning: 'OAuth app or GitHub App of GitHub.',
  },
  { name: 'GITHUB_CLIENT_SECRET', default: '(none)', type: 'text', meaning: 'Its secret.' },
  {
    name: 'OIDC_PROVIDERS',
    default: '(none)',
    type: 'JSON list, or path of a JSON file with it',
    meaning:
      'OpenID Connect providers on the login screen: a list of {"key", "title", "issuer", "clientId", "clientSecret", "scopes"}, at most 10. See Sign in.',
  },
  {
    name: 'GOOGLE_ISSUER',
    default: 'https://accounts.google.com',
    type: 'URL',
    meaning: 'OpenID Connect issuer.',
  },
  {
    name: 'GMAIL_API_URL',
    default: 'https://gmail.googleapis.com',
    type: 'URL',
    meaning: 'Base address of the Gmail API.',
  },
  {
    name: 'GITHUB_URL',
    default: 'https://github.com',
    type: 'URL',
    meaning: 'GitHub or GitHub Enterprise, for consent.',
  },
  {
    name: 'GITHUB_API_URL',
    default: 'https://api.github.com',
    type: 'URL',
    meaning: 'Base address of its REST API.',
  },
  {
    name: 'GMAIL_UNITS_PER_MINUTE',
    default: '6000',
    type: 'number',
    meaning: "Gmail's quota a user and minute; 15000 for projects from before May 2026, 0: none.",
  },
  {
    name: 'GITHUB_POINTS_PER_MINUTE',
    default: '900',
    type: 'number',
    meaning: "GitHub's secondary limit a user and minute; 0: none.",
  },
  {
    name: 'QUOTA_TIME_SCALE',
    default: '1',
    type: 'number',
    meaning: "How many times faster a quota's minute goes by, the sandbox's as well: for trials and benches.",
  },
  {
    name: 'CONNECT_HOSTS',
    default: '* and this machine; in production, on an open HOST or PUBLIC_URL none',
    type: 'host names separated by commas; *.domain, or * for any',
    meaning:
      'Servers that users may name when they connect by a form. A wildcard covers public addresses only: name what lies in your own network.',
  },
  {
    name: 'PLAN_LIMITS',
    default: "(the specification's limits)",
    type: 'path of a JSON file',
    meaning:
      'Changes how many records a sync keeps (cap) and how many runs a month a plan has, by plan and entity; null for no limit. See Operations.',
  },
  {
    name: 'ALLOWED_HOSTS',
    default: '(none)',
    type: 'host names separated by commas; *.domain, or * for any',
    meaning:
      'Further names under which Datadeck is called. The host of PUBLIC_URL, HOST, localhost and IP addresses are always allowed.',
  },
  {
    name: 'METRICS_TOKEN',
    default: '(none)',
    type: 'at least 16 characters',
    meaning: 'Bearer token for /metrics. This machine needs none.',
  },
  {
    name: 'TRUSTED_PROXIES',
    default: '(none)',
    type: 'addresses or subnets separated by commas',
    meaning:
      'Reverse proxies whose X-Forwarded-For header names the client address, by which logins are limited; loopback for a proxy on this machine.',
  },
  {
    name: 'WEBHOOK_PRIVATE_ADDRESSES',
    default: 'auto',
    type: 'auto | allow | refuse',
    meaning:
      "Whether users' webhooks may lead to loopback and private addresses. auto: outside production, on a loopback HOST and PUBLIC_URL.",
  },
  {
    name: 'SMTP_URL',
    default: '(no mails)',
    type: 'smtp:// or smtps:// URL',
    meaning:
      'Server that sends the mails of alerts, with user and password, e.g. smtps://user:password@mail.example.com. smtp:// uses STARTTLS if the server offers it.',
  },
  {
    name: 'SMTP_FROM',
    default: '(none)',
    type: 'address, or name <address>',
    meaning: 'Sender of these mails. Belongs to SMTP_URL.',
  },
  {
    name: 'BACKUP_KEY',
    default: '(backups are not encrypted)',
    type: '32 bytes in base64 or hex',
    meaning:
      'Encrypts backups, as the passphrase of age. Keep it apart from them: without it they cannot be restored.',
  },
  {
    name: 'BACKUP_RECIPIENT',
    default: '(none)',
    type: 'recipient of age, age1…',
    meaning:
      'Encrypts backups for the holder of an age identity, which this server then need not know. Instead of BACKUP_KEY. See Backup and restore.',
  },
  {
    name: 'BACKUP_SCHEDULE',
    default: '(none)',
    type: 'cron line of five fields, UTC',
    meaning: 'When a worker process writes a backup, e.g. 0 3 * * *. Set it in all processes, or in none.',
  },
  {
    name: 'BACKUP_FOLDER',
    default: '(none)',
    type: 'folder',
    meaning: 'Where scheduled backups are written. Belongs to BACKUP_SCHEDULE.',
  },
  {
    name: 'BACKUP_KEEP',
    default: '7',
    type: 'number from 1 to 1000',
    meaning: 'How many scheduled backups are kept.',
  },
  {
    name: 'LOG_LEVEL',
    default: 'info',
    type: 'silent | error | warn | info | debug',
    meaning: 'How much is logged.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    default: '(no traces)',
    type: 'URL',
    meaning: 'Where traces are sent by OTLP over HTTP, e.g. http://127.0.0.1:4318.',
  },
  {
    name: 'NODE_ENV',
    default: 'development',
    type: 'development | production | test',
    meaning: 'production demands ENCRYPTION_KEY and keeps the sandbox off.',
  },
];
