import type { FastifyInstance, FastifyRequest } from 'fastify';
import { notFound } from './gmail-error.ts';
import { admit } from './gmail-guard.ts';
import type { GmailService } from './gmail-service.ts';
import { labelResource } from './labels.ts';
import type { Mailbox } from './mailbox.ts';
import { idOf } from './message-routes.ts';

/** Registers labels.list, labels.get and getProfile. */
export function registerLabelsAndProfile(scope: FastifyInstance, gmail: GmailService): void {
  scope.get('/v1/users/:userId/labels', async (request) => listLabels(gmail, request));
  scope.get('/v1/users/:userId/labels/:id', async (request) => getLabel(gmail, request));
  scope.get('/v1/users/:userId/profile', async (request) => getProfile(gmail, request));
}

function listLabels(gmail: GmailService, request: FastifyRequest): unknown {
  const { mailbox } = admit(gmail, request, 'labels.list');
  return { labels: mailbox.labels.map(labelResource) };
}

function getLabel(gmail: GmailService, request: FastifyRequest): unknown {
  const { mailbox } = admit(gmail, request, 'labels.get');
  const label = mailbox.labels.find((each) => each.id === idOf(request));
  if (!label) throw notFound();
  return { ...labelResource(label), ...countsOf(mailbox, label.id) };
}

function countsOf(mailbox: Mailbox, labelId: string): Record<string, number> {
  const mails = mailbox.mails.filter((mail) => mail.labelIds.includes(labelId));
  const unread = mails.filter((mail) => mail.labelIds.includes('UNREAD'));
  return {
    messagesTotal: mails.length,
    messagesUnread: unread.length,
    threadsTotal: new Set(mails.map((mail) => mail.threadId)).size,
    threadsUnread: new Set(unread.map((mail) => mail.threadId)).size,
  };
}

function getProfile(gmail: GmailService, request: FastifyRequest): unknown {
  const { mailbox, caller } = admit(gmail, request, 'getProfile');
  return {
    emailAddress: caller.email,
    messagesTotal: mailbox.mails.length,
    threadsTotal: mailbox.threads.size,
    historyId: String(mailbox.history.current),
  };
}
