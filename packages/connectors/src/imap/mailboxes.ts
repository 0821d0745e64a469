import { PLAN_LIMITS } from '@datadeck/contract';
import { z } from 'zod';
import {
  type ColumnValues,
  type ConnectorRecord,
  copiedInteger,
  copiedText,
  defineEntity,
  type EntityDefinition,
  type JsonObject,
  parseSaved,
  storableDocument,
} from '../sdk/index.ts';
import type { ListedMailbox } from './mailbox-list.ts';
import { fetchMailboxes } from './mailbox-session.ts';
import type { SessionOptions } from './session.ts';
import { mailboxTable } from './tables.ts';
import { mailboxTemplates } from './templates.ts';

/** Stored after the only page: whether the limit excluded mailboxes. */
const checkpointSchema = z.object({ truncated: z.boolean() });
/** Mailboxes have no date, so all of them share this one. */
const NO_DATE = new Date(0);

/** Extracts the columns from a document made by `mailboxRecord`. */
function mailboxColumns({ id = '', messages, unread }: JsonObject): ColumnValues {
  return { name: copiedText(id), messages: copiedInteger(messages) ?? 0, unread: copiedInteger(unread) ?? 0 };
}

/** Converts a listed mailbox to a record. */
function mailboxRecord({ path, name, use, messages, unread, ...rest }: ListedMailbox): ConnectorRecord {
  const { delimiter, subscribed } = rest;
  const counts = { messages, unread };
  const data = storableDocument({
    id: path,
    name,
    ...counts,
    use: use.replace('\\', ''),
    delimiter,
    subscribed,
  }) as JsonObject;
  return { id: data.id as string, occurredAt: NO_DATE, data, columns: mailboxColumns(data) };
}

/**
 * Defines the entity of an account's mailboxes with their counts. Every run is a full one, since there are few.
 * @param prefix of the connector's names, e.g. `imap`
 */
export function mailboxEntity(prefix: string, options: SessionOptions): EntityDefinition {
  return defineEntity({
    id: `${prefix}-mailboxes`,
    title: 'Mailboxes',
    description:
      '<p>The mailboxes (folders) of the account: <code>INBOX</code>, <code>Sent</code>, … with their message counts.</p>',
    dependsOn: [],
    multi: true,
    limits: PLAN_LIMITS['gmail-labels'],
    settings: [],
    scopeOf: () => 'account',
    table: mailboxTable(prefix),
    templates: mailboxTemplates(prefix),
    extraction: 1,
    convert: (document) => ({ data: document, columns: mailboxColumns(document) }),
    async *read(request) {
      const done = parseSaved(checkpointSchema, request.checkpoint);
      if (done) return { cursor: null, truncated: done.truncated };
      const all = await fetchMailboxes(request.client, options, Number.POSITIVE_INFINITY);
      const records = all.map(mailboxRecord);
      const truncated = records.length > request.limit;
      yield { records: records.slice(0, request.limit), checkpoint: { truncated }, total: records.length };
      return { cursor: null, truncated };
    },
    async estimate({ client, limit }) {
      const total = (await fetchMailboxes(client, options, 0)).length;
      return { total, records: Math.min(total, limit), requests: 1, units: 1 };
    },
    async *listIds({ client }) {
      yield (await fetchMailboxes(client, options, 0)).map(({ path }) => path);
    },
  });
}
