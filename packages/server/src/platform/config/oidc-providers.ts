import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';

/** Most OpenID Connect providers of one installation. */
const MAX_PROVIDERS = 10;
/** Largest file with providers, bytes. */
const MAX_FILE_BYTES = 100_000;
/** Keys that are routes below /auth or connectors. */
const RESERVED_KEYS = new Set([
  'google',
  'github',
  'imap',
  'outlook',
  'demo',
  'logout',
  'link',
  'sign-in',
  'callback',
]);
/** Issuers of Microsoft that stand for many tenants; their ID tokens name another issuer. */
const MULTI_TENANT = /^https:\/\/login\.microsoftonline\.com\/(common|organizations|consumers)(\/|$)/i;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash, username, password } = new URL(text);
  if ([search, hash, username, password].join('') !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}

const line = (max: number) =>
  z
    .string()
    .regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u, 'a text of one line')
    .max(max, `at most ${max} characters`);

const providerSchema = z.strictObject({
  key: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,29}$/, 'up to 30 small letters, digits and hyphens, beginning with a letter')
    .refine((key) => !RESERVED_KEYS.has(key), `another key than ${[...RESERVED_KEYS].join(', ')}`),
  title: line(40),
  issuer: z
    .string()
    .max(500, 'at most 500 characters')
    .refine(isIssuer, 'an https URL without a query; http for loopback only')
    .refine((issuer) => !MULTI_TENANT.test(issuer), "the issuer of one tenant, with the tenant's id"),
  clientId: line(500),
  clientSecret: line(2000),
  scopes: line(500)
    .refine(
      (scopes) => scopes.split(' ').includes('openid'),
      "scopes separated by spaces, 'openid' among them",
    )
    .default('openid email profile'),
});

/** An OpenID Connect provider that users can sign in with. */
export type OidcProvider = z.infer<typeof providerSchema>;

const providersSchema = z
  .array(providerSchema)
  .max(MAX_PROVIDERS, `at most ${MAX_PROVIDERS} providers`)
  .refine(
    (all) => new Set(all.map(({ key }) => key)).size === all.length,
    'a different key for each provider',
  )
  .refine(
    (all) => new Set(all.map(({ issuer }) => new URL(issuer).href)).size === all.length,
    'a different issuer for each provider',
  );

/** Reads the text of the setting, or the file that it names. @throws Error that says what was expected */
function textOf(setting: string): string {
  if (setting.startsWith('[')) return setting;
  try {
    if (statSync(setting).size <= MAX_FILE_BYTES) return readFileSync(setting, 'utf8');
  } catch {
    throw new Error('a JSON list, or the path of a file with one that this user may read');
  }
  throw new Error(`a file of at most ${MAX_FILE_BYTES} bytes`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The message of JSON.parse quotes the text, which contains secrets.
    throw new Error('a list in valid JSON');
  }
}

/** Names the entry and the field of a problem, never its value. */
function describe({ path, message, code, ...rest }: z.core.$ZodIssue): string {
  const [entry, ...fields] = path;
  const expected = code === 'unrecognized_keys' && 'keys' in rest ? `no field ${String(rest.keys)}` : message;
  if (entry === undefined) return expected;
  const at = fields.length === 0 ? '' : `${fields.join('.')} of `;
  return `${expected} (${at}provider ${Number(entry) + 1})`;
}

/**
 * Parses OIDC_PROVIDERS: a JSON list, or the path of a file with one.
 * @throws Error whose message continues 'expected …' and contains no value of the setting
 */
export function parseOidcProviders(setting: string): OidcProvider[] {
  const parsed = providersSchema.safeParse(parseJson(textOf(setting)));
  if (parsed.success) return parsed.data;
  throw new Error(parsed.error.issues.map(describe).join('; '));
}
