/** An error in a form that can be sent between threads, which do not transfer classes. */
export interface PlainError {
  name: string;
  message: string;
  /** The failure of a ProviderError. */
  failure?: string;
  /** The error's own short fields, e.g. `code`. */
  fields: Record<string, string | number | boolean>;
}

/** A message from a thread: the result of its task, or a heartbeat. */
export type ThreadMessage = { answer: unknown } | { error: PlainError } | { alive: true };
