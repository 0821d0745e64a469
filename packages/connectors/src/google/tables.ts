import { HTML_TEXT_COLUMN } from '../mail/search.ts';
import type { TableDefinition } from '../sdk/table.ts';

/** Type of a label without a type. */
export const USER_LABEL = 'user';

/** The table of labels. */
export const labelTable: TableDefinition = {
  name: 'gmail_labels',
  title: 'name',
  columns: {
    name: { type: 'text', copies: ['name'] },
    type: { type: 'text', copies: ['type'], standIns: [USER_LABEL] },
    messages: { type: 'integer', copies: ['messagesTotal'], standIns: [0] },
    unread: { type: 'integer', copies: ['messagesUnread'], standIns: [0] },
    threads: { type: 'integer', copies: ['threadsTotal'], standIns: [0] },
  },
};

/** The table of messages. */
export const messageTable: TableDefinition = {
  name: 'gmail_messages',
  title: 'subject',
  listedBy: 'received_at',
  columns: {
    subject: { type: 'text', copies: ['subject'] },
    // The address in lower case, else the name.
    sender: { type: 'text' },
    sender_name: { type: 'text', copies: ['from', 'name'] },
    domain: { type: 'text' },
    labels: { type: 'text[]', copies: ['labelIds'] },
    thread: { type: 'text', copies: ['threadId'] },
    unread: { type: 'boolean' },
    attachments: { type: 'integer' },
    size: { type: 'bigint', copies: ['size'] },
    date: { type: 'timestamptz', copies: ['date'], fractionDigits: 3 },
    received_at: { type: 'timestamptz', copies: ['receivedAt'], fractionDigits: 3 },
    html_text: HTML_TEXT_COLUMN,
  },
  groups: [
    "date_trunc('month', occurred_at at time zone 'UTC')",
    "extract(isodow from occurred_at at time zone 'UTC')::int",
    "extract(hour from occurred_at at time zone 'UTC')::int",
  ],
};
