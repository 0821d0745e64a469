import { sql } from 'drizzle-orm';
import { elementsOf, newestFirst, type TemplateDefinition } from './definition.ts';

const entity = 'gh-pulls';
/** Hours between two instants of the facets, rounded to a tenth. */
const hours = (from: string, to: string) =>
  sql.raw(
    `extract(epoch from instant_or_null(facets->>'${to}') - instant_or_null(facets->>'${from}')) / 3600`,
  );
const state = (name: string) => sql.raw(`count(*) filter (where facets->>'state' = '${name}')`);

const columns = ['number', 'title', 'state', 'author', 'created_at'];

export const pullTemplates: readonly TemplateDefinition[] = [
  {
    key: 'pulls-all',
    entity,
    columns,
    title: 'All pull requests',
    description: 'Every pull request as GitHub gave it, the newest first.',
    rows: sql`select document as row from r order by ${newestFirst}`,
    documentsBy: newestFirst,
  },
  {
    key: 'pulls-by-author',
    entity,
    columns,
    title: 'Pull requests by author',
    description: 'Open, merged and closed pull requests of each author, the most active first.',
    rows: sql`
      select json_build_object('author', facets->>'author', 'pulls', count(*), 'open', ${state('open')}, 'merged', ${state('merged')}, 'closed', ${state('closed')}) as row
      from r group by facets->>'author' order by count(*) desc, facets->>'author'`,
  },
  {
    key: 'pulls-by-state',
    entity,
    columns,
    title: 'Pull requests by state',
    description: 'How many are open, merged, or closed without a merge, and how many of them are drafts.',
    rows: sql`
      select json_build_object('state', facets->>'state', 'pulls', count(*), 'drafts', count(*) filter (where boolean_or_null(facets->>'draft'))) as row
      from r group by facets->>'state' order by count(*) desc, facets->>'state'`,
  },
  {
    key: 'pulls-open-by-age',
    entity,
    columns,
    title: 'Open by age',
    description: 'Open pull requests, the oldest first, with their age in days.',
    rows: sql`
      select json_build_object('number', integer_or_null(facets->>'number'), 'title', facets->>'title', 'author', facets->>'author', 'repository', facets->>'repository',
        'created', facets->>'created', 'draft', boolean_or_null(facets->>'draft'),
        'ageDays', floor(extract(epoch from now() - occurred_at) / 86400)::int) as row
      from r where facets->>'state' = 'open' order by occurred_at, external_id`,
  },
  {
    key: 'pulls-time-to-merge',
    entity,
    columns,
    title: 'Time to merge by month',
    description:
      'For the pull requests merged in each month (UTC): hours from opening to merge, median and 90th percentile.',
    rows: sql`
      select json_build_object('month', month, 'merged', count(*),
        'medianHours', round(percentile_cont(0.5) within group (order by hours)::numeric, 1),
        'p90Hours', round(percentile_cont(0.9) within group (order by hours)::numeric, 1)) as row
      from (select to_char(instant_or_null(facets->>'merged') at time zone 'UTC', 'YYYY-MM') as month, ${hours('created', 'merged')} as hours
        from r where facets->>'merged' is not null) m
      group by month order by month desc`,
  },
  {
    key: 'pulls-by-label',
    entity,
    columns,
    title: 'Pull requests by label',
    description: 'Open and total pull requests of each label. One with several labels counts for each.',
    rows: sql`
      select json_build_object('label', label, 'pulls', count(*), 'open', ${state('open')}, 'merged', ${state('merged')}) as row
      from r cross join lateral ${elementsOf('labels')} as label
      group by label order by count(*) desc, label`,
  },
  {
    key: 'pulls-review-requests',
    entity,
    columns,
    title: 'Review requests by reviewer',
    description: 'Who is asked to review: all requests and those still open, by person or team.',
    rows: sql`
      select json_build_object('reviewer', reviewer, 'requests', count(*), 'open', ${state('open')}) as row
      from r cross join lateral ${elementsOf('reviewers')} as reviewer
      group by reviewer order by ${state('open')} desc, count(*) desc, reviewer`,
  },
  {
    key: 'pulls-by-month',
    entity,
    columns,
    title: 'By repository and month',
    description: 'Pull requests opened in each repository and month (UTC), the newest month first.',
    rows: sql`
      select json_build_object('repository', repository, 'month', month, 'opened', count(*), 'merged', count(*) filter (where state = 'merged')) as row
      from (select facets->>'repository' as repository, to_char(occurred_at at time zone 'UTC', 'YYYY-MM') as month, facets->>'state' as state from r) m
      group by repository, month order by month desc, repository`,
  },
];
