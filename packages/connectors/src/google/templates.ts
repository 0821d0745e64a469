import { hourTemplate } from '../mail/index.ts';
import type { TemplateDefinition } from '../sdk/index.ts';

const labelColumns = ['name', 'type', 'messagesTotal', 'messagesUnread'];
const messageColumns = ['from', 'sender', 'subject', 'date', 'snippet'];

/** Templates over labels. */
export const labelTemplates: readonly TemplateDefinition[] = [
  {
    key: 'labels-all',
    kind: 'documents',
    columns: labelColumns,
    title: 'All labels',
    description: 'Every label as Gmail sent it, Gmail’s own first, then yours by name.',
    orderBy: [{ by: "type <> 'system'" }, { by: "coalesce(name, '')" }, { by: 'id' }],
  },
  {
    key: 'labels-by-type',
    kind: 'rows',
    columns: labelColumns,
    title: 'Labels by type',
    description: 'How many labels are Gmail’s own (system) and how many are yours (user), with their names.',
    sql: `
      select type, count(*) as labels, array_agg(name order by name) as names
      from gmail_labels group by type order by count(*) desc, type`,
  },
  {
    key: 'labels-message-counts',
    kind: 'rows',
    columns: labelColumns,
    title: 'Labels with message counts',
    description:
      'Each label with its messages, unread messages and threads, as Gmail counts them; the fullest first.',
    sql: `
      select id, name, type, messages, unread, threads, account
      from gmail_labels order by messages desc, name, id, account`,
  },
];

/** Templates over messages. Senders are counted from groups: count(distinct …) sorts all rows. */
export const messageTemplates: readonly TemplateDefinition[] = [
  {
    key: 'messages-all',
    kind: 'documents',
    columns: messageColumns,
    title: 'All messages',
    description: 'Every message with sender, subject, text and attachments, the newest first.',
    orderBy: [
      { by: 'occurred_at', descending: true },
      { by: 'id', descending: true },
    ],
  },
  {
    key: 'messages-by-sender',
    kind: 'rows',
    columns: messageColumns,
    title: 'Messages by sender',
    description: 'Who writes most: messages, unread messages, and the first and last message of each sender.',
    sql: `
      select sender, max(sender_name) as name, count(*) as messages, count(*) filter (where unread) as unread,
        to_char(min(occurred_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as first,
        to_char(max(occurred_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as last
      from gmail_messages group by sender order by count(*) desc, sender`,
  },
  {
    key: 'messages-by-domain',
    kind: 'rows',
    columns: messageColumns,
    title: 'Messages by sender domain',
    description: 'Messages and different senders of each domain, the busiest first.',
    sql: `
      select domain, sum(messages)::int as messages, count(sender) as senders
      from (select domain, sender, count(*) as messages from gmail_messages group by domain, sender) s
      group by domain order by sum(messages) desc, domain`,
  },
  {
    key: 'messages-by-label',
    kind: 'rows',
    columns: messageColumns,
    title: 'Messages by label',
    description:
      'How many of the synchronized messages carry each label of an account, with the names of synchronized labels. A message counts once for each of its labels.',
    alsoReads: 'gmail-labels',
    sql: `
      select label,
        coalesce((select name from gmail_labels l where l.connection_id = sets.connection_id and l.id = label), label) as name,
        sum(messages)::int as messages, sum(unread)::int as unread,
        to_char(max(newest) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as newest, min(account) as account
      from (
        select connection_id, min(account) as account, labels, count(*) as messages,
          count(*) filter (where unread) as unread, max(occurred_at) as newest
        from gmail_messages group by connection_id, labels
      ) sets, unnest(labels) as label
      group by connection_id, label order by sum(messages) desc, label, min(account)`,
  },
  {
    key: 'messages-by-month',
    kind: 'rows',
    columns: messageColumns,
    title: 'Messages by month',
    description: 'Messages received in each month (UTC), the newest month first.',
    sql: `
      select to_char(began, 'YYYY-MM') as month, sum(messages)::int as messages, count(sender) as senders
      from (
        select date_trunc('month', occurred_at at time zone 'UTC') as began, sender, count(*) as messages
        from gmail_messages group by began, sender
      ) s
      group by began order by began desc`,
  },
  { ...hourTemplate('messages-by-hour', 'gmail_messages'), columns: messageColumns },
  {
    key: 'messages-threads',
    kind: 'rows',
    columns: messageColumns,
    title: 'Threads',
    description: 'Conversations with their subject, messages, participants and time span, the latest first.',
    sql: `
      select thread,
        coalesce((array_agg(subject order by occurred_at, id))[1], '(more than 2,000 characters)') as subject,
        count(*) as messages, count(*) filter (where unread) as unread, array_agg(distinct sender) as participants,
        to_char(min(occurred_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as first,
        to_char(max(occurred_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as last, min(account) as account
      from gmail_messages group by connection_id, thread order by max(occurred_at) desc, thread, min(account)`,
  },
  {
    key: 'messages-attachments',
    kind: 'rows',
    columns: messageColumns,
    title: 'Messages with attachments',
    description: 'Messages that carry files, with the names and sizes of these, the newest first.',
    sql: `
      select id, to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as date, sender,
        coalesce(subject, left(data->>'subject', 2000)) as subject, attachments as files,
        data->'attachments' as attachments, account
      from gmail_messages where attachments > 0 order by occurred_at desc, id desc, account`,
  },
  {
    key: 'messages-unread-by-sender',
    kind: 'rows',
    columns: messageColumns,
    title: 'Unread by sender',
    description: 'Whose messages wait to be read, the most first.',
    sql: `
      select sender, max(sender_name) as name, count(*) as unread,
        to_char(max(occurred_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as newest
      from gmail_messages where unread group by sender order by count(*) desc, sender`,
  },
];
