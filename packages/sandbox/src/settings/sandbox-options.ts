/** What the host may set when it creates a sandbox. Everything but `baseUrl` has a default. */
export interface SandboxOptions {
  /**
   * Absolute base address under which the sandbox is reachable, e.g. "http://127.0.0.1:3000/sandbox",
   * without a trailing slash. A function is called per use, since the port may be known only after listen.
   */
  baseUrl: string | (() => string);
  /** OAuth clients accepted. Redirect addresses on loopback or on the origin of `baseUrl` are accepted for them. */
  clients?: { google?: OAuthClient; github?: OAuthClient };
  /** A folder of .eml files (recursive) and *.json files with arrays of pull requests, instead of the bundled sample. */
  folder?: string;
  /** Multiplies every real quota: 1 = the real limits, 0 = none. Default 1. */
  quotaScale?: number;
  /** Makes a quota minute last 60/scale seconds. Default 1. */
  quotaTimeScale?: number;
  /** What each API request takes at least, in milliseconds. */
  latencyMs?: number;
  /** For benches: this many synthetic records beside the samples (Gmail `bench-N@sandbox.example`, GitHub `bench/pulls-N`). */
  synthetic?: {
    messages?: number;
    /** Accounts with so many messages each: `bench-N`, `bench-N-2`, `bench-N-3` … Default 1. */
    mailboxes?: number;
    pulls?: number;
  };
}

/** An OAuth client's credentials. */
export interface OAuthClient {
  id: string;
  secret: string;
}

/** The options with every default filled in. */
export interface Settings {
  base(): string;
  clients: { google: OAuthClient; github: OAuthClient };
  folder: string | undefined;
  quotaScale: number;
  /** Length of a quota minute in milliseconds. */
  minuteMs: number;
  latencyMs: number;
  synthetic: { messages: number; mailboxes: number; pulls: number };
  /** Midnight UTC of the day the sandbox started. Sample dates count back from here, so that recent ones look recent. */
  anchor: number;
}

const DEFAULT_CLIENT: OAuthClient = { id: 'datadeck-sandbox', secret: 'sandbox-secret' };
const DAY_MS = 86_400_000;

/** Fills in the defaults and checks the numbers. Throws a RangeError that names the wrong option. */
export function resolveSettings(options: SandboxOptions): Settings {
  const { baseUrl } = options;
  const base = typeof baseUrl === 'function' ? baseUrl : () => baseUrl;
  return {
    base: () => base().replace(/\/+$/, ''),
    clients: {
      google: options.clients?.google ?? DEFAULT_CLIENT,
      github: options.clients?.github ?? DEFAULT_CLIENT,
    },
    folder: options.folder,
    quotaScale: atLeastZero('quotaScale', options.quotaScale ?? 1),
    minuteMs: 60_000 / Math.max(1e-6, atLeastZero('quotaTimeScale', options.quotaTimeScale ?? 1)),
    latencyMs: atLeastZero('latencyMs', options.latencyMs ?? 0),
    synthetic: {
      messages: atLeastZero('synthetic.messages', options.synthetic?.messages ?? 0),
      mailboxes: atLeastZero('synthetic.mailboxes', options.synthetic?.mailboxes ?? 1),
      pulls: atLeastZero('synthetic.pulls', options.synthetic?.pulls ?? 0),
    },
    anchor: Math.floor(Date.now() / DAY_MS) * DAY_MS,
  };
}

function atLeastZero(name: string, value: number): number {
  if (!Number.isFinite(value) || value < 0)
    throw new RangeError(`${name} must be a number of at least 0, not ${value}`);
  return value;
}
