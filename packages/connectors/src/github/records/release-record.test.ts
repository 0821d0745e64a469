import { describe, expect, it } from 'vitest';
import { testOddDocuments } from '../../../test-support/github/expect-odd-documents.ts';
import { githubRelease } from '../../../test-support/github/github-activity.ts';
import { STORED_PERSON } from '../../../test-support/github/github-documents.ts';
import { releaseTable } from '../releases/table.ts';
import { convertRelease, releaseRecord } from './release-record.ts';

describe('record of a release', () => {
  testOddDocuments({
    sample: githubRelease,
    record: (raw) => releaseRecord(raw, 'acme/box'),
    convert: convertRelease,
    table: releaseTable,
  });

  it('has the columns of its fields', () => {
    const { id, occurredAt, columns } = releaseRecord(githubRelease(), 'old/name');
    expect([id, occurredAt]).toEqual(['77', new Date('2026-02-28T19:35:32Z')]);
    expect(columns).toEqual({
      title: 'The first box',
      tag: 'v1.0.0',
      author: 'octocat',
      is_bot: false,
      draft: false,
      prerelease: false,
      created_at: new Date('2026-02-27T19:35:32Z'),
      published_at: new Date('2026-02-28T19:35:32Z'),
      updated_at: new Date('2026-03-01T00:00:00Z'),
      downloads: 50,
      files: 2,
      repository: 'acme/box',
    });
  });

  it('keeps the addresses by which its files are downloaded', () => {
    const { data } = releaseRecord(githubRelease(), 'a/b');
    expect(data.assets).toMatchObject([
      {
        browser_download_url: 'https://github.com/acme/box/releases/download/v1.0.0/box.zip',
        uploader: STORED_PERSON,
      },
      {},
    ]);
  });

  it('has the date of its creation and its tag until it is published and named', () => {
    const draft = { ...githubRelease(), published_at: null, name: null, draft: true };
    const { occurredAt, columns } = releaseRecord(draft, 'a/b');
    expect(occurredAt).toEqual(new Date('2026-02-27T19:35:32Z'));
    expect(columns).toMatchObject({ title: 'v1.0.0', published_at: null, draft: true });
  });
});
