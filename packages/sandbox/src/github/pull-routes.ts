import { crc32 } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { queryOf } from '../requests/call.ts';
import { answerConditionally } from './conditional-answer.ts';
import { githubNotFound } from './github-error.ts';
import { admitVisitor, requirePullPermission, requireQuota } from './github-guard.ts';
import type { GithubService } from './github-service.ts';
import { PageMemory } from './page-memory.ts';
import { linkHeader, readPullListOptions, selectRows } from './pull-listing.ts';
import type { PullRepository } from './pull-repository.ts';
import { findRepository } from './repository-lookup.ts';

const pages = new PageMemory();

/** Registers repositories and their pull requests, by name and by id. */
export function registerPulls(scope: FastifyInstance, github: GithubService): void {
  for (const root of ['/repos/:owner/:repo', '/repositories/:repositoryId']) {
    scope.get(root, async (request, reply) => getRepository(github, request, reply));
    scope.get(`${root}/pulls`, async (request, reply) => listPulls(github, request, reply));
    scope.get(`${root}/pulls/:number`, async (request, reply) => getPull(github, request, reply));
  }
}

/** Admits the caller and finds the repository of the path. */
function enterRepository(github: GithubService, request: FastifyRequest, reply: FastifyReply) {
  const visitor = admitVisitor(github, request, reply);
  requireQuota(github, request, visitor);
  return { visitor, repository: findRepository(github, request, visitor) };
}

function enterPulls(github: GithubService, request: FastifyRequest, reply: FastifyReply): PullRepository {
  const { visitor, repository } = enterRepository(github, request, reply);
  requirePullPermission(visitor, repository.visibleTo !== undefined);
  return repository;
}

function getRepository(github: GithubService, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { repository } = enterRepository(github, request, reply);
  return answerConditionally(github, reply, { value: repository.repositoryShape(github.links) });
}

function listPulls(github: GithubService, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const repository = enterPulls(github, request, reply);
  const query = queryOf(request);
  const options = readPullListOptions(query);
  const rows = selectRows(repository, options);
  const start = (options.page - 1) * options.perPage;
  const shown = rows.slice(start, start + options.perPage);
  const address = `${github.links.api}/repositories/${repository.id}/pulls`;
  const last = Math.ceil(rows.length / options.perPage);
  const link = linkHeader(address, query, { page: options.page, last });
  const texts = shown.map((row) => repository.text(row, github.links));
  const text = pages.concat(listText(texts), reply.raw);
  return answerConditionally(github, reply, { text, checksum: checksumOf(texts), link });
}

const [OPEN, COMMA, CLOSE] = [Buffer.from('['), Buffer.from(','), Buffer.from(']')];

function listText(texts: readonly Buffer[]): Buffer[] {
  if (texts.length === 0) return [OPEN, CLOSE];
  return [...texts.flatMap((text, index) => [index === 0 ? OPEN : COMMA, text]), CLOSE];
}

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

function getPull(github: GithubService, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const repository = enterPulls(github, request, reply);
  const { number = '' } = request.params as { number?: string };
  const row = /^\d+$/.test(number) ? repository.row(Number(number)) : undefined;
  if (!row) throw githubNotFound('/pulls/pulls#get-a-pull-request');
  return answerConditionally(github, reply, { value: repository.shape(row, 'single', github.links) });
}
