import { readdirSync } from 'node:fs';
import { isIP } from 'node:net';
import { z } from 'zod';
import { parseOidcProviders } from './oidc-providers.ts';

/*
 * Types of settings. The text of a refinement completes "expected …".
 */

/** Longest host name of DNS. */
const MAX_HOST = 253;
/** Longest path on Linux. */
const MAX_PATH = 4096;
const MAX_TEXT = 10_000;

export const hostAddress = z
  .string()
  .refine(
    (host) => isIP(host) !== 0 || (/^[a-z0-9.-]+$/i.test(host) && host.length <= MAX_HOST),
    'an address or a host name',
  );
export const url = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), 'an http(s) URL')
  .transform((text) => text.replace(/\/+$/, ''));
/** An origin without a path, because pages, sign-in and the session cookie use the root path. */
export const origin = z
  .string()
  .refine((text) => {
    if (!URL.canParse(text)) return false;
    const { protocol, pathname, search, hash, username, password } = new URL(text);
    return /^https?:$/.test(protocol) && [pathname, search, hash, username, password].join('') === '/';
  }, 'an http(s) URL without a path')
  .transform((text) => new URL(text).origin);
export const integer = (min: number, max: number) =>
  z
    .string()
    .refine(
      (text) => /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max,
      `a whole number from ${min} to ${max}`,
    )
    .transform(Number);
export const nonNegative = z
  .string()
  .refine(
    (text) => text.trim() !== '' && Number(text) >= 0 && Number.isFinite(Number(text)),
    'a number of 0 or more',
  )
  .transform(Number);
export const positive = z
  .string()
  .refine((text) => Number(text) > 0 && Number.isFinite(Number(text)), 'a number above 0')
  .transform(Number);
export const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: `one of ${values.join(', ')}` });
export const databaseUrl = z
  .string()
  .refine(
    (value) => URL.canParse(value) && /^postgres(ql)?:$/.test(new URL(value).protocol),
    'a postgres:// URL',
  );
/** An address and a port; IPv6 in brackets. */
export const listenAddress = z
  .string()
  .refine((given) => {
    const { hostname, port, host } = URL.canParse(`tcp://${given}`)
      ? new URL(`tcp://${given}`)
      : new URL('tcp://x');
    return host === given && isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 && Number(port) > 0;
  }, 'an address and a port, such as 127.0.0.1:5433')
  .transform((given) => {
    const { hostname, port } = new URL(`tcp://${given}`);
    return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) };
  });
/** A mail server that is read by IMAP: over TLS, or with imap:// without it. */
export const imapServer = z
  .string()
  .max(300)
  .transform((given) => (given.includes('://') ? given : `imaps://${given}`))
  .refine((address) => {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    return (
      url !== undefined &&
      /^imaps?:$/.test(url.protocol) &&
      url.hostname !== '' &&
      `${url.protocol}//${url.host}` === address.replace(/\/$/, '')
    );
  }, 'a host, a host and a port, or imap://host:port without TLS')
  .transform((address) => {
    const { hostname, port, protocol } = new URL(address);
    const security = protocol === 'imaps:' ? ('tls' as const) : ('none' as const);
    return {
      host: hostname.replace(/^\[|\]$/g, '').toLowerCase(),
      port: port === '' ? (security === 'tls' ? 993 : 143) : Number(port),
      security,
    };
  });
/** A tenant of Microsoft's identity platform. */
export const tenant = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9.-]{0,252}$/,
    'common, organizations, consumers, or the id or a domain of an organization',
  );
export const smtpUrl = z
  .string()
  .refine(
    (value) =>
      URL.canParse(value) && /^smtps?:$/.test(new URL(value).protocol) && new URL(value).hostname !== '',
    'a smtp:// or smtps:// URL',
  );
/** An address, or a name and an address in angle brackets, without line breaks. */
export const mailAddress = z
  .string()
  .max(300)
  .regex(
    /^(?:[^<>@\p{Cc}]{0,100}<[^<>@\s]{1,64}@[^<>@\s]{1,255}>|[^<>@\s]{1,64}@[^<>@\s]{1,255})$/u,
    'an address, e.g. Datadeck <alerts@example.com>',
  );
export const hostNames = z
  .string()
  .transform((text) =>
    text
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  )
  .refine(
    (names) =>
      names.every((name) => name.length <= MAX_HOST && (name === '*' || /^(\*\.)?[a-z0-9._:-]+$/.test(name))),
    'host names separated by commas; *.domain, or * for any',
  );
const isSubnet = (name: string) => {
  const [address = '', bits, ...more] = name.split('/');
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    most > 0 && more.length === 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= most))
  );
};
export const proxies = z
  .string()
  .transform((text) => text.split(',').map((name) => name.trim()))
  .refine(
    (names) => names.every((name) => name === 'loopback' || isSubnet(name)),
    'addresses or subnets separated by commas, such as loopback, 172.16.0.0/12',
  );
/** A recipient of age: Bech32 of 32 bytes. */
export const recipient = z
  .string()
  .regex(/^age1[02-9ac-hj-np-z]{58}$/, 'a recipient of age: age1 and 58 characters, as age-keygen prints it');
/** Five fields, as cron reads them; pg-boss checks their values. */
export const cron = z
  .string()
  .refine(
    (value) => /^[0-9a-z*,/-]+( [0-9a-z*,/-]+){4}$/i.test(value),
    'a cron line of five fields in UTC, such as 0 3 * * *',
  );
export const text = z.string().max(MAX_TEXT, `a text of at most ${MAX_TEXT} characters`);
export const secret = z
  .string()
  .max(MAX_TEXT)
  .regex(/^[\w.~+/=-]{16,}$/, 'at least 16 letters, digits or characters of -._~+/=');
export const path = z.string().max(MAX_PATH, `a path of at most ${MAX_PATH} characters`);

function isReadableFolder(path: string): boolean {
  try {
    readdirSync(path);
    return true;
  } catch {
    return false;
  }
}
export const oidcProviders = z.string().transform((setting, context) => {
  try {
    return parseOidcProviders(setting);
  } catch (error) {
    context.addIssue(error instanceof Error ? error.message : String(error));
    return z.NEVER;
  }
});
export const existingFolder = path.refine(
  isReadableFolder,
  'a folder that exists and that this user may read',
);
