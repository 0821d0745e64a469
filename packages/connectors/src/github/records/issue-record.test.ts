import { describe, expect, it } from 'vitest';
import { testOddDocuments } from '../../../test-support/github/expect-odd-documents.ts';
import { githubIssue, STORED_PERSON } from '../../../test-support/github/github-documents.ts';
import { issueTable } from '../issues/table.ts';
import { convertIssue, issueRecord } from './issue-record.ts';

describe('record of an issue', () => {
  testOddDocuments({
    sample: githubIssue,
    record: (raw) => issueRecord(raw, 'acme/box'),
    convert: convertIssue,
    table: issueTable,
  });

  it('has the columns of its fields', () => {
    const { id, occurredAt, updatedAt, columns } = issueRecord(githubIssue(), 'old/name');
    expect({ id, occurredAt, updatedAt }).toEqual({
      id: '2012',
      occurredAt: new Date('2026-01-02T03:04:05Z'),
      updatedAt: Date.parse('2026-02-03T04:05:06Z'),
    });
    expect(columns).toEqual({
      number: 12,
      title: 'The lid does not close',
      state: 'closed',
      state_reason: 'completed',
      author: 'octocat',
      is_bot: false,
      repository: 'acme/box',
      created_at: new Date('2026-01-02T03:04:05Z'),
      updated_at: new Date('2026-02-03T04:05:06Z'),
      closed_at: new Date('2026-02-01T00:00:00Z'),
      closed_by: 'octocat',
      labels: ['bug', 'help wanted'],
      assignees: ['octocat', 'hubot'],
      milestone: 'v1.0',
      comments: 4,
      reactions: 5,
    });
  });

  it('keeps of people and addresses what differs between records', () => {
    const { data } = issueRecord(githubIssue(), 'acme/box');
    const addresses = Object.keys(data).filter((key) => key.endsWith('_url'));
    expect(addresses).toEqual(['repository_url', 'html_url']);
    expect([data.user, data.closed_by]).toEqual([STORED_PERSON, STORED_PERSON]);
    expect(data.milestone).toEqual({
      id: 3,
      number: 1,
      title: 'v1.0',
      state: 'open',
      creator: STORED_PERSON,
    });
  });

  it.each([
    [{ login: 'renovate[bot]', type: 'User' }, true],
    [{ login: 'copilot', type: 'Bot' }, true],
    [{ login: 'octocat', type: 'User' }, false],
    [null, false],
  ])('knows whether %j is a bot', (user, isBot) => {
    expect(issueRecord({ id: 1, user }, 'a/b').columns.is_bot).toBe(isBot);
  });

  it('is no issue if it is a pull request', () => {
    expect(issueRecord({ ...githubIssue(), pull_request: { url: 'x' } }, 'a/b').isOther).toBe(true);
    expect(issueRecord(githubIssue(), 'a/b')).not.toHaveProperty('isOther');
  });

  it('belongs to the repository that was synchronised if it names none', () => {
    expect(issueRecord({ id: 1 }, 'acme/box').columns).toMatchObject({
      repository: 'acme/box',
      author: 'ghost',
      state: 'unknown',
      title: '',
      number: 0,
    });
  });
});
