import { crc32 } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { spendRequest } from './github-guard.ts';
import type { GithubService } from './github-service.ts';

/** A JSON response to a GET request. */
export interface Readable {
  value?: unknown;
  /** The value as JSON, if it is already available. */
  text?: Buffer | undefined;
  /** A checksum of the text, if it is already available. */
  checksum?: number | undefined;
  link?: string | undefined;
}

/** Responds with an ETag, or with 304 if the client already has the data. Only the former uses quota. */
export function answerConditionally(
  github: GithubService,
  reply: FastifyReply,
  readable: Readable,
): FastifyReply {
  const { request } = reply;
  const body = readable.text ?? Buffer.from(JSON.stringify(readable.value));
  // A weak ETag suffices for CRC32, and is cheap: benchmarks measure the product, not the sandbox.
  const checksum = readable.checksum ?? crc32(body);
  const etag = `W/"${crc32(readable.link ?? '', checksum).toString(16)}-${body.length.toString(16)}"`;
  const isSignedIn = request.headers.authorization !== undefined;
  reply.headers({
    etag,
    'cache-control': `${isSignedIn ? 'private' : 'public'}, max-age=60, s-maxage=60`,
    vary: 'Accept, Authorization, Cookie, X-GitHub-OTP,Accept-Encoding, Accept, X-Requested-With',
  });
  const isKnown = matchesEtag(request.headers['if-none-match'], etag);
  if (!isKnown || !isSignedIn) spendRequest(github, request, reply);
  if (isKnown) return reply.code(304).send();
  if (readable.link !== undefined) reply.header('link', readable.link);
  return reply.type('application/json; charset=utf-8').send(body);
}

function matchesEtag(header: string | undefined, etag: string): boolean {
  const strong = etag.replace(/^W\//, '');
  return (header ?? '').split(/,\s*/).some((candidate) => candidate.replace(/^W\//, '') === strong);
}
