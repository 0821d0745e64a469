import { sql } from 'drizzle-orm';
import { instantText, newestFirst, type TemplateDefinition } from './definition.ts';

const byName = sql.raw("facets->>'name' <> 'INBOX', facets->>'name', external_id");
const messages = 'imap-messages';
const unread = sql.raw("count(*) filter (where boolean_or_null(facets->>'unread'))");

export const imapTemplates: readonly TemplateDefinition[] = [
  {
    key: 'imap-mailboxes-all',
    entity: 'imap-mailboxes',
    title: 'All mailboxes',
    description: 'Every mailbox with its messages and unread messages, INBOX first, then by name.',
    rows: sql`select document as row from r order by ${byName}`,
    documentsBy: byName,
  },
  {
    key: 'imap-messages-all',
    entity: messages,
    title: 'All messages',
    description: 'Every message with sender, subject, text and attachments, the newest first.',
    rows: sql`select document as row from r order by ${newestFirst}`,
    documentsBy: newestFirst,
  },
  {
    key: 'imap-messages-by-sender',
    entity: messages,
    title: 'Messages by sender',
    description: 'Who writes most: messages, unread messages, and the first and last message of each sender.',
    rows: sql`
      select json_build_object('sender', facets->>'sender', 'name', max(facets->>'senderName'), 'messages', count(*),
        'unread', ${unread}, 'first', ${instantText('min(occurred_at)')}, 'last', ${instantText('max(occurred_at)')}) as row
      from r group by facets->>'sender' order by count(*) desc, facets->>'sender'`,
  },
  {
    key: 'imap-messages-by-month',
    entity: messages,
    title: 'Messages by month',
    description: 'Messages received in each month (UTC) by mailbox, the newest month first.',
    rows: sql`
      select json_build_object('month', month, 'mailbox', mailbox, 'messages', count(*), 'senders', count(distinct sender)) as row
      from (select to_char(occurred_at at time zone 'UTC', 'YYYY-MM') as month, facets->>'mailbox' as mailbox,
        facets->>'sender' as sender from r) m
      group by month, mailbox order by month desc, mailbox`,
  },
];
