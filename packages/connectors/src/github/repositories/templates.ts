import type { TemplateDefinition } from '../../sdk/table.ts';
import { daysSince, instantText } from '../../sdk/template-sql.ts';

/** Templates over repositories. */
export const repositoryTemplates: readonly TemplateDefinition[] = [
  {
    key: 'repos-all',
    kind: 'documents',
    columns: ['full_name', 'description', 'language', 'stargazers_count', 'pushed_at'],
    title: 'All repositories',
    description: 'Every repository that the account can see as GitHub sent it, the last pushed first.',
    orderBy: [
      { by: 'coalesce(pushed_at, occurred_at)', descending: true },
      { by: 'id', descending: true },
    ],
  },
  {
    key: 'repos-by-language',
    kind: 'rows',
    title: 'Repositories by language',
    description:
      'Repositories of each language with their stars, and how many are archived or forks. Those without a language are in the row without one.',
    sql: `
      select language, count(*) as repositories, count(*) filter (where archived) as archived,
        count(*) filter (where is_fork) as forks, coalesce(sum(stars), 0) as stars
      from gh_repos group by language order by count(*) desc, language`,
  },
  {
    key: 'repos-stale',
    kind: 'rows',
    title: 'Stale repositories',
    description:
      'Repositories that are not archived and had no push for 180 days or more, the longest first.',
    changesWithTime: true,
    sql: `
      select full_name as repository, owner_login as owner, language, private, is_fork as fork, stars, open_issues as "openIssues",
        ${instantText('pushed_at')} as pushed, days as "idleDays", account
      from (select *, ${daysSince('pushed_at')} as days from gh_repos where archived is distinct from true) open_repos
      where days >= 180 order by pushed_at, id`,
  },
  {
    key: 'repos-by-stars',
    kind: 'rows',
    title: 'Repositories by stars',
    description:
      'Repositories that anybody starred, with their forks and open issues, the most starred first.',
    sql: `
      select full_name as repository, owner_login as owner, language, stars, forks, open_issues as "openIssues", topics, account
      from gh_repos where stars > 0 order by stars desc, full_name, id`,
  },
];
