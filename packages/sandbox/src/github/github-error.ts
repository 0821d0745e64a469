/** An error response of the GitHub API. */
export class GithubError extends Error {
  readonly statusCode: number;
  readonly documentation: string;
  readonly headers: Record<string, string>;
  readonly fields: Record<string, unknown>;

  constructor(
    statusCode: number,
    message: string,
    more: { documentation?: string; headers?: Record<string, string>; fields?: Record<string, unknown> } = {},
  ) {
    super(message);
    this.statusCode = statusCode;
    this.documentation = more.documentation ?? 'https://docs.github.com/rest';
    this.headers = more.headers ?? {};
    this.fields = more.fields ?? {};
  }
}

/** Returns the body of an error in GitHub's format. */
export function githubErrorBody(
  status: number,
  message: string,
  documentation = 'https://docs.github.com/rest',
): Record<string, unknown> {
  return { message, documentation_url: documentation, status: String(status) };
}

/** Returns the 404 for missing, private and deleted objects, which look the same. */
export function githubNotFound(page = ''): GithubError {
  return new GithubError(404, 'Not Found', { documentation: `https://docs.github.com/rest${page}` });
}
