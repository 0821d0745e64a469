/** The two hosts that GitHub's answers point to. */
export interface GithubLinks {
  /** e.g. https://github.com */
  web: string;
  /** e.g. https://api.github.com */
  api: string;
}

/** The hosts under the sandbox's base address. */
export function linksUnder(base: string): GithubLinks {
  return { web: `${base}/github`, api: `${base}/github/api` };
}

/** A node id of the newer form: prefix and packed numbers. */
export function nodeId(prefix: string, id: number): string {
  const packed = Buffer.alloc(8);
  packed.writeBigUInt64BE(BigInt(Math.trunc(id)));
  return `${prefix}_kwDO${packed.subarray(2).toString('base64url')}`;
}

/** A time as GitHub writes it: whole seconds, UTC. */
export function isoSeconds(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}
