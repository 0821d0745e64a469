const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether a redirect address may be used: on loopback, or on the origin that the sandbox itself is reached at. */
export function isAllowedRedirect(address: string | null, base: string): address is string {
  if (address === null || !URL.canParse(address)) return false;
  const url = new URL(address);
  if (!/^https?:$/.test(url.protocol) || url.hash !== '') return false;
  return LOOPBACK.test(url.hostname) || url.origin === new URL(base).origin;
}

/** The address with the parameters added; those undefined are left out. */
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
