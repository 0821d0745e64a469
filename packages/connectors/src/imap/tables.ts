import { HTML_TEXT_COLUMN } from '../mail/search.ts';
import type { TableDefinition } from '../sdk/table.ts';

/** Returns the table of mailboxes. @param prefix of the connector's names, e.g. `imap` */
export const mailboxTable = (prefix: string): TableDefinition => ({
  name: `${prefix}_mailboxes`,
  title: 'name',
  columns: {
    name: { type: 'text', copies: ['id'] },
    messages: { type: 'integer', copies: ['messages'], standIns: [0] },
    unread: { type: 'integer', copies: ['unread'], standIns: [0] },
  },
});

/** Returns the table of messages. @param prefix of the connector's names, e.g. `imap` */
export const messageTable = (prefix: string): TableDefinition => ({
  name: `${prefix}_messages`,
  title: 'subject',
  listedBy: 'received_at',
  columns: {
    subject: { type: 'text', copies: ['subject'] },
    // The address in lower case, else the name.
    sender: { type: 'text' },
    sender_name: { type: 'text', copies: ['from', 'name'] },
    domain: { type: 'text' },
    mailbox: { type: 'text', copies: ['mailbox'] },
    unread: { type: 'boolean', copies: ['unread'] },
    flagged: { type: 'boolean', copies: ['flagged'] },
    flags: { type: 'text[]' },
    attachments: { type: 'integer' },
    size: { type: 'bigint', copies: ['size'] },
    date: { type: 'timestamptz', copies: ['date'], fractionDigits: 3 },
    received_at: { type: 'timestamptz', copies: ['receivedAt'], fractionDigits: 3 },
    html_text: HTML_TEXT_COLUMN,
  },
  groups: ["date_trunc('month', occurred_at at time zone 'UTC')"],
});
