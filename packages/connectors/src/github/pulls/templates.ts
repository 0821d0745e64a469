import type { TemplateDefinition } from '../../sdk/index.ts';

const columns = ['number', 'title', 'state', 'author', 'created_at'];
/** GitHub calls a merged pull request closed. */
const isOpen = `state = 'open' and merged_at is null`;
const isClosed = `state = 'closed' and merged_at is null`;

/** Templates over pull requests. Records are grouped by a whole list before its values: many records have the same list. */
export const pullTemplates: readonly TemplateDefinition[] = [
  {
    key: 'pulls-all',
    kind: 'documents',
    columns,
    title: 'All pull requests',
    description:
      'Every pull request as GitHub sent it, the newest first. The repositories of base and head have only their id, names, owner, address, visibility and default branch.',
    orderBy: [
      { by: 'occurred_at', descending: true },
      { by: 'id', descending: true },
    ],
  },
  {
    key: 'pulls-by-author',
    kind: 'rows',
    columns,
    title: 'Pull requests by author',
    description: 'Open, merged and closed pull requests of each author, the most active first.',
    sql: `
      select author, count(*) as pulls, count(*) filter (where ${isOpen}) as open,
        count(*) filter (where merged_at is not null) as merged, count(*) filter (where ${isClosed}) as closed
      from gh_pulls group by author order by count(*) desc, author`,
  },
  {
    key: 'pulls-by-state',
    kind: 'rows',
    columns,
    title: 'Pull requests by state',
    description: 'How many are open, merged, or closed without a merge, and how many of them are drafts.',
    sql: `
      select case when merged_at is null then state else 'merged' end as state,
        count(*) as pulls, count(*) filter (where draft) as drafts
      from gh_pulls group by 1 order by count(*) desc, 1`,
  },
  {
    key: 'pulls-open-by-age',
    kind: 'rows',
    columns,
    title: 'Open by age',
    description: 'Open pull requests, the oldest first, with their age in days.',
    changesWithTime: true,
    sql: `
      select number, coalesce(title, left(data->>'title', 2000)) as title, author, repository,
        to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as created, coalesce(draft, false) as draft,
        floor(extract(epoch from now() - occurred_at) / 86400)::int as "ageDays", account
      from gh_pulls where ${isOpen} order by occurred_at, id`,
  },
  {
    key: 'pulls-time-to-merge',
    kind: 'rows',
    columns,
    title: 'Time to merge by month',
    description:
      'For the pull requests merged in each month (UTC): hours from opening to merge, median and 90th percentile.',
    sql: `
      select to_char(began, 'YYYY-MM') as month, count(*) as merged,
        round(percentile_cont(0.5) within group (order by hours)::numeric, 1) as "medianHours",
        round(percentile_cont(0.9) within group (order by hours)::numeric, 1) as "p90Hours"
      from (
        select date_trunc('month', merged_at at time zone 'UTC') as began,
          date_part('epoch', merged_at - occurred_at) / 3600 as hours
        from gh_pulls where merged_at is not null
      ) merges
      group by began order by began desc`,
  },
  {
    key: 'pulls-by-label',
    kind: 'rows',
    columns,
    title: 'Pull requests by label',
    description: 'Open and total pull requests of each label. One with several labels counts for each.',
    sql: `
      select label, sum(pulls)::int as pulls, sum(open)::int as open, sum(merged)::int as merged
      from (
        select labels, count(*) as pulls, count(*) filter (where ${isOpen}) as open,
          count(*) filter (where merged_at is not null) as merged
        from gh_pulls group by labels
      ) sets, unnest(labels) as label
      group by label order by sum(pulls) desc, label`,
  },
  {
    key: 'pulls-review-requests',
    kind: 'rows',
    columns,
    title: 'Review requests by reviewer',
    description: 'Who is asked to review: all requests and those still open, by person or team.',
    sql: `
      select reviewer, sum(requests)::int as requests, sum(open)::int as open
      from (
        select reviewers, count(*) as requests, count(*) filter (where ${isOpen}) as open
        from gh_pulls group by reviewers
      ) sets, unnest(reviewers) as reviewer
      group by reviewer order by sum(open) desc, sum(requests) desc, reviewer`,
  },
  {
    key: 'pulls-waiting',
    kind: 'rows',
    columns: ['reviewer', ...columns, 'ageDays'],
    title: 'Waiting for me',
    description:
      'Open pull requests that wait for a review, a row for each person or team that is asked, the oldest first. Filter by the field reviewer to see yours. The field bot marks pull requests of bots.',
    changesWithTime: true,
    sql: `
      select reviewer, number, coalesce(title, left(data->>'title', 2000)) as title, author,
        coalesce(author like '%[bot]', false) as bot, repository,
        to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as created, coalesce(draft, false) as draft,
        floor(extract(epoch from now() - occurred_at) / 86400)::int as "ageDays", account
      from gh_pulls cross join lateral unnest(reviewers) as reviewer
      where ${isOpen} order by occurred_at, id, reviewer`,
  },
  {
    key: 'pulls-by-month',
    kind: 'rows',
    columns,
    title: 'By repository and month',
    description: 'Pull requests opened in each repository and month (UTC), the newest month first.',
    sql: `
      select repository, to_char(began, 'YYYY-MM') as month, count(*) as opened,
        count(*) filter (where merged_at is not null) as merged
      from (select repository, merged_at, date_trunc('month', occurred_at at time zone 'UTC') as began from gh_pulls) p
      group by repository, began order by began desc, repository`,
  },
];
