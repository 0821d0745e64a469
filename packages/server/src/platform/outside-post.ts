import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** A call that was not made, or not answered; the message is for the user who chose the address. */
export class PostRefused extends Error {}

/** Special-purpose addresses (RFC 6890): ours, link-local, shared, documentation, multicast, IPv4 in IPv6 clothes. */
const PRIVATE = {
  ipv4: '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3',
  ipv6: '::/16 64:ff9b::/32 100::/64 2001::/23 2001:db8::/32 2002::/16 fc00::/7 fe80::/9 ff00::/8',
};

function blockList(family: keyof typeof PRIVATE): BlockList {
  const list = new BlockList();
  for (const subnet of PRIVATE[family].split(' ')) {
    const [address = '', bits] = subnet.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}
// Two lists: an IPv4 address is looked for among IPv6 subnets as well, as `::ffff:…`.
const LISTS = { ipv4: blockList('ipv4'), ipv6: blockList('ipv6') };

/** Whether an IP address is not one of the public internet. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  return LISTS[family].check(address, family);
}

/** The addresses of a host. @throws PostRefused when it has none, or one that is not public and none such may be reached */
async function addressesOf(host: string, mayReachPrivate: boolean): Promise<LookupAddress[]> {
  const bare = host.replace(/^\[|\]$/g, '');
  const found =
    isIP(bare) !== 0
      ? [{ address: bare, family: isIP(bare) }]
      : await lookup(bare, { all: true }).catch(() => []);
  if (found.length === 0) throw new PostRefused('The host of the address is not known.');
  if (!mayReachPrivate && found.some(({ address }) => isPrivateAddress(address)))
    throw new PostRefused(
      'The address leads into a private network, which this installation does not allow.',
    );
  return found;
}

interface OutsidePost {
  body: string;
  headers: Record<string, string>;
  /** For all of it: name, connection, answer. */
  timeoutMs: number;
  mayReachPrivate: boolean;
}

/** Sends to addresses that were looked up and checked: looking up again could give others. */
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
        // What the answer says beyond its status is of no use here.
        answer.destroy();
      },
    );
    call.on('error', reject);
    call.end(post.body);
  });
}

function sentenceFor(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ECONNREFUSED') return 'The server refuses the connection.';
  if (/CERT|SSL|TLS|SELF_SIGNED|ALTNAME/.test(code)) return 'The certificate of the server is not valid.';
  return 'The server cannot be reached.';
}

/**
 * Posts to an address that a user chose; follows no redirect.
 * @returns the status of the answer
 * @throws PostRefused for an address that may not be reached, and when there is no answer in time
 */
export async function postOutside(address: string, post: OutsidePost): Promise<number> {
  const url = new URL(address);
  const signal = AbortSignal.timeout(post.timeoutMs);
  const late = new PostRefused('The server did not answer in time.');
  const expired = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(late), { once: true });
  });
  try {
    const addresses = await Promise.race([addressesOf(url.hostname, post.mayReachPrivate), expired]);
    return await Promise.race([send(url, post, addresses, signal), expired]);
  } catch (error) {
    if (error instanceof PostRefused) throw error;
    throw signal.aborted ? late : new PostRefused(sentenceFor(error));
  }
}
