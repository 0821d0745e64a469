import { type Authorization, OpenIdSignIn } from '@datadeck/connectors';
import type { SignInProvider as ListedProvider } from '@datadeck/contract';
import type { ConnectorRegistry } from '../features/connections/index.ts';
import type { Config } from '../platform/config/config.ts';

/** The connector whose consent page also signs in. */
export const GOOGLE = 'google';
const GOOGLE_MISSING =
  "Google is not set up on this server. The administrator can print a sign-in link with 'datadeck login EMAIL'.";

/** An identity provider that users can sign in with. */
export interface SignInProvider {
  key: string;
  title: string;
  authorization: Pick<Authorization, 'start' | 'finish'>;
  /** Returns why signing in fails at the moment; undefined if it is not known to fail. */
  problem(): string | undefined;
  /** Whether the operator has configured it. */
  isConfigured: boolean;
}

function openIdProviders(config: Config): SignInProvider[] {
  return config.oidcProviders.map(({ key, title, issuer, clientId, clientSecret, scopes }) => {
    const client = { id: clientId, secret: clientSecret };
    const authorization = new OpenIdSignIn({ title, issuer, client, scopes });
    const problem = () => {
      authorization.check();
      return authorization.problem;
    };
    return { key, title, authorization, problem, isConfigured: true };
  });
}

/** Returns whether Google signs people in: the real one, or the sandbox's. */
export function hasGoogle(config: Config): boolean {
  return config.sandbox || config.GOOGLE_CLIENT_ID !== undefined;
}

/**
 * Creates the identity providers of the login screen: Google unless only others are configured, then those of
 * `OIDC_PROVIDERS`. Begins to fetch their discovery documents.
 */
export function createSignInProviders(config: Config, registry: ConnectorRegistry): SignInProvider[] {
  const others = openIdProviders(config);
  for (const other of others) other.problem();
  const isConfigured = hasGoogle(config);
  const { authorization } = registry.connector(GOOGLE);
  if (!authorization || (!isConfigured && others.length > 0)) return others;
  const problem = () => (isConfigured ? undefined : GOOGLE_MISSING);
  return [{ key: GOOGLE, title: 'Google', authorization, problem, isConfigured }, ...others];
}

/** Converts the providers to the wire format. */
export function listSignInProviders(providers: readonly SignInProvider[]): ListedProvider[] {
  return providers.map(({ key, title, problem, isConfigured }) => {
    const sentence = problem();
    return {
      identifier: key,
      title,
      ...(sentence === undefined ? {} : { problem: sentence }),
      ...(isConfigured ? {} : { isDisabled: true }),
    };
  });
}
