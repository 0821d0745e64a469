import { type Authorization, OpenIdSignIn } from '@datadeck/connectors';
import { LINK_PROVIDER, type SignInProvider as ListedProvider } from '@datadeck/contract';
import type { ConnectorRegistry } from '../features/connections/index.ts';
import type { Config } from '../platform/config/config.ts';

/** The connector whose consent page also signs in. */
export const GOOGLE = 'google';

/** An identity provider that users can sign in with. */
export interface SignInProvider {
  key: string;
  title: string;
  authorization: Pick<Authorization, 'start' | 'finish'>;
  /** Returns why signing in fails at the moment; undefined if it is not known to fail. */
  problem(): string | undefined;
}

function openIdProviders(config: Config): SignInProvider[] {
  return config.oidcProviders.map(({ key, title, issuer, clientId, clientSecret, scopes }) => {
    const client = { id: clientId, secret: clientSecret };
    const authorization = new OpenIdSignIn({ title, issuer, client, scopes });
    const problem = () => {
      authorization.check();
      return authorization.problem;
    };
    return { key, title, authorization, problem };
  });
}

/** Returns whether Google signs people in: the real one, or the sandbox's. */
export function hasGoogle(config: Config): boolean {
  return config.sandbox || config.GOOGLE_CLIENT_ID !== undefined;
}

/**
 * Creates the identity providers of the login screen: Google if it can sign people in, then those of `OIDC_PROVIDERS`. Begins to fetch their discovery documents.
 */
export function createSignInProviders(config: Config, registry: ConnectorRegistry): SignInProvider[] {
  const others = openIdProviders(config);
  for (const other of others) other.problem();
  const { authorization } = registry.connector(GOOGLE);
  if (!authorization || !hasGoogle(config)) return others;
  return [{ key: GOOGLE, title: 'Google', authorization, problem: () => undefined }, ...others];
}

/** Returns the title of a sign-in method's provider; its key when the provider is not configured any more. */
export function signInTitle(providers: readonly SignInProvider[], provider: string): string {
  if (provider === LINK_PROVIDER) return 'Sign-in link';
  return providers.find(({ key }) => key === provider)?.title ?? (provider === GOOGLE ? 'Google' : provider);
}

/** Converts the providers to the wire format. */
export function listSignInProviders(providers: readonly SignInProvider[]): ListedProvider[] {
  return providers.map(({ key, title, problem }) => {
    const sentence = problem();
    return { identifier: key, title, ...(sentence === undefined ? {} : { problem: sentence }) };
  });
}
