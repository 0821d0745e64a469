import { describe, expect, it } from 'vitest';
import { testOddDocuments } from '../../../test-support/github/expect-odd-documents.ts';
import { githubRepository } from '../../../test-support/github/github-activity.ts';
import { repositoryTable } from '../repositories/table.ts';
import { convertRepository, repositoryRecord } from './repository-record.ts';

describe('record of a repository', () => {
  testOddDocuments({
    sample: githubRepository,
    record: repositoryRecord,
    convert: convertRepository,
    table: repositoryTable,
  });

  it('has the columns of its fields', () => {
    const { id, occurredAt, updatedAt, columns } = repositoryRecord(githubRepository());
    expect({ id, occurredAt, updatedAt }).toEqual({
      id: '9',
      occurredAt: new Date('2024-01-26T19:01:12Z'),
      updatedAt: Date.parse('2026-03-27T19:14:43Z'),
    });
    expect(columns).toEqual({
      name: 'box',
      full_name: 'acme/box',
      owner_login: 'octocat',
      language: 'TypeScript',
      topics: ['lids', 'boxes'],
      stars: 80,
      forks: 9,
      open_issues: 3,
      pushed_at: new Date('2026-03-26T19:06:43Z'),
      created_at: new Date('2024-01-26T19:01:12Z'),
      updated_at: new Date('2026-03-27T19:14:43Z'),
      archived: false,
      private: false,
      is_fork: false,
      description: 'A box',
    });
  });

  it('keeps the addresses that are not made of its name', () => {
    const { data } = repositoryRecord(githubRepository());
    expect(Object.keys(data).filter((key) => key.endsWith('_url'))).toEqual(['html_url', 'mirror_url']);
    expect(data).toMatchObject({ homepage: 'https://box.example.org', topics: ['lids', 'boxes'] });
  });
});
