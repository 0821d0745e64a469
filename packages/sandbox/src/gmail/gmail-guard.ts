import type { FastifyReply, FastifyRequest } from 'fastify';
import { GmailError, invalidArgument } from './gmail-error.ts';
import { type GmailMethod, UNITS } from './gmail-quota.ts';
import type { GmailCaller, GmailService } from './gmail-service.ts';
import type { Mailbox } from './mailbox.ts';

const READING = [
  'https://mail.google.com/',
  ...['readonly', 'modify'].map((name) => `https://www.googleapis.com/auth/gmail.${name}`),
];
const METADATA = 'https://www.googleapis.com/auth/gmail.metadata';
const LABELS = 'https://www.googleapis.com/auth/gmail.labels';

/** An admitted request: its caller and the mailbox. */
export interface GmailVisit {
  caller: GmailCaller;
  mailbox: Mailbox;
}

/** Admits a request to a method and charges its quota units. @throws GmailError 401, 403, 429 */
export function admit(gmail: GmailService, request: FastifyRequest, method: GmailMethod): GmailVisit {
  const caller = gmail.callerOf(request);
  if (!caller) throw unauthenticated();
  gmail.context.hooks.admitted?.('gmail', request);
  if (!mayUse(caller, request, method)) throw insufficient();
  const { userId = 'me' } = request.params as { userId?: string };
  if (userId !== 'me' && userId.toLowerCase() !== caller.email) {
    throw new GmailError(403, 'forbidden', { message: `Delegation denied for ${caller.email}` });
  }
  spend(gmail, caller, method);
  return { caller, mailbox: gmail.mailbox(caller) };
}

/** Counts the request as in flight for its user until the response. */
export function countInFlight(gmail: GmailService, request: FastifyRequest, reply: FastifyReply): void {
  const caller = gmail.callerOf(request);
  if (!caller) return;
  const admitted = gmail.quota.gate.acquire(caller.subject);
  reply.raw.once('close', () => gmail.quota.gate.release(caller.subject));
  if (!admitted)
    throw new GmailError(429, 'rateLimitExceeded', { message: 'Too many concurrent requests for user' });
}

function spend(gmail: GmailService, caller: GmailCaller, method: GmailMethod): void {
  const answer = gmail.quota.units.take(caller.subject, UNITS[method]);
  if (!answer.allowed) {
    const message =
      "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute per user' of service 'gmail.googleapis.com' for consumer 'project_number:1001'.";
    throw new GmailError(403, 'userRateLimitExceeded', { message });
  }
  gmail.context.hooks.charged?.('gmail', caller.email, UNITS[method]);
}

function mayUse(caller: GmailCaller, request: FastifyRequest, method: GmailMethod): boolean {
  if (caller.scopes.some((scope) => READING.includes(scope))) return true;
  if (method.startsWith('labels.') && caller.scopes.includes(LABELS)) return true;
  if (!caller.scopes.includes(METADATA) || method === 'attachments.get') return false;
  const query = request.query as Record<string, unknown>;
  if (query.q !== undefined)
    throw new GmailError(403, 'forbidden', { message: "Metadata scope does not support 'q' parameter" });
  if (
    method.endsWith('.get') &&
    method !== 'labels.get' &&
    !['metadata', 'minimal'].includes(String(query.format ?? 'full'))
  ) {
    throw new GmailError(403, 'forbidden', { message: "Metadata scope doesn't allow format FULL" });
  }
  return true;
}

/** Returns the error for a missing or expired access token. */
export function unauthenticated(): GmailError {
  const message =
    'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.';
  const challenge = 'Bearer realm="https://accounts.google.com/", error="invalid_token"';
  return new GmailError(401, 'authError', { message, headers: { 'www-authenticate': challenge } });
}

/** Returns the error for a token without the scope that a method needs. */
export function insufficient(): GmailError {
  return new GmailError(403, 'insufficientPermissions', {
    message: 'Request had insufficient authentication scopes.',
  });
}

/** Returns the format of a request for a message or thread. @throws GmailError 400 for an unknown one */
export function formatOf<Format extends string>(text: string | null, known: readonly Format[]): Format {
  const found = known.find((format) => format === (text ?? 'full').toLowerCase());
  if (!found)
    throw invalidArgument(
      `Invalid value at 'format' (type.googleapis.com/google.apps.gmail.v1.MessageFormat), "${text}"`,
    );
  return found;
}
