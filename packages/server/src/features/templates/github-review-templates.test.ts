import { RandomActivity, reviewRecord } from '@datadeck/connectors/test-support/github';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  expectRows,
  GithubTemplates,
  groupBy,
  percentileOf,
} from '../../../test-support/github-templates.ts';
import { seededRandom } from '../../../test-support/seeded-random.ts';

const BOTS = ['renovate[bot]', 'helper[bot]'];

describe('time to first review of a table made by hand', () => {
  let templates: GithubTemplates;

  /** Pull requests by number: their author, the hour of opening in January 2026, and reviews as `login state hour`. */
  const PULLS: readonly [number: number, author: string, opened: number, ...reviews: string[]][] = [
    // Counts the second review: the first one is the author's own. 5 hours.
    [1, 'ada', 0, 'ada COMMENTED 1', 'ben APPROVED 5', 'cy APPROVED 6'],
    // 10 hours.
    [2, 'ada', 0, 'ben CHANGES_REQUESTED 10', 'ben APPROVED 12'],
    // The bot is no first reviewer: 20 hours.
    [3, 'ben', 10, 'checker[bot] COMMENTED 10', 'cy DISMISSED 30'],
    // A pending review is not submitted: no row.
    [4, 'ben', 10, 'cy PENDING'],
    // Only its author and a bot: no row.
    [5, 'cy', 10, 'cy COMMENTED 11', 'checker[bot] APPROVED 12'],
    // Opened by a bot: 1 hour.
    [6, 'renovate[bot]', 0, 'ben APPROVED 1'],
    // Opened in January, reviewed in February: 700 hours after the hour 100.
    [7, 'ada', 100, 'cy APPROVED 800'],
  ];
  const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour)).toISOString().replace('.000', '');
  const person = (login: string) => ({ __typename: login.endsWith('[bot]') ? 'Bot' : 'User', login });

  beforeAll(async () => {
    const records = PULLS.flatMap(([number, author, opened, ...reviews]) => {
      const url = `https://github.com/acme/box/pull/${number}`;
      const pull = { number, url, createdAt: at(opened), state: 'OPEN', author: person(author) };
      return reviews.map((review, index) => {
        const [login = '', state, hour] = review.split(' ');
        const submittedAt = hour === undefined ? null : at(Number(hour));
        const node = { fullDatabaseId: `${number}0${index}`, state, submittedAt, author: person(login) };
        return reviewRecord(node, pull, 'acme/box');
      });
    });
    templates = await GithubTemplates.with('gh-reviews', records);
  });
  afterAll(() => templates?.close());

  it('is the median and the 90th percentile of each month', async () => {
    expect(await templates.rowsOf('reviews-time-to-first')).toEqual([
      { month: '2026-02', bot: false, pulls: 1, medianHours: 700, p90Hours: 700 },
      // Of 5, 10 and 20 hours: the 90th percentile is 8 tenths of the way from 10 to 20.
      { month: '2026-01', bot: false, pulls: 3, medianHours: 10, p90Hours: 18 },
      { month: '2026-01', bot: true, pulls: 1, medianHours: 1, p90Hours: 1 },
    ]);
  });

  it('is that of the pull requests that each person reviewed first', async () => {
    expect(await templates.rowsOf('reviews-time-to-first-by-reviewer')).toEqual([
      // Of 5 and 10 hours.
      { reviewer: 'ben', bot: false, pulls: 2, medianHours: 7.5, p90Hours: 9.5 },
      // Of 20 and 700 hours.
      { reviewer: 'cy', bot: false, pulls: 2, medianHours: 360, p90Hours: 632 },
      { reviewer: 'ben', bot: true, pulls: 1, medianHours: 1, p90Hours: 1 },
    ]);
  });
});

describe('a template of reviews', () => {
  const activity = new RandomActivity(seededRandom(42), Date.now());
  const pulls = Array.from({ length: 200 }, (_, index) => activity.reviews(index + 1, (index + 1) * 10));
  const loginOf = (author: { __typename: string; login: string } | null) => {
    if (!author) return 'ghost';
    const isUnmarked = author.__typename === 'Bot' && !author.login.endsWith('[bot]');
    return isUnmarked ? `${author.login}[bot]` : author.login;
  };
  const reviews = pulls.flatMap(({ pull, nodes }) =>
    nodes.map((node) => ({
      pull,
      node,
      state: node.state,
      reviewer: loginOf(node.author),
      author: loginOf(pull.author),
      submitted: node.submittedAt,
    })),
  );
  let templates: GithubTemplates;

  beforeAll(async () => {
    const records = reviews.map(({ node, pull }) => reviewRecord(node, pull, 'acme/box'));
    templates = await GithubTemplates.with('gh-reviews', records);
  });
  afterAll(() => templates?.close());

  /** The first review of each pull request by another person. */
  const firsts = pulls.flatMap(({ pull }) => {
    const [first] = reviews
      .filter((one) => one.pull === pull && one.submitted !== null)
      .filter(({ reviewer, author }) => !BOTS.includes(reviewer) && reviewer !== author)
      .sort((a, b) =>
        `${a.submitted} ${a.node.fullDatabaseId}` < `${b.submitted} ${b.node.fullDatabaseId}` ? -1 : 1,
      );
    if (!first?.submitted) return [];
    const hours = (Date.parse(first.submitted) - Date.parse(pull.createdAt)) / 3_600_000;
    const { reviewer, author, submitted } = first;
    return [{ reviewer, month: submitted.slice(0, 7), bot: BOTS.includes(author), hours }];
  });
  const timesOf = (of: typeof firsts) => {
    const hours = of.map((one) => one.hours);
    return { pulls: of.length, medianHours: percentileOf(0.5, hours), p90Hours: percentileOf(0.9, hours) };
  };

  it('computes the time to first review by month', async () => {
    const groups = groupBy(firsts, ({ month, bot }) => JSON.stringify({ month, bot }));
    const expected = [...groups].map(([key, of]) => ({ ...JSON.parse(key), ...timesOf(of) }));
    expect(new Set(expected.map(({ bot }) => bot)).size).toBe(2);
    expectRows(await templates.rowsOf('reviews-time-to-first'), expected, {
      key: ['month', 'bot'],
      order: ['-month', 'bot'],
    });
  });

  it('computes the time to first review by reviewer', async () => {
    const groups = groupBy(firsts, ({ reviewer, bot }) => JSON.stringify({ reviewer, bot }));
    const expected = [...groups].map(([key, of]) => ({ ...JSON.parse(key), ...timesOf(of) }));
    expectRows(await templates.rowsOf('reviews-time-to-first-by-reviewer'), expected, {
      key: ['reviewer', 'bot'],
      order: ['-pulls', 'reviewer', 'bot'],
    });
  });

  it('counts the load of each reviewer', async () => {
    const given = reviews.filter(({ submitted, reviewer, author }) => submitted && reviewer !== author);
    const countsOf = (of: typeof reviews, name: string) => ({
      [`reviews${name}`]: of.length,
      [`approvals${name}`]: of.filter(({ state }) => state === 'APPROVED').length,
      [`changesRequested${name}`]: of.filter(({ state }) => state === 'CHANGES_REQUESTED').length,
      [`pulls${name}`]: new Set(of.map(({ pull }) => pull.number)).size,
    });
    const since = Date.now() - 30 * 86_400_000;
    const expected = [...groupBy(given, ({ reviewer }) => reviewer)].map(([reviewer, of]) => ({
      reviewer,
      bot: BOTS.includes(reviewer),
      ...countsOf(of, ''),
      ...countsOf(
        of.filter(({ submitted }) => Date.parse(submitted ?? '') > since),
        '30Days',
      ),
    }));
    expect(expected.some((row) => Number((row as Record<string, unknown>).reviews30Days) > 0)).toBe(true);
    expectRows(await templates.rowsOf('reviews-load'), expected, {
      key: ['reviewer'],
      order: ['-reviews30Days', '-reviews', 'reviewer'],
    });
  });

  it('counts reviews by state', async () => {
    const groups = groupBy(reviews, ({ state, reviewer }) =>
      JSON.stringify({ state, bot: BOTS.includes(reviewer) }),
    );
    const expected = [...groups].map(([key, of]) => ({
      ...JSON.parse(key),
      reviews: of.length,
      pulls: new Set(of.map(({ pull }) => pull.number)).size,
    }));
    expectRows(await templates.rowsOf('reviews-by-state'), expected, {
      key: ['state', 'bot'],
      order: ['-reviews', 'state', 'bot'],
    });
  });
});
