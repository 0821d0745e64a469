import type { Credentials } from './authorization.ts';
import type { HttpApi, RequestAccess } from './http-api.ts';
import { ProviderError } from './provider-error.ts';

/** Returns the connector with its HTTP API. @throws Error if it declares none */
export function requireHttp<C extends Partial<HttpApi>>(connector: C): C & HttpApi {
  const { apiUrl, classify } = connector;
  if (apiUrl === undefined || classify === undefined) throw new Error('the connector declares no HTTP API');
  return { ...connector, apiUrl, classify };
}

/** Returns how requests with these credentials are sent. @throws ProviderError */
export function accessOf(connector: HttpApi, credentials: Credentials): RequestAccess {
  if (connector.accessOf) return connector.accessOf(credentials);
  const headers = { authorization: `Bearer ${credentials.accessToken}` };
  return { apiUrl: connector.apiUrl, headers, query: {} };
}

/** Shorter secrets may be part of a text by chance. */
const MIN_SECRET_LENGTH = 8;

/** Returns whether a text repeats a secret, also encoded for an address. */
export function repeatsSecret(text: string, secret: string): boolean {
  if (secret.length < MIN_SECRET_LENGTH) return false;
  return [secret, encodeURIComponent(secret.toWellFormed())].some((one) => text.includes(one));
}

/** Where a request is sent; see `ProviderRequest`. */
interface RequestAddress {
  path: string;
  query?: Record<string, string | string[] | undefined>;
}

/** Returns an address without the slashes at its end. */
export function withoutEndSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end--;
  return address.slice(0, end);
}

/**
 * Returns the URL of a request below `apiUrl`, e.g. `https://api.example.com/items?page=2`.
 * @param request.path a path below `apiUrl`, or a full URL of the same origin
 * @throws ProviderError `malformed` for another origin
 */
export function urlOf(request: RequestAddress, apiUrl: string): URL {
  const base = withoutEndSlashes(apiUrl);
  const url = URL.parse(request.path.startsWith('/') ? base + request.path : request.path);
  if (!url) throw new ProviderError('malformed', 'The provider pointed to an address that cannot be read.');
  if (url.origin !== new URL(apiUrl).origin)
    throw new ProviderError('malformed', 'The provider pointed to another host. Nothing was sent there.');
  for (const [name, value] of Object.entries(request.query ?? {})) {
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined) url.searchParams.append(name, item);
  }
  return url;
}
