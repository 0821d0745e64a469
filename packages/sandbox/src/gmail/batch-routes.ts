import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readMessage } from '../mime/mime-tree.ts';
import { GmailError, googleErrorBody, invalidArgument } from './gmail-error.ts';

const MAX_PARTS = 100;

/** Registers the batch endpoint: multipart/mixed HTTP requests, each with its own response and quota. */
export function registerBatch(scope: FastifyInstance): void {
  scope.post('/batch/gmail/v1', async (request, reply) => answerBatch(scope, request, reply));
}

async function answerBatch(
  scope: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const text = `Content-Type: ${request.headers['content-type'] ?? ''}\r\n\r\n${String(request.body ?? '')}`;
  const parts = readMessage(Buffer.from(text)).children;
  if (parts.length === 0) throw invalidArgument('Failed to parse batch request');
  if (parts.length > MAX_PARTS)
    throw new GmailError(400, 'badRequest', {
      message: `The batch request contains more than ${MAX_PARTS} calls.`,
    });
  const boundary = `batch_${randomBytes(12).toString('base64url')}`;
  const answers = await Promise.all(
    parts.map(async (part, index) => {
      const id =
        part.headers.find(({ name }) => name.toLowerCase() === 'content-id')?.value ?? `<part-${index}>`;
      const answer = await answerPart(scope, request, part.content.toString());
      return `--${boundary}\r\nContent-Type: application/http\r\nContent-ID: ${id.replace('<', '<response-')}\r\n\r\n${answer}\r\n`;
    }),
  );
  return reply.type(`multipart/mixed; boundary=${boundary}`).send(`${answers.join('')}--${boundary}--\r\n`);
}

async function answerPart(scope: FastifyInstance, request: FastifyRequest, text: string): Promise<string> {
  const path = /^GET (?:\/gmail)?(\/\S+)/.exec(text)?.[1];
  const authorization = /^authorization:\s*(.+)$/im.exec(text)?.[1]?.trim() ?? request.headers.authorization;
  if (path === undefined) return httpPart(400, JSON.stringify(googleErrorBody(400, 'Bad Request')));
  const headers = authorization === undefined ? {} : { authorization };
  const answer = await scope.inject({ method: 'GET', url: `${scope.prefix}${path}`, headers });
  return httpPart(answer.statusCode, answer.body);
}

function httpPart(status: number, body: string): string {
  const reason = status === 200 ? 'OK' : 'Error';
  return `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=UTF-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
