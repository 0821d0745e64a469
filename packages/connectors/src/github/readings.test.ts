import { describe, expect, it } from 'vitest';
import { GITHUB_DECLARATIONS } from '../../test-support/github/declarations.ts';
import {
  githubCommit,
  githubRelease,
  githubRepository,
  githubReview,
  githubRun,
} from '../../test-support/github/github-activity.ts';
import {
  githubIssue,
  githubIssueComment,
  githubReviewComment,
} from '../../test-support/github/github-documents.ts';
import { type EntityDefinition, findingProblems, type JsonObject } from '../sdk/index.ts';
import { commentRecord } from './records/comment-record.ts';
import { commitRecord } from './records/commit-record.ts';
import { issueRecord } from './records/issue-record.ts';
import { releaseRecord } from './records/release-record.ts';
import { repositoryRecord } from './records/repository-record.ts';
import { reviewRecord } from './records/review-record.ts';
import { runRecord } from './records/run-record.ts';
import { durationText } from './runs/content.ts';

/** Reads a document of an entity as a person does, with the fields that the reading names only. */
function read(id: (typeof GITHUB_DECLARATIONS)[number]['id'], { data }: { data: JsonObject }) {
  const reading = GITHUB_DECLARATIONS.find((one) => one.id === id)?.reading;
  const fields = Object.fromEntries(Object.entries(data).filter(([name]) => reading?.fields.includes(name)));
  const { facts = [], ...content } = reading?.read(fields) ?? {};
  const shown = facts.filter(({ values }) => values.length > 0);
  return {
    ...content,
    facts: Object.fromEntries(shown.map(({ title, values }) => [title, values.join('; ')])),
  };
}

const plain = { html: null, isTruncated: false };

describe('search and reading of an entity of GitHub', () => {
  it.each(GITHUB_DECLARATIONS.map((one) => [one.id, one] as const))(
    'of %s are well declared',
    (_, declared) => {
      expect(findingProblems(declared as unknown as EntityDefinition)).toEqual([]);
    },
  );
});

describe('reading on GitHub', () => {
  it('shows an issue', () => {
    expect(read('gh-issues', issueRecord(githubIssue(), 'a/b'))).toEqual({
      ...plain,
      facts: {
        Issue: 'acme/box #12',
        State: 'Closed as completed',
        Author: 'octocat',
        Assignees: 'octocat; hubot',
        Milestone: 'v1.0',
        'Closed by': 'octocat',
        Comments: '4',
        Reactions: '5',
      },
      labels: ['bug', 'help wanted'],
      text: 'It **stays** open.',
      textFormat: 'markdown',
      url: 'https://github.com/acme/box/issues/12',
    });
  });

  it('shows a comment below the lines that it is about', () => {
    const comment = { ...githubReviewComment(), diff_hunk: '@@ -1,9 +1,9 @@\n a\n b\n c\n ```\n d\n+e' };
    expect(read('gh-comments', commentRecord(comment, 'a/b', 'review'))).toEqual({
      ...plain,
      facts: { On: 'acme/box #13', Author: 'octocat', File: 'src/lid.ts, line 3', Reactions: '5' },
      labels: [],
      text: '     a\n     b\n     c\n     ```\n     d\n    +e\n\nA constant?',
      textFormat: 'markdown',
      url: 'https://github.com/acme/box/pull/13#discussion_r501',
    });
  });

  it.each(['\r', '\r\n'])('keeps each commented line in its block of code with line ends %j', (end) => {
    const comment = { ...githubReviewComment(), diff_hunk: ` a${end}# b${end}+c` };
    const { text } = read('gh-comments', commentRecord(comment, 'a/b', 'review'));
    expect(text).toBe('     a\n    # b\n    +c\n\nA constant?');
  });

  it('shows a comment of a conversation', () => {
    const { facts, text } = read('gh-comments', commentRecord(githubIssueComment(), 'a/b', 'issue'));
    expect(facts).toEqual({ On: 'acme/box #12', Author: 'octocat', Reactions: '5' });
    expect(text).toBe(githubIssueComment().body);
  });

  it('shows a review', () => {
    const { node, pull } = githubReview();
    expect(read('gh-reviews', reviewRecord(node, pull, 'a/b'))).toEqual({
      ...plain,
      facts: {
        'Pull request': 'acme/box #13',
        Review: 'Changes requested',
        Reviewer: 'hubot',
        Author: 'octocat',
        State: 'Merged',
        Commit: '6dcb09b',
      },
      labels: [],
      text: 'Please **test** it.',
      textFormat: 'markdown',
      url: 'https://github.com/acme/box/pull/13#pullrequestreview-301',
    });
  });

  it('shows a workflow run', () => {
    expect(read('gh-runs', runRecord(githubRun(), 'a/b'))).toEqual({
      ...plain,
      facts: {
        Workflow: 'Build #562',
        Result: 'Failure',
        Duration: '2 min 32 s',
        Attempt: '2',
        Repository: 'acme/box',
        Branch: 'lid',
        Event: 'Pull request',
        Actor: 'octocat',
        'Pull requests': '#13',
        Commit: '009b8a3',
      },
      labels: [],
      text: 'Close the lid\n\nIt was open.',
      textFormat: 'plain',
      url: 'https://github.com/acme/box/actions/runs/30433642',
    });
  });

  it('shows a commit', () => {
    expect(read('gh-commits', commitRecord(githubCommit(), 'a/b'))).toEqual({
      ...plain,
      facts: {
        Repository: 'acme/box',
        Commit: '7FD1A60B01F91B314F59955A4E4D4E80D8EDF11D',
        Author: 'octocat, Octo Cat <octo@example.org>',
        Committer: 'web-flow, GitHub <noreply@github.com>',
        Parents: '553c207; 7629413',
        Signature: 'Verified',
      },
      labels: [],
      text: 'It **was** open.',
      textFormat: 'plain',
      url: 'https://github.com/acme/box/commit/7fd1a60b01f91b314f59955a4e4d4e80d8edf11d',
    });
  });

  it('shows a release', () => {
    expect(read('gh-releases', releaseRecord(githubRelease(), 'a/b'))).toEqual({
      ...plain,
      facts: {
        Repository: 'acme/box',
        Tag: 'v1.0.0',
        State: 'Published',
        Author: 'octocat',
        Files: 'box.zip, 42 downloads; box.tar.gz, 8 downloads',
      },
      labels: [],
      text: '## Changes\n- a lid',
      textFormat: 'markdown',
      url: 'https://github.com/acme/box/releases/tag/v1.0.0',
    });
  });

  it('shows a repository', () => {
    expect(read('gh-repos', repositoryRecord({ ...githubRepository(), fork: true }))).toEqual({
      ...plain,
      facts: {
        Owner: 'octocat',
        Visibility: 'Public, fork',
        Language: 'TypeScript',
        Stars: '80',
        Forks: '9',
        'Open issues and pull requests': '3',
        'Default branch': 'main',
        License: 'MIT License',
        Website: 'https://box.example.org',
      },
      labels: ['lids', 'boxes'],
      text: 'A box',
      textFormat: 'plain',
      url: 'https://github.com/acme/box',
    });
  });

  it.each([
    [9, '9 s'],
    [60, '1 min 0 s'],
    [3599, '59 min 59 s'],
    [3840, '1 h 4 min'],
    [360_000, '100 h 0 min'],
  ])('writes %i seconds as a duration', (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });
});
