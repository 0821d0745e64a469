const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Returns whether a redirect address is allowed: HTTP(S) without a fragment, on loopback or the origin of `base`. */
export function isAllowedRedirect(address: string | null, base: string): address is string {
  if (address === null || !URL.canParse(address)) return false;
  const url = new URL(address);
  if (!/^https?:$/.test(url.protocol) || url.hash !== '') return false;
  return LOOPBACK.test(url.hostname) || url.origin === new URL(base).origin;
}

/** Returns the address with the query parameters set; omits null and undefined ones. */
export function withParameters(
  address: string,
  parameters: Record<string, string | null | undefined>,
): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null) url.searchParams.set(name, value);
  }
  return url.href;
}
