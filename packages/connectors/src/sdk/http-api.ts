import type { Credentials } from './authorization.ts';
import type { ProviderFailure } from './provider-error.ts';
import type { ConcurrencyLimits } from './semaphore.ts';

/** The provider's rate limits, which the scheduler enforces. */
export interface QuotaDefinition extends ConcurrencyLimits {
  /** Units per minute and user, e.g. 6000 for Gmail. */
  unitsPerMinute: number;
  /** Length of the quota's minute, ms. Default: 60,000; tests shorten it. */
  minuteMs?: number;
}

/** How the requests of one account reach the API: `{ apiUrl: 'https://acme.example.com', headers: { 'x-key': '…' }, query: {} }`. */
export interface RequestAccess {
  /** Base URL of the API for this account. */
  apiUrl: string;
  /** Headers that prove the identity; they replace `authorization: Bearer` and equal headers of the request. */
  headers: Readonly<Record<string, string>>;
  /** Query parameters that prove the identity. They are sent, but are in no URL of an answer, an error or an observer. */
  query: Readonly<Record<string, string>>;
}

/** Required for `ProviderClient.get`. Connectors of other protocols omit it and use `exchange`. */
export interface HttpApi {
  /** Base URL of the API, the same for all users unless `accessOf` returns another one. */
  apiUrl: string;
  /**
   * Returns how requests with these credentials are sent. Default: to `apiUrl` with the access token as
   * `authorization: Bearer`. @throws ProviderError
   */
  accessOf?(credentials: Credentials): RequestAccess;
  /** Hosts that may be called, as `resolveHost` reads them: `['*']` for all public ones. Default: any address of any host. */
  hosts?: readonly string[];
  /** Largest answer, bytes, also when decompressed; a larger one throws `malformed`. Default: that of `sendHttp`. */
  maxAnswerBytes?: number;
  /** Returns until when nothing may be sent after a successful response, ms since 1970, e.g. if it used up the quota. */
  pausedUntil?(headers: Headers, now: number): number | undefined;
  /** Classifies an unsuccessful response of any status and body. */
  classify(answer: RefusedAnswer): FailedAnswer;
}

/** An unsuccessful HTTP response. */
export interface RefusedAnswer {
  status: number;
  headers: Headers;
  body: string;
  /** Time of arrival, ms since 1970. */
  now: number;
  /** The entity that was requested; absent for other requests. */
  entity?: string | undefined;
}

/** How the client treats an unsuccessful response. */
export type FailedAnswer =
  | {
      kind: 'retry-later';
      until: Date | undefined;
      message: string;
      /** The provider reports too many concurrent requests. */
      isOverloaded?: boolean;
    }
  | { kind: 'retry'; message: string }
  | {
      kind: 'expired-token';
      message: string;
      /** The failure if a renewed token is refused, too. Default: `reauthorise`. */
      failure?: 'forbidden';
    }
  | {
      kind: 'fail';
      failure: Exclude<ProviderFailure, 'rate-limited'>;
      message: string;
      /** The response counts as a success without content, as one with status 204 does. */
      isEmpty?: true;
    };

/** Returns whether a failure counts as a success without content. */
export function isEmptyAnswer(failed: FailedAnswer): boolean {
  return failed.kind === 'fail' && failed.isEmpty === true;
}
