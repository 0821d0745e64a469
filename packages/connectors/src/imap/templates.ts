import { hourTemplate } from '../mail/index.ts';
import type { TemplateDefinition } from '../sdk/index.ts';

/** Returns the templates over mailboxes. @param prefix of the connector's names, e.g. `imap` */
export const mailboxTemplates = (prefix: string): readonly TemplateDefinition[] => [
  {
    key: `${prefix}-mailboxes-all`,
    kind: 'documents',
    title: 'All mailboxes',
    description: 'Every mailbox with its messages and unread messages, INBOX first, then by name.',
    orderBy: [{ by: "name <> 'INBOX'" }, { by: 'name' }, { by: 'id' }],
  },
];

/** Returns the templates over messages. @param prefix of the connector's names, e.g. `imap` */
export const messageTemplates = (prefix: string): readonly TemplateDefinition[] => [
  {
    key: `${prefix}-messages-all`,
    kind: 'documents',
    title: 'All messages',
    description: 'Every message with sender, subject, text and attachments, the newest first.',
    orderBy: [
      { by: 'occurred_at', descending: true },
      { by: 'id', descending: true },
    ],
  },
  {
    key: `${prefix}-messages-by-sender`,
    kind: 'rows',
    title: 'Messages by sender',
    description: 'Who writes most: messages, unread messages, and the first and last message of each sender.',
    sql: `
      select sender, max(sender_name) as name, count(*) as messages, count(*) filter (where unread) as unread,
        to_char(min(occurred_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as first,
        to_char(max(occurred_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as last
      from ${prefix}_messages group by sender order by count(*) desc, sender`,
  },
  {
    key: `${prefix}-messages-by-month`,
    kind: 'rows',
    title: 'Messages by month',
    description: 'Messages received in each month (UTC) by mailbox of an account, the newest month first.',
    sql: `
      select to_char(began, 'YYYY-MM') as month, mailbox, sum(messages)::int as messages, count(sender) as senders,
        min(account) as account
      from (
        select date_trunc('month', occurred_at at time zone 'UTC') as began, connection_id, min(account) as account, mailbox,
          sender, count(*) as messages
        from ${prefix}_messages group by began, connection_id, mailbox, sender
      ) s
      group by began, connection_id, mailbox order by began desc, mailbox, min(account)`,
  },
  hourTemplate(`${prefix}-messages-by-hour`, `${prefix}_messages`),
];
