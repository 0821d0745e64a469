import type { FastifyInstance, FastifyRequest } from 'fastify';
import { queryOf } from '../requests/call.ts';
import { invalidArgument, notFound } from './gmail-error.ts';
import { admit } from './gmail-guard.ts';
import type { GmailService } from './gmail-service.ts';
import type { HistoryEntry } from './history-log.ts';
import { pageSize } from './mail-listing.ts';

const TYPES = ['messageAdded', 'messageDeleted', 'labelAdded', 'labelRemoved'] as const;

/** Registers history.list. */
export function registerHistory(scope: FastifyInstance, gmail: GmailService): void {
  scope.get('/v1/users/:userId/history', async (request) => listHistory(gmail, request));
}

function listHistory(gmail: GmailService, request: FastifyRequest): unknown {
  const { mailbox } = admit(gmail, request, 'history.list');
  const query = queryOf(request);
  const start = query.get('startHistoryId') ?? '';
  if (!/^\d{1,20}$/.test(start))
    throw invalidArgument(
      start === '' ? 'Missing required parameter: startHistoryId' : 'Invalid startHistoryId',
    );
  const all = mailbox.history.since(Number(start));
  if (!all) throw notFound();
  const wanted = all.filter(filterOf(query));
  const from = readPlace(query.get('pageToken'));
  const size = pageSize(query.get('maxResults'));
  const history = wanted.slice(from, from + size).map(historyRecord);
  return {
    ...(history.length > 0 ? { history } : {}),
    ...(from + size < wanted.length ? { nextPageToken: String(1_000_000 + from + size) } : {}),
    historyId: String(mailbox.history.current),
  };
}

function readPlace(token: string | null): number {
  if (token === null || token === '') return 0;
  if (!/^1\d{6}$/.test(token)) throw invalidArgument('Invalid pageToken');
  return Number(token) - 1_000_000;
}

function filterOf(query: URLSearchParams): (entry: HistoryEntry) => boolean {
  const types = query.getAll('historyTypes');
  const unknown = types.find((type) => !TYPES.some((known) => known === type));
  if (unknown !== undefined) throw invalidArgument(`Invalid value at 'history_types', "${unknown}"`);
  const labelId = query.get('labelId');
  return ({ change, labelIds }) => {
    const type = change.kind.replace('labels', 'label');
    return (
      (types.length === 0 || types.includes(type)) && (labelId === null || isAbout(labelId, labelIds, change))
    );
  };
}

function isAbout(labelId: string, labelIds: readonly string[], change: HistoryEntry['change']): boolean {
  return labelIds.includes(labelId) || ('labelIds' in change && change.labelIds.includes(labelId));
}

function historyRecord({ id, change, labelIds }: HistoryEntry): unknown {
  const brief = { id: change.mail.id, threadId: change.mail.threadId };
  const message = labelIds.length > 0 ? { ...brief, labelIds } : brief;
  const record = { id: String(id), messages: [brief] };
  if (change.kind === 'messageAdded') return { ...record, messagesAdded: [{ message }] };
  if ('labelIds' in change) return { ...record, [change.kind]: [{ message, labelIds: change.labelIds }] };
  return { ...record, messagesDeleted: [{ message }] };
}
