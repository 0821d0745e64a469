/** The closed list of ways in which a provider fails us. */
export type ProviderFailure =
  /** The grant is gone or too small: the user must connect again. */
  | 'reauthorise'
  /** Called too often; `until` says when to go on. */
  | 'rate-limited'
  | 'not-found'
  | 'forbidden'
  /** The request was refused as wrong: a setting does not fit. */
  | 'invalid'
  /** The answer is not what the provider documents. */
  | 'malformed'
  /** Unreachable, or failing on its side. */
  | 'unavailable'
  /** The cursor or page token is no longer known: begin anew. */
  | 'cursor-expired';

/** A provider's failure in the terms above. The message is a sentence for the user; it holds no secret. */
export class ProviderError extends Error {
  readonly failure: ProviderFailure;
  /** Of `rate-limited`: when calling makes sense again. */
  readonly until: Date | undefined;
  /** Of a connect form: the name of the field to correct. */
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
