import type { ConnectPreset } from '@datadeck/contract';
import { mayAllowHost } from '../sdk/index.ts';

function tlsPreset(label: string, host: string, note: string, url: string): ConnectPreset {
  const link = { label: 'Create an app password', url };
  return { label, values: { host, port: '993', security: 'tls' }, note, link };
}

const HOSTED: readonly ConnectPreset[] = [
  tlsPreset(
    'Gmail (app password)',
    'imap.gmail.com',
    'Google accepts an app password only, which needs 2-Step Verification.',
    'https://myaccount.google.com/apppasswords',
  ),
  tlsPreset(
    'Fastmail',
    'imap.fastmail.com',
    'Fastmail accepts an app password only.',
    'https://app.fastmail.com/settings/security',
  ),
  tlsPreset(
    'iCloud Mail',
    'imap.mail.me.com',
    'Apple accepts an app-specific password only. The user name is usually the part of your address before the @.',
    'https://account.apple.com/account/manage',
  ),
  {
    label: 'GMX',
    values: { host: 'imap.gmx.net', port: '993', security: 'tls' },
    note: 'First allow IMAP in the settings of your mailbox at GMX. With two-factor authentication, use an app password. Addresses of gmx.com use the server imap.gmx.com.',
    link: null,
  },
  {
    label: 'Proton Mail Bridge',
    values: { host: '127.0.0.1', port: '1143', security: 'starttls' },
    note: 'Bridge must run on the machine of Datadeck. Enter the user name and the password that Bridge shows. Datadeck must trust the certificate of Bridge: its operator exports it and names it in NODE_EXTRA_CA_CERTS.',
    link: null,
  },
];

/** A choice that fills in nothing and says why. */
const OUTLOOK: ConnectPreset = {
  label: 'Outlook.com and Microsoft 365',
  values: {},
  note: 'Microsoft no longer accepts passwords over IMAP. Connect this mailbox on the card of Outlook.',
  link: null,
};
const OTHER: ConnectPreset = { label: 'Other', values: {}, note: '', link: null };

/** Returns the presets whose servers users may connect to, with a choice for all others. @param hosts see `resolveHost` */
export function presetsFor(hosts: readonly string[]): ConnectPreset[] {
  const allowed = HOSTED.filter(({ values }) => mayAllowHost(values.host ?? '', hosts));
  return allowed.length === 0 ? [] : [...allowed, OUTLOOK, OTHER];
}
