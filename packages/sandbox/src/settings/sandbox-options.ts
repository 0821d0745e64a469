/** The options of a sandbox. All except `baseUrl` have defaults. */
export interface SandboxOptions {
  /**
   * Absolute base address of the sandbox without a trailing slash, for example "http://127.0.0.1:3000/sandbox". A function
   * is called on each use, since the port may be known only after listen.
   */
  baseUrl: string | (() => string);
  /** Accepted OAuth clients. Redirect addresses on loopback or on the origin of `baseUrl` are accepted for them. */
  clients?: { google?: OAuthClient; microsoft?: OAuthClient; github?: OAuthClient };
  /** A folder of .eml files (recursive) and *.json files with arrays of pull requests, instead of the bundled sample. */
  folder?: string;
  /** Factor for all real quotas: 1 for the real limits, 0 for none. Default 1. */
  quotaScale?: number;
  /** A quota minute takes 60/scale seconds. Default 1. */
  quotaTimeScale?: number;
  /** Minimum latency of each API request, ms. */
  latencyMs?: number;
  /** Day that all sample dates are relative to, ms since 1970. Default: today. With the same day, the same data. */
  anchor?: number;
}

/** The credentials of an OAuth client. */
export interface OAuthClient {
  id: string;
  secret: string;
}

/** The options with all defaults. */
export interface Settings {
  base(): string;
  clients: { google: OAuthClient; microsoft: OAuthClient; github: OAuthClient };
  folder: string | undefined;
  quotaScale: number;
  /** Length of a quota minute, ms. */
  minuteMs: number;
  latencyMs: number;
  /** Midnight UTC of the day that sample dates are relative to, ms since 1970. */
  anchor: number;
}

const DEFAULT_CLIENT: OAuthClient = { id: 'datadeck-sandbox', secret: 'sandbox-secret' };
const DAY_MS = 86_400_000;

/** Adds the defaults and checks the numbers. @throws RangeError that names the invalid option */
export function resolveSettings(options: SandboxOptions): Settings {
  const { baseUrl } = options;
  const base = typeof baseUrl === 'function' ? baseUrl : () => baseUrl;
  return {
    base: () => base().replace(/\/+$/, ''),
    clients: {
      google: options.clients?.google ?? DEFAULT_CLIENT,
      microsoft: options.clients?.microsoft ?? DEFAULT_CLIENT,
      github: options.clients?.github ?? DEFAULT_CLIENT,
    },
    folder: options.folder,
    quotaScale: atLeastZero('quotaScale', options.quotaScale ?? 1),
    minuteMs: 60_000 / Math.max(1e-6, atLeastZero('quotaTimeScale', options.quotaTimeScale ?? 1)),
    latencyMs: atLeastZero('latencyMs', options.latencyMs ?? 0),
    anchor: Math.floor((options.anchor ?? Date.now()) / DAY_MS) * DAY_MS,
  };
}

/** Returns the number. @throws RangeError that names the option if it is negative or no number */
export function atLeastZero(name: string, value: number): number {
  if (!Number.isFinite(value) || value < 0)
    throw new RangeError(`${name} must be a number of at least 0, not ${value}`);
  return value;
}
