import type { TemplateDefinition } from '../../sdk/table.ts';
import { allDocuments, instantText, monthOf } from '../../sdk/template-sql.ts';

/** Templates over comments. People are counted from groups: count(distinct …) sorts all rows. */
export const commentTemplates: readonly TemplateDefinition[] = [
  allDocuments({
    key: 'comments-all',
    columns: ['user', 'body', 'path', 'line', 'created_at'],
    title: 'All comments',
    description:
      'Every comment on issues and pull requests, and in reviews, as GitHub sent it, the newest first.',
  }),
  {
    key: 'comments-by-author',
    kind: 'rows',
    title: 'Comments by author',
    description:
      'Comments of each author on issues, on pull requests and at lines of changes, the most active first. The field bot marks bots.',
    sql: `
      select author, is_bot as bot, count(*) as comments, count(*) filter (where kind = 'issue') as "onIssues",
        count(*) filter (where kind = 'pull') as "onPulls", count(*) filter (where kind = 'review') as "inReviews",
        coalesce(sum(reactions), 0) as reactions, ${instantText('max(occurred_at)')} as last
      from gh_comments group by author, is_bot order by count(*) desc, author, is_bot`,
  },
  {
    key: 'comments-by-month',
    kind: 'rows',
    title: 'Comments by month',
    description:
      'Comments of people and of bots in each month (UTC), and how many wrote them, the newest month first.',
    sql: `
      select to_char(began, 'YYYY-MM') as month, bot, sum(comments)::int as comments, count(*) as authors
      from (
        select ${monthOf('occurred_at')} as began, is_bot as bot, author, count(*) as comments from gh_comments group by 1, 2, 3
      ) authors
      group by began, bot order by began desc, bot`,
  },
  {
    key: 'comments-by-author-and-month',
    kind: 'rows',
    title: 'Comments by author and month',
    description:
      'Comments of each author in each month (UTC), the newest month first. The field bot marks bots.',
    sql: `
      select to_char(began, 'YYYY-MM') as month, author, bot, comments, "onIssues", "onPulls", "inReviews"
      from (
        select ${monthOf('occurred_at')} as began, author, is_bot as bot, count(*) as comments,
          count(*) filter (where kind = 'issue') as "onIssues", count(*) filter (where kind = 'pull') as "onPulls",
          count(*) filter (where kind = 'review') as "inReviews"
        from gh_comments group by 1, 2, 3
      ) months
      order by began desc, comments desc, author, bot`,
  },
];
