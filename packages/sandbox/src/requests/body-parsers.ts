import type { FastifyInstance } from 'fastify';

/** Replaces the host's body parsers in this scope: parses forms, JSON (as text or object) and plain text. */
export function parseBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_: unknown, body: string) => {
      return new URLSearchParams(body);
    },
  );
  scope.addContentTypeParser(
    /^application\/json/,
    { parseAs: 'string' },
    async (_: unknown, body: string) => {
      if (body === '') return undefined;
      try {
        return JSON.parse(body);
      } catch {
        throw Object.assign(new Error('Problems parsing JSON'), { statusCode: 400 });
      }
    },
  );
  scope.addContentTypeParser('*', { parseAs: 'string' }, async (_: unknown, body: string) => body);
}
