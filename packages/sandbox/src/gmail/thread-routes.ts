import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readMessage } from '../mime/mime-tree.ts';
import { queryOf } from '../requests/call.ts';
import { notFound } from './gmail-error.ts';
import { admit, formatOf } from './gmail-guard.ts';
import type { GmailService } from './gmail-service.ts';
import type { Mail } from './mail.ts';
import { listFilter, listPage, readListOptions } from './mail-listing.ts';
import type { Mailbox } from './mailbox.ts';
import { messageResource } from './message-resource.ts';
import { idOf } from './message-routes.ts';
import { snippetOf } from './snippet.ts';

/** Registers threads.list and threads.get. */
export function registerThreads(scope: FastifyInstance, gmail: GmailService): void {
  scope.get('/v1/users/:userId/threads', async (request) => listThreads(gmail, request));
  scope.get('/v1/users/:userId/threads/:id', async (request) => getThread(gmail, request));
}

function listThreads(gmail: GmailService, request: FastifyRequest): unknown {
  const { mailbox } = admit(gmail, request, 'threads.list');
  const options = readListOptions(mailbox, queryOf(request));
  const passes = listFilter(mailbox, options);
  const { items, nextPageToken, estimate } = listPage(mailbox.mails, options, (mail) =>
    isShown(mailbox, mail, passes) ? mail : undefined,
  );
  const threads = items.map((mail) => threadEntry(mailbox, mail));
  return {
    ...(threads.length > 0 ? { threads } : {}),
    ...(nextPageToken === undefined ? {} : { nextPageToken }),
    resultSizeEstimate: estimate,
  };
}

/** Returns whether this message is the newest matching one of its thread, at whose position the thread is listed. */
function isShown(mailbox: Mailbox, mail: Mail, passes: (mail: Mail) => boolean): boolean {
  return passes(mail) && mailbox.threads.get(mail.threadId)?.findLast(passes) === mail;
}

function threadEntry(mailbox: Mailbox, mail: Mail): unknown {
  const newest = mailbox.threads.get(mail.threadId)?.at(-1) ?? mail;
  return {
    id: mail.threadId,
    snippet: snippetOf(readMessage(newest.read())),
    historyId: threadHistoryId(mailbox, mail.threadId),
  };
}

function threadHistoryId(mailbox: Mailbox, threadId: string): string {
  return String(Math.max(...(mailbox.threads.get(threadId) ?? []).map((mail) => mail.historyId)));
}

function getThread(gmail: GmailService, request: FastifyRequest): unknown {
  const { mailbox } = admit(gmail, request, 'threads.get');
  const query = queryOf(request);
  const format = formatOf(query.get('format'), ['full', 'metadata', 'minimal']);
  const mails = mailbox.threads.get(idOf(request));
  if (!mails) throw notFound();
  const metadataHeaders = query.getAll('metadataHeaders').map((name) => name.toLowerCase());
  const messages = mails.map((mail) => messageResource(mail, { format, metadataHeaders }));
  return { id: idOf(request), historyId: threadHistoryId(mailbox, idOf(request)), messages };
}
