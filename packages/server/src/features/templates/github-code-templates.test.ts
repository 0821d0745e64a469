import {
  commentRecord,
  commitRecord,
  RandomActivity,
  releaseRecord,
  repositoryRecord,
} from '@datadeck/connectors/test-support/github';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  daysUntil,
  expectRows,
  GithubTemplates,
  groupBy,
  percentileOf,
} from '../../../test-support/github-templates.ts';
import { seededRandom } from '../../../test-support/seeded-random.ts';

const BOTS = ['renovate[bot]', 'helper', 'release[bot]'];
const now = Date.now();
const activity = new RandomActivity(seededRandom(44), now);
const many = <T>(count: number, create: (id: number) => T) =>
  Array.from({ length: count }, (_, index) => create(index + 1));
const repositoryOf = ({ url }: { url: string }) => url.split('/').slice(4, 6).join('/');
const monthOf = (instant: string) => instant.slice(0, 7);
const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);

describe('a template of comments', () => {
  const comments = many(300, (id) => activity.comment(id));
  type Comment = (typeof comments)[number];
  const authorOf = ({ user }: Comment) => user?.login ?? 'ghost';
  const onPulls = (of: Comment[]) => of.filter(({ html_url }) => html_url.includes('/pull/')).length;
  let templates: GithubTemplates;

  beforeAll(async () => {
    const records = comments.map((comment) => commentRecord(structuredClone(comment), 'a/b', 'issue'));
    // One comment of each at a line.
    records.push(
      ...comments.slice(0, 50).map((comment) => commentRecord(structuredClone(comment), 'a/b', 'review')),
    );
    templates = await GithubTemplates.with('gh-comments', records);
  });
  afterAll(() => templates?.close());

  const inReviews = (of: Comment[]) => of.filter(({ id }) => id <= 50);
  const countsOf = (of: Comment[]) => ({
    comments: of.length + inReviews(of).length,
    onIssues: of.length - onPulls(of),
    onPulls: onPulls(of),
    inReviews: inReviews(of).length,
  });

  it('counts comments by author and marks bots', async () => {
    const expected = [...groupBy(comments, authorOf)].map(([author, of]) => ({
      author,
      bot: BOTS.includes(author),
      ...countsOf(of),
      reactions: sum([...of, ...inReviews(of)].map(({ reactions }) => reactions?.total_count ?? 0)),
      last: of
        .map(({ created_at }) => created_at)
        .sort()
        .at(-1),
    }));
    expectRows(await templates.rowsOf('comments-by-author'), expected, {
      key: ['author'],
      order: ['-comments', 'author'],
    });
  });

  it('counts comments by author and month', async () => {
    const keyOf = (comment: Comment) => JSON.stringify([monthOf(comment.created_at), authorOf(comment)]);
    const expected = [...groupBy(comments, keyOf)].map(([key, of]) => {
      const [month, author] = JSON.parse(key) as [string, string];
      return { month, author, bot: BOTS.includes(author), ...countsOf(of) };
    });
    expectRows(await templates.rowsOf('comments-by-author-and-month'), expected, {
      key: ['month', 'author'],
      order: ['-month', '-comments', 'author'],
    });
  });

  it('counts comments of people and of bots by month', async () => {
    const keyOf = (comment: Comment) =>
      JSON.stringify({ month: monthOf(comment.created_at), bot: BOTS.includes(authorOf(comment)) });
    const expected = [...groupBy(comments, keyOf)].map(([key, of]) => ({
      ...JSON.parse(key),
      comments: countsOf(of).comments,
      authors: new Set(of.map(authorOf)).size,
    }));
    expectRows(await templates.rowsOf('comments-by-month'), expected, {
      key: ['month', 'bot'],
      order: ['-month', 'bot'],
    });
  });
});

describe('a template of commits', () => {
  const commits = many(300, (id) => activity.commit(id));
  type Commit = (typeof commits)[number];
  const authorOf = ({ author, commit }: Commit) => author?.login ?? commit.author.name;
  const datesOf = (of: Commit[]) => of.map(({ commit }) => commit.committer.date).sort();
  let templates: GithubTemplates;

  beforeAll(async () => {
    const records = commits.map((commit) => commitRecord(structuredClone(commit), 'a/b'));
    templates = await GithubTemplates.with('gh-commits', records);
  });
  afterAll(() => templates?.close());

  it('counts commits by author and marks bots', async () => {
    const expected = [...groupBy(commits, authorOf)].map(([author, of]) => ({
      author,
      bot: BOTS.includes(author),
      commits: of.length,
      merges: of.filter(({ parents }) => parents.length > 1).length,
      first: datesOf(of)[0],
      last: datesOf(of).at(-1),
    }));
    expectRows(await templates.rowsOf('commits-by-author'), expected, {
      key: ['author'],
      order: ['-commits', 'author'],
    });
  });

  it('counts commits by repository and month', async () => {
    const keyOf = (commit: Commit) =>
      JSON.stringify({
        repository: repositoryOf(commit),
        month: monthOf(commit.commit.committer.date),
        bot: BOTS.includes(authorOf(commit)),
      });
    const expected = [...groupBy(commits, keyOf)].map(([key, of]) => ({
      ...JSON.parse(key),
      commits: of.length,
      authors: new Set(of.map(authorOf)).size,
    }));
    expectRows(await templates.rowsOf('commits-by-month'), expected, {
      key: ['repository', 'month', 'bot'],
      order: ['-month', 'repository', 'bot'],
    });
  });
});

describe('a template of releases', () => {
  const releases = many(60, (id) => activity.release(id));
  const published = releases.flatMap((release) => {
    const { published_at: at } = release;
    return at === null ? [] : [{ ...release, at }];
  });
  const downloadsOf = ({ assets }: (typeof releases)[number]) =>
    sum(assets.map(({ download_count }) => download_count));
  let templates: GithubTemplates;

  beforeAll(async () => {
    const records = releases.map((release) => releaseRecord(structuredClone(release), 'a/b'));
    templates = await GithubTemplates.with('gh-releases', records);
  });
  afterAll(() => templates?.close());

  it('computes the cadence of each repository', async () => {
    expect(published.length).toBeLessThan(releases.length);
    const expected = [...groupBy(published, repositoryOf)].map(([repository, of]) => {
      const sorted = of.toSorted((a, b) => (`${a.at} ${a.id}` < `${b.at} ${b.id}` ? -1 : 1));
      const times = sorted.map(({ at }) => Date.parse(at));
      const days = times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / 86_400_000);
      const last = sorted.at(-1);
      return {
        repository,
        releases: of.length,
        prereleases: of.filter(({ prerelease }) => prerelease).length,
        medianDays: percentileOf(0.5, days),
        lastTag: last?.tag_name,
        lastRelease: last?.at,
        daysSince: daysUntil(now, last?.at ?? ''),
      };
    });
    expectRows(await templates.rowsOf('releases-cadence'), expected, {
      key: ['repository'],
      order: ['-lastRelease', 'repository'],
    });
  });

  it('lists downloads by release', async () => {
    const expected = published.map((release) => ({
      repository: repositoryOf(release),
      title: release.name || release.tag_name,
      tag: release.tag_name,
      downloads: downloadsOf(release),
      files: release.assets.length,
      published: release.at,
      account: 'ada',
    }));
    expectRows(await templates.rowsOf('releases-downloads'), expected, {
      key: ['tag'],
      order: ['-downloads', '-published'],
    });
  });

  it('counts releases by author and marks bots', async () => {
    const expected = [...groupBy(published, ({ author }) => author?.login ?? 'ghost')].map(
      ([author, of]) => ({
        author,
        bot: BOTS.includes(author),
        releases: of.length,
        last: of
          .map(({ at }) => at)
          .sort()
          .at(-1),
      }),
    );
    expectRows(await templates.rowsOf('releases-by-author'), expected, {
      key: ['author'],
      order: ['-releases', 'author'],
    });
  });
});

describe('a template of repositories', () => {
  const repositories = many(80, (id) => activity.repository(id));
  type Repository = (typeof repositories)[number];
  const ownerOf = ({ owner }: Repository) => owner?.login ?? 'ghost';
  let templates: GithubTemplates;

  beforeAll(async () => {
    const records = repositories.map((repository) => repositoryRecord(structuredClone(repository)));
    templates = await GithubTemplates.with('gh-repos', records);
  });
  afterAll(() => templates?.close());

  it('lists all, the last pushed first', async () => {
    const rows = await templates.rowsOf('repos-all');
    const times = rows.map(({ pushed_at, occurred_at }) => Date.parse(String(pushed_at ?? occurred_at)));
    expect(times).toHaveLength(repositories.length);
    expect(times).toEqual([...times].sort((a, b) => b - a));
  });

  it('counts them by language', async () => {
    const expected = [...groupBy(repositories, ({ language }) => String(language))].map(([language, of]) => ({
      language: language === 'null' ? null : language,
      repositories: of.length,
      archived: of.filter(({ archived }) => archived).length,
      forks: of.filter(({ fork }) => fork).length,
      stars: sum(of.map(({ stargazers_count }) => stargazers_count)),
    }));
    expectRows(await templates.rowsOf('repos-by-language'), expected, {
      key: ['language'],
      order: ['-repositories', 'language'],
    });
  });

  it('lists stale ones', async () => {
    const expected = repositories.flatMap((repository) => {
      const { pushed_at: pushed } = repository;
      if (repository.archived || pushed === null || daysUntil(now, pushed) < 180) return [];
      return {
        repository: repository.full_name,
        owner: ownerOf(repository),
        language: repository.language,
        private: repository.private,
        fork: repository.fork,
        stars: repository.stargazers_count,
        openIssues: repository.open_issues_count,
        pushed,
        idleDays: daysUntil(now, pushed),
        account: 'ada',
      };
    });
    expectRows(await templates.rowsOf('repos-stale'), expected, { key: ['repository'], order: ['pushed'] });
  });

  it('lists the most starred ones first', async () => {
    const starred = repositories.filter(({ stargazers_count }) => stargazers_count > 0);
    const expected = starred.map((repository) => ({
      repository: repository.full_name,
      owner: ownerOf(repository),
      language: repository.language,
      stars: repository.stargazers_count,
      forks: repository.forks_count,
      openIssues: repository.open_issues_count,
      topics: repository.topics,
      account: 'ada',
    }));
    expectRows(await templates.rowsOf('repos-by-stars'), expected, {
      key: ['repository'],
      order: ['-stars'],
    });
  });
});
