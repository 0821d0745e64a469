/** The two hosts in the links of GitHub's responses. */
export interface GithubLinks {
  /** For example https://github.com */
  web: string;
  /** For example https://api.github.com */
  api: string;
}

/** Returns the hosts below the sandbox's base address. */
export function linksUnder(base: string): GithubLinks {
  return { web: `${base}/github`, api: `${base}/github/api` };
}

/** Returns a node id in the newer format: a prefix and packed numbers. */
export function nodeId(prefix: string, id: number): string {
  const packed = Buffer.alloc(8);
  packed.writeBigUInt64BE(BigInt(Math.trunc(id)));
  return `${prefix}_kwDO${packed.subarray(2).toString('base64url')}`;
}

/** Formats a time like GitHub: whole seconds, UTC. */
export function isoSeconds(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}
