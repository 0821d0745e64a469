import { describe, expect, it } from 'vitest';
import { testOddDocuments } from '../../../test-support/github/expect-odd-documents.ts';
import { githubReview } from '../../../test-support/github/github-activity.ts';
import { reviewTable } from '../reviews/table.ts';
import { convertReview, reviewRecord } from './review-record.ts';

const { node, pull } = githubReview();

describe('record of a review', () => {
  testOddDocuments({
    sample: githubReview,
    record: (raw) => {
      const { node: review, pull: of } =
        raw && typeof raw === 'object' ? (raw as Record<string, unknown>) : {};
      return reviewRecord(review, of, 'acme/box');
    },
    convert: convertReview,
    table: reviewTable,
  });

  it('has the shape of the REST API', () => {
    const { id, data, occurredAt, updatedAt } = reviewRecord(node, pull, 'old/name');
    expect({ id, occurredAt, updatedAt }).toEqual({
      id: 'pullrequestreview-301',
      occurredAt: new Date('2026-01-05T01:00:00Z'),
      updatedAt: Date.parse('2026-01-05T02:00:00Z'),
    });
    expect(data).toEqual({
      id: 'pullrequestreview-301',
      node_id: 'PRR_kwDO301',
      user: { login: 'hubot', type: 'User' },
      body: 'Please **test** it.',
      state: 'CHANGES_REQUESTED',
      html_url: 'https://github.com/acme/box/pull/13#pullrequestreview-301',
      submitted_at: '2026-01-05T01:00:00Z',
      updated_at: '2026-01-05T02:00:00Z',
      commit_id: '6dcb09b5b57875f334f61aebed695e2e4193db5e',
      author_association: 'MEMBER',
      pull_request: {
        number: 13,
        title: 'Close the lid',
        html_url: 'https://github.com/acme/box/pull/13',
        state: 'closed',
        draft: false,
        created_at: '2026-01-04T00:00:00Z',
        merged_at: '2026-01-06T00:00:00Z',
        closed_at: '2026-01-06T00:00:00Z',
        user: { login: 'octocat', type: 'User' },
      },
    });
  });

  it('has the columns of the review and its pull request', () => {
    expect(reviewRecord(node, pull, 'old/name').columns).toEqual({
      number: 13,
      title: 'Close the lid',
      state: 'CHANGES_REQUESTED',
      author: 'hubot',
      is_bot: false,
      pull_author: 'octocat',
      pull_is_bot: false,
      pull_opened_at: new Date('2026-01-04T00:00:00Z'),
      pull_state: 'merged',
      submitted_at: new Date('2026-01-05T01:00:00Z'),
      updated_at: new Date('2026-01-05T02:00:00Z'),
      repository: 'acme/box',
    });
  });

  it('writes the login of a bot as the REST API does', () => {
    const bot = { __typename: 'Bot', login: 'github-actions' };
    const { columns } = reviewRecord({ ...node, author: bot }, { ...pull, author: bot }, 'acme/box');
    expect(columns).toMatchObject({
      author: 'github-actions[bot]',
      is_bot: true,
      pull_author: 'github-actions[bot]',
      pull_is_bot: true,
    });
  });

  it('finds its id in its address, or has that of its node', () => {
    const { fullDatabaseId: _, ...unnumbered } = node;
    expect(reviewRecord(unnumbered, pull, 'a/b').id).toBe('pullrequestreview-301');
    expect(reviewRecord({ id: 'PRR_1' }, null, 'a/b').id).toBe('PRR_1');
    expect(reviewRecord({ ...node, fullDatabaseId: 302 }, pull, 'a/b').id).toBe('pullrequestreview-302');
  });

  it('has the date of its pull request until it is submitted', () => {
    const pending = { id: 'PRR_1', state: 'PENDING', submittedAt: null };
    expect(reviewRecord(pending, pull, 'a/b').occurredAt).toEqual(new Date('2026-01-04T00:00:00Z'));
  });
});
