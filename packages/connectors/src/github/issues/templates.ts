import type { TemplateDefinition } from '../../sdk/table.ts';
import { allDocuments, daysSince, instantText, monthOf } from '../../sdk/template-sql.ts';

/** The number of open issues whose age in days is in a range. */
const aged = (from: number, to: number) => `sum(open) filter (where age >= ${from} and age < ${to})::int`;

/** Templates over issues. Records are grouped by a whole list of labels before its values. */
export const issueTemplates: readonly TemplateDefinition[] = [
  allDocuments({
    key: 'issues-all',
    columns: ['number', 'title', 'state', 'user', 'labels', 'created_at'],
    title: 'All issues',
    description: 'Every issue as GitHub sent it, the newest first, without addresses of the API.',
  }),
  {
    key: 'issues-open-by-age',
    kind: 'rows',
    title: 'Open issues by age',
    description: 'Open issues, the oldest first, with their age in days, labels and assignees.',
    changesWithTime: true,
    sql: `
      select number, coalesce(title, left(data->>'title', 2000)) as title, author, is_bot as bot, repository, labels, assignees,
        milestone, comments, ${instantText('occurred_at')} as created, ${daysSince('occurred_at')} as "ageDays", account
      from gh_issues where state = 'open' order by occurred_at, id`,
  },
  {
    key: 'issues-by-age-and-label',
    kind: 'rows',
    title: 'Open issues by age and label',
    description:
      'Open issues of each label by their age in days. One with several labels counts for each; those without a label are in the row without one.',
    changesWithTime: true,
    sql: `
      select label, sum(open)::int as open, coalesce(${aged(0, 7)}, 0) as "under7Days", coalesce(${aged(7, 30)}, 0) as "under30Days",
        coalesce(${aged(30, 90)}, 0) as "under90Days", coalesce(${aged(90, 365)}, 0) as "underYear",
        coalesce(sum(open) filter (where age >= 365)::int, 0) as older, max(age) as "oldestDays"
      from (
        select labels, greatest(${daysSince('occurred_at')}, 0) as age, count(*) as open
        from gh_issues where state = 'open' group by 1, 2
      ) sets left join lateral unnest(labels) as label on true
      group by label order by sum(open) desc, label`,
  },
  {
    key: 'issues-stale',
    kind: 'rows',
    title: 'Stale issues',
    description:
      'Open issues without an update for 30 days or more, the longest first. The field staleFor is 30, 60 or 90.',
    changesWithTime: true,
    sql: `
      select number, coalesce(title, left(data->>'title', 2000)) as title, author, is_bot as bot, repository, labels, assignees, comments,
        ${instantText('touched')} as updated, days as "idleDays",
        case when days >= 90 then 90 when days >= 60 then 60 else 30 end as "staleFor", account
      from (
        select *, coalesce(updated_at, occurred_at) as touched, ${daysSince('coalesce(updated_at, occurred_at)')} as days
        from gh_issues where state = 'open'
      ) open_issues
      where days >= 30 order by touched, id`,
  },
  {
    key: 'issues-by-state',
    kind: 'rows',
    title: 'Issues by state',
    description: 'How many issues are open or closed, and for which reason they were closed.',
    sql: `
      select state, state_reason as reason, count(*) as issues, coalesce(sum(comments), 0) as comments
      from gh_issues group by state, state_reason order by count(*) desc, state, state_reason`,
  },
  {
    key: 'issues-by-repository',
    kind: 'rows',
    title: 'Issues by repository',
    description: 'Open and closed issues of each repository, and those closed as not planned.',
    sql: `
      select repository, count(*) as issues, count(*) filter (where state = 'open') as open,
        count(*) filter (where state = 'closed') as closed,
        count(*) filter (where state = 'closed' and state_reason = 'not_planned') as "notPlanned"
      from gh_issues group by repository order by count(*) desc, repository`,
  },
  {
    key: 'issues-by-month',
    kind: 'rows',
    title: 'Issues opened and closed by month',
    description: 'Issues opened and closed in each repository and month (UTC), the newest month first.',
    sql: `
      select repository, to_char(began, 'YYYY-MM') as month, sum(opened)::int as opened, sum(closed)::int as closed
      from (
        select repository, ${monthOf('occurred_at')} as began, count(*) as opened, 0 as closed from gh_issues group by 1, 2
        union all
        select repository, ${monthOf('closed_at')}, 0, count(*) from gh_issues where closed_at is not null group by 1, 2
      ) months
      group by repository, began order by began desc, repository`,
  },
  {
    key: 'issues-by-author',
    kind: 'rows',
    title: 'Issues by author',
    description: 'Open and closed issues of each author, the most active first. The field bot marks bots.',
    sql: `
      select author, is_bot as bot, count(*) as issues, count(*) filter (where state = 'open') as open,
        count(*) filter (where state = 'closed') as closed
      from gh_issues group by author, is_bot order by count(*) desc, author, is_bot`,
  },
];
