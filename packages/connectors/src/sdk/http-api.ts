import type { ProviderFailure } from './provider-error.ts';
import type { ConcurrencyLimits } from './semaphore.ts';

/** The provider's rate limits, which the scheduler enforces. */
export interface QuotaDefinition extends ConcurrencyLimits {
  /** Units per minute and user, e.g. 6000 for Gmail. */
  unitsPerMinute: number;
  /** Length of the quota's minute, ms. Default: 60,000; tests shorten it. */
  minuteMs?: number;
}

/**
 * Required for `ProviderClient.get`, which sends the access token as `authorization: Bearer`. Connectors of other
 * protocols omit it and use `exchange`.
 */
export interface HttpApi {
  /** Base URL of the API, the same for all users. Servers chosen by users are called with `exchange`. */
  apiUrl: string;
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
    };
