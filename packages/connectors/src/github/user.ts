import { z } from 'zod';
import { displayText, emailText, type Identity, ProviderError, type RefusedAnswer } from '../sdk/index.ts';

/** Timeout of one request, ms. */
const TIMEOUT_MS = 15_000;

const userSchema = z.object({
  id: z.number(),
  login: z.string(),
  name: z.string().nullish(),
  email: z.string().nullish(),
});
type GithubUser = z.infer<typeof userSchema>;

/** Sends a GET to GitHub's REST API outside a sync. @throws ProviderError `unavailable` if GitHub cannot be reached */
export async function getFromGithub(url: string, token: string): Promise<Response> {
  const headers = {
    accept: 'application/vnd.github+json',
    'user-agent': 'Datadeck',
    authorization: `Bearer ${token}`,
  };
  return fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error) => {
    throw new ProviderError('unavailable', 'GitHub could not be reached. Try again later.', { cause: error });
  });
}

/**
 * Fetches the account of a token.
 * @param refuse converts an unsuccessful answer to the error to throw; default: `unavailable`
 * @throws ProviderError
 */
export async function fetchUser(
  apiUrl: string,
  token: string,
  refuse?: (answer: RefusedAnswer) => ProviderError,
): Promise<{ user: GithubUser; headers: Headers }> {
  const response = await getFromGithub(`${apiUrl}/user`, token);
  const { status, headers } = response;
  if (!response.ok) {
    const body = refuse ? await response.text() : '';
    throw (
      refuse?.({ status, headers, body, now: Date.now() }) ??
      new ProviderError('unavailable', `GitHub did not say who connected (status ${status}).`)
    );
  }
  const user = userSchema.safeParse(await response.json().catch(() => undefined));
  if (user.success) return { user: user.data, headers };
  throw new ProviderError('malformed', 'GitHub did not say who connected.', { cause: user.error });
}

/** Returns the identity of a GitHub account. @param githubUrl the issuer */
export function identityOf(user: GithubUser, githubUrl: string): Identity {
  return {
    issuer: githubUrl,
    subject: String(user.id),
    account: displayText(user.login),
    email: emailText(user.email),
    name: displayText(user.name) || displayText(user.login),
  };
}
