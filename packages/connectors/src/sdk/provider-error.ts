/** All kinds of provider failures. */
export type ProviderFailure =
  /** The grant was revoked or lacks a scope: the user must connect again. */
  | 'reauthorise'
  /** Called too often; `until` is the earliest time of the next call. */
  | 'rate-limited'
  | 'not-found'
  | 'forbidden'
  /** The provider rejected the request as invalid, e.g. because of a wrong setting. */
  | 'invalid'
  /** The response differs from the provider's documentation. */
  | 'malformed'
  /** The provider is unreachable or has an internal error. */
  | 'unavailable'
  /** The provider no longer accepts the cursor or page token: start a full run. */
  | 'cursor-expired';

/** A failure of a provider. The message is a sentence for the user and contains no secret. */
export class ProviderError extends Error {
  readonly failure: ProviderFailure;
  /** For `rate-limited`: the earliest time of the next call. */
  readonly until: Date | undefined;
  /** For connect forms: the name of the field to correct. */
  readonly field: string | undefined;

  constructor(
    failure: ProviderFailure,
    message: string,
    options: { until?: Date; field?: string; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ProviderError';
    this.failure = failure;
    this.until = options.until;
    this.field = options.field;
  }
}
