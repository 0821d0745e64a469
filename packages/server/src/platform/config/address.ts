import type { Config } from './config.ts';

/** Returns the URL of a server that listens on a host and port, for example http://127.0.0.1:3000. */
export function addressOf({ HOST, PORT }: Pick<Config, 'HOST' | 'PORT'>): string {
  const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`;
}

/** Returns the URL under which browsers reach the product, as far as the settings name it, without a trailing slash. */
export function publicUrlOf(config: Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT'>): string {
  return config.PUBLIC_URL ?? addressOf(config);
}
