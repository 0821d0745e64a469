import type { TemplateDefinition } from '../../sdk/table.ts';
import { allDocuments, percentile } from '../../sdk/template-sql.ts';

/**
 * The first review of each pull request by a person other than its author. Bots are no first reviewers. Pull requests
 * without one have no row.
 */
const firstReviews = `
        select distinct on (repository, number) author as reviewer, pull_is_bot as bot, submitted_at,
          date_part('epoch', submitted_at - pull_opened_at) / 3600 as hours
        from gh_reviews
        where number > 0 and submitted_at >= pull_opened_at and not is_bot and author is distinct from pull_author
        order by repository, number, submitted_at, id`;
const times = `count(*) as pulls, ${percentile(0.5, 'hours')} as "medianHours", ${percentile(0.9, 'hours')} as "p90Hours"`;

const counts = (of: string, name: string) =>
  `sum(${of})::int as ${name === '' ? 'reviews' : `"reviews${name}"`}, sum(${of}_approved)::int as "approvals${name}",
        sum(${of}_changes)::int as "changesRequested${name}", count(*) filter (where ${of} > 0) as "pulls${name}"`;

/** Templates over reviews. */
export const reviewTemplates: readonly TemplateDefinition[] = [
  allDocuments({
    key: 'reviews-all',
    columns: ['pull_request', 'user', 'state', 'body', 'submitted_at'],
    title: 'All reviews',
    description: 'Every review with its pull request, the newest first.',
  }),
  {
    key: 'reviews-time-to-first',
    kind: 'rows',
    title: 'Time to first review by month',
    description:
      'Hours from the opening of a pull request to its first review by another person, median and 90th percentile, by the month (UTC) of that review. Pull requests without a review are not counted, and reviews by bots are none. The field bot marks the pull requests that bots opened.',
    sql: `
      select to_char(began, 'YYYY-MM') as month, bot, ${times}
      from (
        select date_trunc('month', submitted_at at time zone 'UTC') as began, bot, hours from (${firstReviews}
        ) first_reviews
      ) months
      group by began, bot order by began desc, bot`,
  },
  {
    key: 'reviews-time-to-first-by-reviewer',
    kind: 'rows',
    title: 'Time to first review by reviewer',
    description:
      'Hours from the opening of a pull request to its first review by another person, for each person who was the first, the most active first. The field bot marks the pull requests that bots opened.',
    sql: `
      select reviewer, bot, ${times}
      from (${firstReviews}
      ) first_reviews
      group by reviewer, bot order by count(*) desc, reviewer, bot`,
  },
  {
    key: 'reviews-load',
    kind: 'rows',
    title: 'Review load by person',
    description:
      'Reviews, approvals, requests for changes and reviewed pull requests of each person, in the last 30 days and in all, the busiest first. Reviews of a person’s own pull requests, which are replies, are not counted. The field bot marks bots.',
    changesWithTime: true,
    sql: `
      select reviewer, bot, ${counts('recent', '30Days')},
        ${counts('reviews', '')}
      from (
        select author as reviewer, is_bot as bot, count(*) as reviews, count(*) filter (where state = 'APPROVED') as reviews_approved,
          count(*) filter (where state = 'CHANGES_REQUESTED') as reviews_changes, count(*) filter (where is_recent) as recent,
          count(*) filter (where is_recent and state = 'APPROVED') as recent_approved,
          count(*) filter (where is_recent and state = 'CHANGES_REQUESTED') as recent_changes
        from (select *, submitted_at > now() - interval '30 days' as is_recent from gh_reviews) r
        where submitted_at is not null and author is distinct from pull_author
        group by author, is_bot, repository, number
      ) pulls
      group by reviewer, bot order by sum(recent) desc, sum(reviews) desc, reviewer, bot`,
  },
  {
    key: 'reviews-by-state',
    kind: 'rows',
    title: 'Reviews by state',
    description:
      'How many reviews approve, request changes or comment, and on how many pull requests. The field bot marks those of bots.',
    sql: `
      select state, bot, sum(reviews)::int as reviews, count(*) as pulls
      from (select state, is_bot as bot, count(*) as reviews from gh_reviews group by state, is_bot, repository, number) pulls
      group by state, bot order by sum(reviews) desc, state, bot`,
  },
];
