import { crc32 } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { queryOf } from '../requests/call.ts';
import { answerConditionally } from './conditional-answer.ts';
import type { GithubService } from './github-service.ts';
import { PageMemory } from './page-memory.ts';
import { linkHeader, wholeNumber } from './pull-listing.ts';

const memory = new PageMemory();

/** The page of a list that a request asks for. */
export interface RequestedPage {
  perPage: number;
  page: number;
}

/** A list of records, of which one page is sent. */
export interface RecordList<Row> {
  rows: readonly Row[];
  text(row: Row): Buffer;
  /** Address of the list without its query. */
  address: string;
  /** The fields around the records, for lists inside an object. */
  around?: { before: string; after: string };
}

/** Reads `per_page` and `page`, with GitHub's default of 30 and maximum of 100. */
export function requestedPage(query: URLSearchParams): RequestedPage {
  return {
    perPage: Math.min(100, wholeNumber(query.get('per_page'), 30)),
    page: wholeNumber(query.get('page'), 1),
  };
}

/** Sends one page of a list with its Link header, or 304 if the caller knows it. */
export function answerList<Row>(
  github: GithubService,
  reply: FastifyReply,
  { rows, text, address, around = { before: '[', after: ']' } }: RecordList<Row>,
): FastifyReply {
  const query = queryOf(reply.request);
  const { perPage, page } = requestedPage(query);
  const shown = rows.slice((page - 1) * perPage, page * perPage);
  const link = linkHeader(address, query, { page, last: Math.ceil(rows.length / perPage) });
  const texts = shown.map(text);
  const parts = texts.flatMap((each, index) => (index === 0 ? [each] : [COMMA, each]));
  const bytes = memory.concat([Buffer.from(around.before), ...parts, Buffer.from(around.after)], reply.raw);
  const checksum = crc32(around.before, checksumOf(texts));
  return answerConditionally(github, reply, { text: bytes, checksum, link });
}

const COMMA = Buffer.from(',');

/** Checksums of cached texts, so that the sandbox takes little processor time in benchmarks of the product. */
const checksums = new WeakMap<Buffer, number>();

function checksumOf(texts: readonly Buffer[]): number {
  let all = crc32('');
  for (const text of texts) {
    const one = checksums.get(text) ?? crc32(text);
    checksums.set(text, one);
    all = crc32(`${one} `, all);
  }
  return all;
}
