const COOKIE = 'dd-failure';

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}

/**
 * Returns why the last connection failed and forgets it; empty if the server did not say. It comes by a cookie, because
 * anybody can write a link with a sentence in it.
 */
export function takeConnectFailure(): string {
  const value = document.cookie
    .split('; ')
    .find((one) => one.startsWith(`${COOKIE}=`))
    ?.slice(COOKIE.length + 1);
  if (value === undefined) return '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs https, which a server at home may not have
  document.cookie = `${COOKIE}=; max-age=0; path=${location.pathname.replace(/\/$/, '')}`;
  return decoded(value);
}
