/** An error of a field, with the type of GitHub. */
export class FieldError extends Error {
  readonly type: string;
  readonly extensions: Record<string, unknown> | undefined;

  constructor(type: string, message: string, extensions?: Record<string, unknown>) {
    super(message);
    this.type = type;
    this.extensions = extensions;
  }
}

/** A GraphQL answer without a result: HTTP 200 with `errors`. */
export class GraphqlRefusal extends Error {
  readonly body: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(
    error: { message: string; [field: string]: unknown },
    more: { headers?: Record<string, string>; data?: unknown } = {},
  ) {
    super(error.message);
    this.body = { ...('data' in more ? { data: more.data } : {}), errors: [error] };
    this.headers = more.headers ?? {};
  }
}

/** Returns the refusal when no points are left. */
export function pointsUsedUp(userId: number, headers: Record<string, string> = {}): GraphqlRefusal {
  const message = `API rate limit exceeded for user ID ${userId}.`;
  return new GraphqlRefusal({ type: 'RATE_LIMITED', message }, { headers });
}
