/** An error as it can be sent between threads: classes do not pass. */
export interface PlainError {
  name: string;
  message: string;
  /** The failure of a ProviderError. */
  failure?: string;
  /** Its own short fields, for example `code`. */
  fields: Record<string, string | number | boolean>;
}

/** What a thread sends: the outcome of its task, or a heartbeat. */
export type ThreadMessage = { answer: unknown } | { error: PlainError } | { alive: true };
