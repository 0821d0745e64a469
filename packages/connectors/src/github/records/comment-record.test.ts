import { describe, expect, it } from 'vitest';
import { testOddDocuments } from '../../../test-support/github/expect-odd-documents.ts';
import { githubIssueComment, githubReviewComment } from '../../../test-support/github/github-documents.ts';
import { commentTable } from '../comments/table.ts';
import { type CommentList, commentRecord, convertComment } from './comment-record.ts';

const record = (list: CommentList) => (raw: unknown) => commentRecord(raw, 'acme/box', list);

describe('record of a comment at a line', () => {
  testOddDocuments({
    sample: githubReviewComment,
    record: record('review'),
    convert: convertComment,
    table: commentTable,
  });

  it('has the columns of its fields, and the ids of its thread and its review', () => {
    const { id, data, columns } = record('review')(githubReviewComment());
    expect([id, data.id]).toEqual(['discussion_r501', 'discussion_r501']);
    expect(columns).toEqual({
      kind: 'review',
      number: 13,
      title: 'A constant?',
      author: 'octocat',
      is_bot: false,
      repository: 'acme/box',
      path: 'src/lid.ts',
      line: 3,
      in_reply_to: 'discussion_r500',
      review: 'pullrequestreview-301',
      created_at: new Date('2026-01-05T00:00:00Z'),
      updated_at: new Date('2026-01-06T00:00:00Z'),
      reactions: 5,
    });
    expect(data).not.toHaveProperty('_links');
  });
});

describe('record of a comment of the conversation', () => {
  it('has another id than a comment at a line with the same number', () => {
    const { id, data } = record('issue')(githubIssueComment());
    expect([id, data.id, data.node_id]).toEqual(['issuecomment-501', 'issuecomment-501', 'IC_kwDO501']);
  });

  it.each([
    ['issues', 'issue'],
    ['pull', 'pull'],
  ] as const)('is recognised by its page: %s', (page, kind) => {
    const { columns } = record('issue')(githubIssueComment(page));
    expect(columns).toMatchObject({
      kind,
      number: 12,
      path: null,
      line: null,
      in_reply_to: null,
      review: null,
    });
  });

  it('is called after the first words of its own text', () => {
    const { columns } = record('issue')(githubIssueComment());
    expect(columns.title).toBe('I cannot reproduce it. Which version?');
    const long = record('issue')({ ...githubIssueComment(), body: '😀'.repeat(200) });
    expect(long.columns.title).toBe(`${'😀'.repeat(59)}…`);
  });

  it('keeps its id when it is converted', () => {
    const { data, columns } = record('issue')(githubIssueComment('pull'));
    expect(convertComment(structuredClone(data), columns)).toEqual({ data, columns });
  });
});
