import type { FastifyInstance, FastifyRequest } from 'fastify';
import { callOf, queryOf } from '../carrier/call.ts';
import { readMessage, walkParts } from '../mime/mime-tree.ts';
import { beforeList, oddMessage, oddPage, oddWish } from './drift-faults.ts';
import { notFound } from './gmail-error.ts';
import { admit, formatOf } from './gmail-guard.ts';
import type { GmailService } from './gmail-service.ts';
import { listFilter, listPage, readListWish } from './mail-listing.ts';
import { messageResource, partIdOf } from './message-resource.ts';

/** Registers messages.list, messages.get and attachments.get. */
export function registerMessages(scope: FastifyInstance, gmail: GmailService): void {
  scope.get('/v1/users/:userId/messages', async (request) => listMessages(gmail, request));
  scope.get('/v1/users/:userId/messages/:id', async (request) => getMessage(gmail, request));
  scope.get('/v1/users/:userId/messages/:id/attachments/:attachmentId', async (request) =>
    getAttachment(gmail, request),
  );
}

function listMessages(gmail: GmailService, request: FastifyRequest): unknown {
  const { mailbox } = admit(gmail, request, 'messages.list');
  const { faults } = callOf(request);
  const wish = oddWish(readListWish(mailbox, queryOf(request)), faults);
  beforeList(mailbox, wish, faults);
  const passes = listFilter(mailbox, wish);
  const page = listPage(mailbox.mails, wish, (mail) =>
    passes(mail) ? { id: mail.id, threadId: mail.threadId } : undefined,
  );
  const { items, nextPageToken, estimate } = oddPage(page, wish, faults);
  return {
    ...(items.length > 0 ? { messages: items } : {}),
    ...(nextPageToken === undefined ? {} : { nextPageToken }),
    resultSizeEstimate: estimate,
  };
}

function getMessage(gmail: GmailService, request: FastifyRequest): unknown {
  const { mailbox } = admit(gmail, request, 'messages.get');
  const query = queryOf(request);
  const format = formatOf(query.get('format'), ['full', 'metadata', 'minimal', 'raw']);
  const { faults } = callOf(request);
  const mail = mailbox.mail(idOf(request));
  if (!mail || faults.take('message-gone')) throw notFound();
  const metadataHeaders = query.getAll('metadataHeaders').map((name) => name.toLowerCase());
  return oddMessage(messageResource(mail, { format, metadataHeaders }), faults);
}

function getAttachment(gmail: GmailService, request: FastifyRequest): unknown {
  const { mailbox } = admit(gmail, request, 'attachments.get');
  const mail = mailbox.mail(idOf(request));
  const { attachmentId = '' } = request.params as { attachmentId?: string };
  const partId = partIdOf(attachmentId);
  const parts = mail ? [...walkParts(readMessage(mail.read()))] : [];
  const part = parts.find((each) => each.partId === partId);
  if (!part) throw notFound();
  return { size: part.content.length, data: part.content.toString('base64url') };
}

/** The id in the path of a request. */
export function idOf(request: FastifyRequest): string {
  return (request.params as { id?: string }).id ?? '';
}
