import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';

/** Thrown when a POST was not sent or not answered; the message is for the user who entered the URL. */
export class PostRefused extends Error {}

/** Resolves a host. @throws PostRefused when it has no address, or one that is not allowed */
async function addressesOf(host: string, mayReach: OutsidePost['mayReach']): Promise<LookupAddress[]> {
  const bare = host.replace(/^\[|\]$/g, '');
  const found =
    isIP(bare) !== 0
      ? [{ address: bare, family: isIP(bare) }]
      : await lookup(bare, { all: true }).catch(() => []);
  if (found.length === 0) throw new PostRefused('The host name of the address cannot be resolved.');
  if (!found.every(({ address }) => mayReach(address)))
    throw new PostRefused(
      'The address leads into a private network, which this installation does not allow.',
    );
  return found;
}

interface OutsidePost {
  body: string;
  headers: Record<string, string>;
  /** Timeout of the whole call: DNS, connection and response, ms. */
  timeoutMs: number;
  /** Returns whether requests to an IP address are allowed. */
  mayReach: (address: string) => boolean;
}

/** Sends to the checked addresses, because a second DNS lookup could return other ones. */
function send(url: URL, post: OutsidePost, addresses: LookupAddress[], signal: AbortSignal): Promise<number> {
  const checked: LookupFunction = (_host, options, done) => {
    const [first] = addresses;
    if (options.all) done(null, addresses);
    else done(null, first?.address ?? '', first?.family);
  };
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const call = request(
      url,
      {
        method: 'POST',
        lookup: checked,
        agent: false,
        signal,
        headers: { ...post.headers, 'content-length': String(Buffer.byteLength(post.body)) },
      },
      (answer) => {
        resolve(answer.statusCode ?? 0);
        // Only the status is needed.
        answer.destroy();
      },
    );
    call.on('error', reject);
    call.end(post.body);
  });
}

function messageFor(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ECONNREFUSED') return 'The server refuses the connection.';
  if (/CERT|SSL|TLS|SELF_SIGNED|ALTNAME/.test(code)) return 'The certificate of the server is not valid.';
  return 'The server cannot be reached.';
}

/**
 * Sends a POST to a URL entered by a user, without following redirects.
 * @returns the status of the response
 * @throws PostRefused for an address that is not allowed, and when there is no response in time
 */
export async function postOutside(address: string, post: OutsidePost): Promise<number> {
  const url = new URL(address);
  const signal = AbortSignal.timeout(post.timeoutMs);
  const late = new PostRefused('The server did not answer in time.');
  const expired = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(late), { once: true });
  });
  try {
    const addresses = await Promise.race([addressesOf(url.hostname, post.mayReach), expired]);
    return await Promise.race([send(url, post, addresses, signal), expired]);
  } catch (error) {
    if (error instanceof PostRefused) throw error;
    throw signal.aborted ? late : new PostRefused(messageFor(error));
  }
}
