import { sql } from 'drizzle-orm';
import type { TemplateDefinition } from './definition.ts';

const byName = sql.raw("facets->>'type' <> 'system', facets->>'name', external_id");
const entity = 'gmail-labels';

const columns = ['name', 'type', 'messagesTotal', 'messagesUnread'];

export const labelTemplates: readonly TemplateDefinition[] = [
  {
    key: 'labels-all',
    entity,
    columns,
    title: 'All labels',
    description: 'Every label as Gmail gave it, Gmail’s own first, then yours by name.',
    rows: sql`select document as row from r order by ${byName}`,
    documentsBy: byName,
  },
  {
    key: 'labels-by-type',
    entity,
    columns,
    title: 'Labels by type',
    description: 'How many labels are Gmail’s own (system) and how many are yours (user), with their names.',
    rows: sql`
      select json_build_object('type', facets->>'type', 'labels', count(*),
        'names', json_agg(facets->>'name' order by facets->>'name')) as row
      from r group by facets->>'type' order by count(*) desc, facets->>'type'`,
  },
  {
    key: 'labels-message-counts',
    entity,
    columns,
    title: 'Labels with message counts',
    description:
      'Each label with its messages, unread messages and threads, as Gmail counts them; the fullest first.',
    rows: sql`
      select json_build_object('id', external_id, 'name', facets->>'name', 'type', facets->>'type',
        'messages', integer_or_null(facets->>'messages'), 'unread', integer_or_null(facets->>'unread'), 'threads', integer_or_null(facets->>'threads')) as row
      from r order by integer_or_null(facets->>'messages') desc, facets->>'name', external_id`,
  },
];
