import { addressOf } from '../../platform/config/address.ts';
import type { Config } from '../../platform/config/config.ts';
import { configuredEndpoints } from '../connector-registry.ts';
import { skewOf } from './clock.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const TIMEOUT_MS = 10_000;
/** Largest difference to a provider's clock, ms; sign-ins with a larger one fail. */
const MAX_SKEW_MS = 60_000;

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1000} s`;
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/** Checks that a provider answers and that its clock agrees with this machine's. */
async function checkProvider(title: string, url: string): Promise<Finding> {
  try {
    const asked = Date.now();
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'manual' });
    const skewMs = skewOf(Date.parse(response.headers.get('date') ?? ''), asked);
    await response.body?.cancel();
    if (response.status >= 500)
      return warning(
        `${title} (${url}) answers with status ${response.status}.`,
        'Run the checks again later; if the problem remains, check the setting with this address.',
      );
    if (skewMs > MAX_SKEW_MS)
      return problem(
        `The clocks of this machine and of ${title} differ by ${Math.round(skewMs / 1000)} s.`,
        "Synchronise this machine's clock with NTP; until then sign-ins fail.",
      );
    return ok(`${title} answers at ${new URL(url).origin}.`);
  } catch (error) {
    return problem(
      `${title} does not answer at ${url}: ${reasonOf(error)}.`,
      "Check this machine's network, DNS and firewall, and the setting with this address.",
    );
  }
}

const discoveryOf = ({ url, tenant }: { url: string; tenant: string }) =>
  `${url.replace(/\/$/, '')}/${tenant}/v2.0/.well-known/openid-configuration`;

/** Checks the providers whose clients are configured, and those of OIDC_PROVIDERS. */
export async function checkProviders(config: Config): Promise<Finding[]> {
  const signIn = config.oidcProviders.map(({ title, issuer }) =>
    checkProvider(title, `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`),
  );
  if (config.sandbox)
    return [
      ok('Google, GitHub and the sign-in of Microsoft are emulated by the sandbox.'),
      ...(await Promise.all(signIn)),
    ];
  const { googleIssuer, gmailApiUrl, githubApiUrl, outlook } = configuredEndpoints(config);
  const google = config.GOOGLE_CLIENT_ID === undefined ? [] : [googleIssuer, gmailApiUrl];
  return Promise.all([
    ...google.map((url, index) =>
      checkProvider(
        ['Google', 'Gmail'][index] ?? '',
        index === 0 ? `${url}/.well-known/openid-configuration` : url,
      ),
    ),
    ...(config.MICROSOFT_CLIENT_ID === undefined ? [] : [checkProvider('Microsoft', discoveryOf(outlook))]),
    checkProvider('GitHub', githubApiUrl),
    ...signIn,
  ]);
}

/** Reads the answer of Datadeck's `/readyz`. @returns undefined for an answer of another program */
async function readStatus(response: Response): Promise<string | undefined> {
  const body: unknown = await response.json().catch(() => undefined);
  const isOurs = typeof body === 'object' && body !== null && 'status' in body;
  return isOurs && typeof body.status === 'string' ? body.status : undefined;
}

/** Checks whether Datadeck runs at the configured port. */
export async function checkRunning(config: Config): Promise<Finding> {
  const url = addressOf(config);
  let response: Response;
  try {
    response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch {
    return ok(`Datadeck does not run at ${url}.`);
  }
  const status = await readStatus(response);
  if (status === undefined)
    return problem(
      `Another program than Datadeck answers at ${url}.`,
      'Stop it, or set PORT to another port.',
    );
  if (response.ok) return ok(`Datadeck runs at ${url}.`);
  return problem(
    `Datadeck runs at ${url}, but ${status}.`,
    'Correct this first; the log of Datadeck has the details.',
  );
}
