import { isIP } from 'node:net';
import { ImapFlow } from 'imapflow';
import { isLoopback, ProviderError, resolveHost } from '../sdk/index.ts';
import type { Account } from './account.ts';

/** Largest piece of an answer that is believed: pages ask for far less. */
const MOST_BYTES = 64 * 1024 * 1024;

export interface OpenOptions {
  /** Host names, `*.domain` or `*`. */
  hosts: readonly string[];
  /** A certificate authority to trust besides the system's, PEM. */
  ca?: string | undefined;
  password: string;
  signal: AbortSignal;
  silenceMs: number;
}

/** The address to connect to. Without TLS only this machine itself: elsewhere the password could be read on the way. */
async function addressOf({ host, security }: Account, hosts: readonly string[]): Promise<string> {
  const address = await resolveHost(host, hosts);
  if (security === 'none' && !isLoopback(address))
    throw new ProviderError('invalid', 'A connection without TLS is allowed on this machine only.', {
      field: 'security',
    });
  return address;
}

function tlsOptions({ host }: Account, ca: string | undefined) {
  const name = isIP(host) === 0 ? { servername: host } : {};
  return { ...name, tls: { minVersion: 'TLSv1.2' as const, ...(ca === undefined ? {} : { ca }) } };
}

/**
 * Ends with what the work gives, or at once with the signal's reason: then the connection is closed under the work.
 */
export async function untilAbort<T>(imap: ImapFlow, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      imap.close();
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** A signed-in connection. @throws ProviderError of the host's policy; what imapflow throws */
export async function openImap(account: Account, options: OpenOptions): Promise<ImapFlow> {
  const { signal, silenceMs, password } = options;
  const imap = new ImapFlow({
    host: await addressOf(account, options.hosts),
    port: account.port,
    secure: account.security === 'tls',
    doSTARTTLS: account.security === 'starttls',
    ...tlsOptions(account, options.ca),
    auth: { user: account.user, pass: password },
    clientInfo: { name: 'Datadeck' },
    // Its log would hold what mails say.
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: silenceMs,
    greetingTimeout: silenceMs,
    socketTimeout: silenceMs,
    maxLineLength: MOST_BYTES,
    maxLiteralSize: MOST_BYTES,
    maxResponseSize: 2 * MOST_BYTES,
  });
  // The commands under way tell; nobody listens between them.
  imap.on('error', () => undefined);
  try {
    await untilAbort(imap, signal, () => imap.connect());
    return imap;
  } catch (error) {
    imap.close();
    throw error;
  }
}
