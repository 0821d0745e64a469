import {
  GmailError,
  type GmailService,
  googleErrorBody,
  insufficient,
  invalidArgument,
  type MessageResource,
  notFound,
  queryOf,
  unauthenticated,
} from '@datadeck/sandbox/parts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DueFaults } from '../faults/fault-injector.ts';
import { changeLabels, changeMails } from './gmail-data-faults.ts';
import { isList, type List, oddList, oddMessage } from './gmail-payload-faults.ts';
import { dueFaults } from './requests.ts';

const LIMITS = [
  ['gmail-user-rate-limit', 403, 'userRateLimitExceeded', 'User Rate Limit Exceeded'],
  ['gmail-rate-limit', 403, 'rateLimitExceeded', 'Rate Limit Exceeded'],
  ['gmail-daily-limit', 403, 'dailyLimitExceeded', 'Daily Limit Exceeded'],
  ['gmail-too-many-concurrent', 429, 'rateLimitExceeded', 'Too many concurrent requests for user'],
] as const;

/** Refuses a request to Gmail, or changes the mailbox before its answer, if a fault is due. @throws GmailError */
export function admitToGmail(gmail: GmailService, request: FastifyRequest): void {
  const faults = dueFaults(request);
  const caller = gmail.callerOf(request);
  if (!caller) return;
  if (faults.take('token-expired')) throw unauthenticated();
  refuseByLimit(faults);
  if (faults.take('insufficient-scope')) throw insufficient();
  if (faults.take('message-gone') || faults.take('history-gone')) throw notFound();
  const query = queryOf(request);
  if (query.has('pageToken') && faults.take('page-token-expired')) throw invalidArgument('Invalid pageToken');
  const mailbox = gmail.mailbox(caller);
  if (/\/labels(\/|$)/.test(request.routeOptions.url ?? '')) changeLabels(mailbox, faults);
  changeMails(mailbox, query, faults);
  const short = faults.take('short-page');
  if (short) requestFewer(request, query, short.count ?? 2);
}

function refuseByLimit(faults: DueFaults): void {
  for (const [name, status, reason, message] of LIMITS) {
    if (faults.take(name)) throw new GmailError(status, reason, { message });
  }
  const paced = faults.take('gmail-too-many-requests');
  if (!paced) return;
  const headers = { 'retry-after': String(paced.seconds ?? 1) };
  throw new GmailError(429, 'rateLimitExceeded', { message: 'User-rate limit exceeded.', headers });
}

/** Lowers the page size of the request. */
function requestFewer(request: FastifyRequest, query: URLSearchParams, count: number): void {
  query.set('maxResults', String(Math.min(Number(query.get('maxResults') || 100), count)));
  request.raw.url = `${request.url.split('?', 1)[0]}?${query}`;
}

/** Adds the faults of Gmail's answers to its routes. */
export function addGmailFaults(scope: FastifyInstance): void {
  scope.addHook('preSerialization', async (request, _reply, payload) => damaged(request, payload));
  scope.addHook('onSend', async (request, reply, payload) => {
    const isBatch =
      typeof payload === 'string' && dueFaults(request).take('batch-part-refused') !== undefined;
    return isBatch ? refuseEverySecondPart(reply, payload) : payload;
  });
}

/** Returns the payload, damaged if a fault is due. */
function damaged(request: FastifyRequest, payload: unknown): unknown {
  const faults = dueFaults(request);
  if (typeof payload !== 'object' || payload === null || 'error' in payload) return payload;
  if ('labels' in payload && faults.take('unknown-field'))
    return { ...payload, newField: { of: 'tomorrow' } };
  if (isMessage(payload)) return oddMessage(payload, faults);
  return isList(payload) ? oddList(payload as List, queryOf(request).get('pageToken'), faults) : payload;
}

function isMessage(payload: object): payload is MessageResource {
  return 'snippet' in payload && 'sizeEstimate' in payload;
}

function refuseEverySecondPart(reply: FastifyReply, answer: string): string {
  const [, boundary = ''] = String(reply.getHeader('content-type')).split('boundary=');
  const body = JSON.stringify(
    googleErrorBody(429, 'Too many concurrent requests for user', 'rateLimitExceeded'),
  );
  const refusal = `HTTP/1.1 429 Error\r\nContent-Type: application/json; charset=UTF-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}\r\n`;
  const parts = answer.split(`--${boundary}`);
  // The text before the first boundary and the final hyphens are no parts.
  return parts
    .map((part, index) =>
      index % 2 === 0 && index > 0 && index < parts.length - 1
        ? part.slice(0, part.indexOf('HTTP/1.1')) + refusal
        : part,
    )
    .join(`--${boundary}`);
}
