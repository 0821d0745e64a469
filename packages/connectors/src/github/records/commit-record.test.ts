import { describe, expect, it } from 'vitest';
import { testOddDocuments } from '../../../test-support/github/expect-odd-documents.ts';
import { githubCommit } from '../../../test-support/github/github-activity.ts';
import { commitTable } from '../commits/table.ts';
import { commitRecord, convertCommit } from './commit-record.ts';

describe('record of a commit', () => {
  testOddDocuments({
    sample: githubCommit,
    record: (raw) => commitRecord(raw, 'acme/box'),
    convert: convertCommit,
    table: commitTable,
  });

  it('has the columns of its fields', () => {
    const { id, data, occurredAt, columns } = commitRecord(githubCommit(), 'old/name');
    expect([id, data.id, occurredAt]).toEqual(['C_kwDO7fd1a6', id, new Date('2026-01-10T00:00:00Z')]);
    expect(columns).toEqual({
      sha: '7FD1A60B01F91B314F59955A4E4D4E80D8EDF11D',
      title: 'Close the lid (#13)',
      author: 'octocat',
      author_name: 'Octo Cat',
      author_email: 'octo@example.org',
      committer: 'web-flow',
      committer_name: 'GitHub',
      committer_email: 'noreply@github.com',
      is_bot: false,
      authored_at: new Date('2026-01-09T22:00:00Z'),
      committed_at: new Date('2026-01-10T00:00:00Z'),
      repository: 'acme/box',
      verified: true,
      is_merge: true,
    });
  });

  it('has the name in the commit for a person without an account', () => {
    const { columns } = commitRecord({ ...githubCommit(), author: null, parents: [] }, 'a/b');
    expect(columns).toMatchObject({ author: 'Octo Cat', is_bot: false, is_merge: false });
    const { commit } = githubCommit();
    const author = { name: 'dependabot[bot]', email: 'x@example.org' };
    const bot = commitRecord({ node_id: 'C_1', commit: { ...commit, author }, author: null }, 'a/b');
    expect(bot.columns).toMatchObject({ author: 'dependabot[bot]', is_bot: true });
  });

  it('has its repository and hash as its id without one of GitHub', () => {
    const { node_id: _, ...unnamed } = githubCommit();
    expect(commitRecord(unnamed, 'Acme/Box').id).toBe('acme/box@7fd1a60b01f91b314f59955a4e4d4e80d8edf11d');
    expect(commitRecord({ sha: 'ABC' }, 'Acme/Box').id).toBe('acme/box@abc');
    expect(() => commitRecord({ commit: {} }, 'a/b')).toThrow('GitHub sent a commit that cannot be read.');
  });
});
