import type { TemplateDefinition } from '../../sdk/table.ts';
import { allDocuments, instantText, monthOf } from '../../sdk/template-sql.ts';

/** Templates over commits. Authors are counted from groups: count(distinct …) sorts all rows. */
export const commitTemplates: readonly TemplateDefinition[] = [
  allDocuments({
    key: 'commits-all',
    columns: ['sha', 'commit', 'author', 'committer'],
    title: 'All commits',
    description: 'Every commit of the default branch as GitHub sent it, the newest first.',
  }),
  {
    key: 'commits-by-author',
    kind: 'rows',
    title: 'Commits by author',
    description:
      'Commits and merges of each author, with the first and the last one, the most active first. The field bot marks bots.',
    sql: `
      select author, is_bot as bot, count(*) as commits, count(*) filter (where is_merge) as merges,
        ${instantText('min(occurred_at)')} as first, ${instantText('max(occurred_at)')} as last
      from gh_commits group by author, is_bot order by count(*) desc, author, is_bot`,
  },
  {
    key: 'commits-by-month',
    kind: 'rows',
    title: 'Commits by month',
    description:
      'Commits of people and of bots in each repository and month (UTC), and how many wrote them, the newest month first.',
    sql: `
      select repository, to_char(began, 'YYYY-MM') as month, bot, sum(commits)::int as commits, count(*) as authors
      from (
        select repository, ${monthOf('occurred_at')} as began, is_bot as bot, author, count(*) as commits
        from gh_commits group by 1, 2, 3, 4
      ) authors
      group by repository, began, bot order by began desc, repository, bot`,
  },
];
