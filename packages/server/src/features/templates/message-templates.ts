import { sql } from 'drizzle-orm';
import { elementsOf, instantText, newestFirst, type TemplateDefinition } from './definition.ts';

const entity = 'gmail-messages';
const unread = sql.raw("boolean_or_null(facets->>'unread')");

const columns = ['from', 'sender', 'subject', 'date', 'snippet'];

export const messageTemplates: readonly TemplateDefinition[] = [
  {
    key: 'messages-all',
    entity,
    columns,
    title: 'All messages',
    description: 'Every message with sender, subject, text and attachments, the newest first.',
    rows: sql`select document as row from r order by ${newestFirst}`,
    documentsBy: newestFirst,
  },
  {
    key: 'messages-by-sender',
    entity,
    columns,
    title: 'Messages by sender',
    description: 'Who writes most: messages, unread messages, and the first and last message of each sender.',
    rows: sql`
      select json_build_object('sender', facets->>'sender', 'name', max(facets->>'senderName'), 'messages', count(*),
        'unread', count(*) filter (where ${unread}), 'first', ${instantText('min(occurred_at)')}, 'last', ${instantText('max(occurred_at)')}) as row
      from r group by facets->>'sender' order by count(*) desc, facets->>'sender'`,
  },
  {
    key: 'messages-by-domain',
    entity,
    columns,
    title: 'Messages by sender domain',
    description: 'Messages and different senders of each domain, the busiest first.',
    rows: sql`
      select json_build_object('domain', facets->>'domain', 'messages', count(*), 'senders', count(distinct facets->>'sender')) as row
      from r group by facets->>'domain' order by count(*) desc, facets->>'domain'`,
  },
  {
    key: 'messages-by-label',
    entity,
    columns,
    title: 'Messages by label',
    description:
      'How many of the synchronized messages carry each label. A message counts once for each of its labels.',
    rows: sql`
      select json_build_object('label', label, 'messages', count(*), 'unread', count(*) filter (where ${unread}), 'newest', ${instantText('max(occurred_at)')}) as row
      from r cross join lateral ${elementsOf('labels')} as label
      group by label order by count(*) desc, label`,
  },
  {
    key: 'messages-by-month',
    entity,
    columns,
    title: 'Messages by month',
    description: 'Messages received in each month (UTC), the newest month first.',
    rows: sql`
      select json_build_object('month', month, 'messages', count(*), 'senders', count(distinct sender)) as row
      from (select to_char(occurred_at at time zone 'UTC', 'YYYY-MM') as month, facets->>'sender' as sender from r) m
      group by month order by month desc`,
  },
  {
    key: 'messages-by-hour',
    entity,
    columns,
    title: 'Messages by weekday and hour',
    description: 'When mail arrives: messages of each weekday (1 is Monday) and hour of the day (UTC).',
    rows: sql`
      select json_build_object('weekday', weekday, 'day', (array['Monday','Tuesday','Wednesday','Thursday','Friday','Saturday','Sunday'])[weekday],
        'hour', hour, 'messages', count(*)) as row
      from (select extract(isodow from occurred_at at time zone 'UTC')::int as weekday, extract(hour from occurred_at at time zone 'UTC')::int as hour from r) h
      group by weekday, hour order by weekday, hour`,
  },
  {
    key: 'messages-threads',
    entity,
    columns,
    title: 'Threads',
    description: 'Conversations with their subject, messages, participants and time span, the latest first.',
    rows: sql`
      select json_build_object('thread', facets->>'thread', 'subject', (array_agg(facets->>'subject' order by occurred_at, external_id))[1],
        'messages', count(*), 'unread', count(*) filter (where ${unread}),
        'participants', json_agg(distinct facets->>'sender'), 'first', ${instantText('min(occurred_at)')}, 'last', ${instantText('max(occurred_at)')}) as row
      from r group by facets->>'thread' order by max(occurred_at) desc, facets->>'thread'`,
  },
  {
    key: 'messages-attachments',
    entity,
    columns,
    title: 'Messages with attachments',
    description: 'Messages that carry files, with the names and sizes of these, the newest first.',
    rows: sql`
      select json_build_object('id', external_id, 'date', ${instantText('occurred_at')}, 'sender', facets->>'sender', 'subject', facets->>'subject',
        'files', integer_or_null(facets->>'attachments'), 'attachments', data->'attachments') as row
      from r where integer_or_null(facets->>'attachments') > 0 order by occurred_at desc, external_id desc`,
  },
  {
    key: 'messages-unread-by-sender',
    entity,
    columns,
    title: 'Unread by sender',
    description: 'Whose messages wait to be read, the most first.',
    rows: sql`
      select json_build_object('sender', facets->>'sender', 'name', max(facets->>'senderName'), 'unread', count(*), 'newest', ${instantText('max(occurred_at)')}) as row
      from r where ${unread} group by facets->>'sender' order by count(*) desc, facets->>'sender'`,
  },
];
