import { ghPulls } from '../../packages/connectors/src/github/pulls/entity.ts';
import { gmailMessages } from '../../packages/connectors/src/google/messages.ts';
import { messageEntity } from '../../packages/connectors/src/imap/messages.ts';

/** Rows of an entity's table for the bench, made by the database: `i` is the number of the row. */
export interface RowSource {
  provider: string;
  entity: string;
  table: string;
  /** Version of the extraction. */
  extraction: number;
  /** Expressions by column. */
  columns: Record<string, string>;
  /** The document, about 1 KB. */
  data: string;
}

const FILLER = "repeat('the quick brown fox jumps over a lazy dog while nobody looks ', 9)";
const DAY = `to_char(happened at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

export const PULLS: RowSource = {
  provider: 'github',
  entity: 'gh-pulls',
  table: 'gh_pulls',
  extraction: ghPulls.extraction,
  columns: {
    number: 'i',
    title: "'Change ' || i",
    state: "case when i % 50 = 0 then 'open' else 'closed' end",
    author: "'user' || i % 500",
    repository: "'acme/project-' || i % 4",
    draft: 'i % 10 = 0',
    created_at: 'happened',
    updated_at: 'happened',
    merged_at: "case when i % 50 > 0 and i % 3 > 0 then happened + i % 90 * interval '1 hour' end",
    labels: "array['label' || i % 7, 'label' || 7 + i % 3]",
    reviewers: "case when i % 2 = 0 then array['user' || i % 40] else array[]::text[] end",
    additions: 'i % 2000',
    deletions: 'i % 300',
  },
  data: `json_build_object('id', i, 'number', i, 'title', 'Change ' || i, 'state', case when i % 50 = 0 then 'open' else 'closed' end,
    'draft', i % 10 = 0, 'user', json_build_object('login', 'user' || i % 500, 'id', i % 500), 'created_at', ${DAY}, 'updated_at', ${DAY},
    'labels', json_build_array(json_build_object('name', 'label' || i % 7), json_build_object('name', 'label' || 7 + i % 3)),
    'additions', i % 2000, 'deletions', i % 300, 'body', ${FILLER} || i)`,
};

export const MESSAGES: RowSource = {
  provider: 'google',
  entity: 'gmail-messages',
  table: 'gmail_messages',
  extraction: gmailMessages.extraction,
  columns: {
    subject: "'Subject ' || i / 4",
    sender: "'person' || i % 2000 || '@domain' || i % 60 || '.example'",
    sender_name: "'Person ' || i % 2000",
    domain: "'domain' || i % 60 || '.example'",
    labels: "array['INBOX', 'Label_' || i % 12]",
    thread: "'t' || i / 4",
    unread: 'i % 5 = 0',
    attachments: 'case when i % 30 = 0 then 2 else 0 end',
    size: '1000 + i % 5000',
  },
  data: `json_build_object('id', 'm' || i, 'threadId', 't' || i / 4, 'labelIds', json_build_array('INBOX', 'Label_' || i % 12), 'date', ${DAY},
    'from', json_build_object('name', 'Person ' || i % 2000, 'address', 'person' || i % 2000 || '@domain' || i % 60 || '.example'),
    'subject', 'Subject ' || i / 4, 'attachments', json_build_array(), 'size', 1000 + i % 5000, 'text', ${FILLER} || i)`,
};

export const IMAP_MESSAGES: RowSource = {
  provider: 'imap',
  entity: 'imap-messages',
  table: 'imap_messages',
  extraction: messageEntity('imap', { hosts: [] }).extraction,
  columns: {
    subject: "'Subject ' || i",
    sender: "'person' || i % 2000 || '@domain' || i % 60 || '.example'",
    sender_name: "'Person ' || i % 2000",
    domain: "'domain' || i % 60 || '.example'",
    mailbox: "'Box ' || i % 5",
    unread: 'i % 5 = 0',
    flagged: 'i % 100 = 0',
    attachments: '0',
    size: '1000 + i % 5000',
  },
  data: `json_build_object('id', 'INBOX/1/' || i, 'date', ${DAY}, 'subject', 'Subject ' || i, 'mailbox', 'Box ' || i % 5, 'text', ${FILLER} || i)`,
};

/** Inserts rows `$1` to `$2` for the connections of the provider. @param condition on further connections `c`, in SQL */
export function insertOf(
  { provider, table, extraction, columns, data }: RowSource,
  condition = 'true',
): string {
  const names = Object.keys(columns).map((name) => `"${name}"`);
  return `
    insert into ${table} (user_id, connection_id, id, scopes, occurred_at, hash, extraction, created_sync, changed_sync, ${names.join(', ')}, data)
    select c.user_id, c.id, lpad(i::text, 9, '0'), array['bench'], happened, i::text, ${extraction}, gen_random_uuid(), gen_random_uuid(),
      ${Object.values(columns).join(', ')}, ${data}
    from connections c, generate_series($1::int, $2::int) i,
      lateral (select timestamptz '2016-01-01' + i * interval '5 minutes' as happened) d
    where c.provider = '${provider}' and ${condition}`;
}

/** The same aggregates as some of the templates, in DuckDB's SQL, over a table `pulls`. */
export const DUCKDB_QUERIES: Record<string, string> = {
  'pulls-by-author': `select author, count(*) as pulls, count(*) filter (where state = 'open') as open, count(*) filter (where merged_at is not null) as merged,
    count(*) filter (where state = 'closed' and merged_at is null) as closed from pulls group by author order by count(*) desc, author`,
  'pulls-by-state': `select case when merged_at is null then state else 'merged' end as state, count(*) as pulls, count(*) filter (where draft) as drafts
    from pulls group by 1 order by count(*) desc, 1`,
  'pulls-time-to-merge': `select month, count(*) as merged, quantile_cont(hours, 0.5) as p50, quantile_cont(hours, 0.9) as p90 from (
      select strftime(merged_at, '%Y-%m') as month, epoch(merged_at - created_at) / 3600 as hours from pulls where merged_at is not null)
    group by month order by month desc`,
  'pulls-by-label': `select label, count(*) as pulls, count(*) filter (where state = 'open') as open, count(*) filter (where merged_at is not null) as merged
    from (select unnest(labels) as label, state, merged_at from pulls) group by label order by count(*) desc, label`,
  'pulls-by-month': `select repository, strftime(created_at, '%Y-%m') as month, count(*) as opened, count(*) filter (where merged_at is not null) as merged
    from pulls group by repository, month order by month desc, repository`,
};
