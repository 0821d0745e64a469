import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readMessage, walkParts } from '../mime/mime-tree.ts';
import { queryOf } from '../requests/call.ts';
import { notFound } from './gmail-error.ts';
import { admit, formatOf } from './gmail-guard.ts';
import type { GmailService } from './gmail-service.ts';
import { listFilter, listPage, readListOptions } from './mail-listing.ts';
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
  const options = readListOptions(mailbox, queryOf(request));
  const passes = listFilter(mailbox, options);
  const { items, nextPageToken, estimate } = listPage(mailbox.mails, options, (mail) =>
    passes(mail) ? { id: mail.id, threadId: mail.threadId } : undefined,
  );
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
  const mail = mailbox.mail(idOf(request));
  if (!mail) throw notFound();
  const metadataHeaders = query.getAll('metadataHeaders').map((name) => name.toLowerCase());
  return messageResource(mail, { format, metadataHeaders });
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

/** Returns the id in the path of a request. */
export function idOf(request: FastifyRequest): string {
  return (request.params as { id?: string }).id ?? '';
}
