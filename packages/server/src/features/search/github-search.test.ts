import type { ConnectorRecord, EntityDefinition } from '@datadeck/connectors';
import {
  commentRecord,
  commitRecord,
  GITHUB_DECLARATIONS,
  githubCommit,
  githubIssue,
  githubIssueComment,
  githubRelease,
  githubRepository,
  githubReview,
  githubReviewComment,
  githubRun,
  issueRecord,
  releaseRecord,
  repositoryRecord,
  reviewRecord,
  runRecord,
} from '@datadeck/connectors/test-support/github';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase } from '../../../test-support/test-database.ts';
import { type Database, inBulkTransaction } from '../../platform/db/database.ts';
import { prepareRecordTables, writeRecords } from '../records/index.ts';
import { prepareSearch } from './index.ts';

const userId = crypto.randomUUID();
const connectionId = crypto.randomUUID();
const entities = GITHUB_DECLARATIONS.map((one) => ({ ...one, extraction: 1 }));
let db: Database;
let close: () => Promise<void>;

/** Documents whose fields have other types than GitHub's, by how their record is made. */
const ODD_FIELDS = [undefined, null, 7, '', '\u0000\ud800', [], {}, [null, 7, {}], 'x'.repeat(200_000)];
const { node, pull } = githubReview();
const dismissed = { ...node, fullDatabaseId: '302', state: 'APPROVED' };
const bot = { login: 'renovate[bot]', type: 'Bot' };
const RECORDS: Readonly<Record<string, readonly ConnectorRecord[]>> = {
  'gh-issues': [
    issueRecord(githubIssue(), 'a/b'),
    issueRecord({ ...githubIssue(), id: 2, state: 'open', labels: [], user: bot }, 'a/b'),
    ...ODD_FIELDS.map((odd, index) =>
      issueRecord({ id: 100 + index, body: odd, title: odd, labels: odd, user: odd }, 'a/b'),
    ),
  ],
  'gh-comments': [
    commentRecord(githubIssueComment(), 'a/b', 'issue'),
    commentRecord(githubReviewComment(), 'a/b', 'review'),
    ...ODD_FIELDS.map((odd, index) =>
      commentRecord({ id: 600 + index, body: odd, path: odd }, 'a/b', 'issue'),
    ),
  ],
  'gh-reviews': [
    reviewRecord(node, pull, 'a/b'),
    reviewRecord(dismissed, pull, 'a/b'),
    ...ODD_FIELDS.map((odd, index) =>
      reviewRecord({ id: `PRR_${index}`, body: odd, author: odd }, odd, 'a/b'),
    ),
  ],
  'gh-runs': [
    runRecord(githubRun(), 'a/b'),
    runRecord({ ...githubRun(), id: 2, conclusion: 'success' }, 'a/b'),
    ...ODD_FIELDS.flatMap((odd, index) => [
      runRecord({ id: 100 + index, head_commit: odd, name: odd }, 'a/b'),
      runRecord({ id: 200 + index, head_commit: { message: odd } }, 'a/b'),
    ]),
  ],
  'gh-commits': [
    commitRecord(githubCommit(), 'a/b'),
    ...ODD_FIELDS.flatMap((odd, index) => [
      commitRecord({ sha: `a${index}`, commit: odd, author: odd }, 'a/b'),
      commitRecord({ sha: `b${index}`, commit: { message: odd, author: odd } }, 'a/b'),
    ]),
  ],
  'gh-releases': [
    releaseRecord(githubRelease(), 'a/b'),
    releaseRecord({ ...githubRelease(), id: 2, draft: true, prerelease: true }, 'a/b'),
    ...ODD_FIELDS.map((odd, index) => releaseRecord({ id: 100 + index, body: odd, name: odd }, 'a/b')),
  ],
  'gh-repos': [
    repositoryRecord(githubRepository()),
    repositoryRecord({ ...githubRepository(), id: 2, private: true, fork: true, archived: true }),
    ...ODD_FIELDS.map((odd, index) => repositoryRecord({ id: 100 + index, full_name: odd, topics: odd })),
  ],
};

beforeAll(async () => {
  ({ db, close } = await openTestDatabase());
  const client = await db.$client.connect();
  try {
    await prepareRecordTables(client, entities);
    await prepareSearch(client, entities as unknown as EntityDefinition[]);
  } finally {
    client.release();
  }
  for (const entity of entities) {
    const target = { userId, connectionId, entity: entity.id, syncId: crypto.randomUUID(), scope: '' };
    const records = [...(RECORDS[entity.id] ?? [])];
    await inBulkTransaction(db, (tx) => writeRecords(tx, target, { entity, records }));
  }
});
afterAll(() => close?.());

it.each(Object.keys(RECORDS))('indexes every record of %s', async (entity) => {
  const { rows } = await db.execute<{ id: string }>(
    sql`select id from search_entries where user_id = ${userId} and entity = ${entity}`,
  );
  expect(rows.map(({ id }) => id).sort()).toEqual((RECORDS[entity] ?? []).map(({ id }) => id).sort());
});

it.each([
  ['gh-issues', 'is:open', ['2']],
  ['gh-issues', 'is:closed', ['2012']],
  ['gh-issues', 'is:bot', ['2']],
  ['gh-issues', 'label:help wanted', ['2012']],
  ['gh-issues', 'repo:acme/box', ['2', '2012']],
  ['gh-comments', 'repo:box', ['discussion_r501', 'issuecomment-501']],
  ['gh-reviews', 'is:changes-requested', ['pullrequestreview-301']],
  ['gh-reviews', 'is:approved', ['pullrequestreview-302']],
  ['gh-runs', 'is:failed', ['30433642']],
  ['gh-runs', 'is:passed', ['2']],
  ['gh-commits', 'repo:acme/box', ['C_kwDO7fd1a6']],
  ['gh-releases', 'is:draft', ['2']],
  ['gh-releases', 'is:prerelease', ['2']],
  ['gh-repos', 'is:private', ['2']],
  ['gh-repos', 'is:fork', ['2']],
  ['gh-repos', 'is:archived', ['2']],
  ['gh-repos', 'repo:acme', ['2', '9']],
])('finds records of %s by %s', async (entity, word, ids) => {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from search_entries where user_id = ${userId} and entity = ${entity}
      and terms @@ search_lexeme(${word}, false) order by id`);
  expect(rows.map(({ id }) => id)).toEqual(ids);
});

it.each([
  ['gh-issues', 'lid stays', ['2', '2012']],
  ['gh-comments', 'reproduce', ['issuecomment-501']],
  ['gh-reviews', 'close lid test', ['pullrequestreview-301', 'pullrequestreview-302']],
  ['gh-runs', 'build lid open', ['2', '30433642']],
  ['gh-commits', '7fd1a60b01f91b314f59955a4e4d4e80d8edf11d', ['C_kwDO7fd1a6']],
  ['gh-commits', 'octo@example.org', ['C_kwDO7fd1a6']],
  ['gh-releases', 'first box changes', ['2', '77']],
  ['gh-repos', 'typescript lids', ['2', '9']],
])('finds records of %s by the words %s', async (entity, words, ids) => {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from search_entries where user_id = ${userId} and entity = ${entity}
      and terms @@ search_words_query(${words}, false) order by id`);
  expect(rows.map(({ id }) => id)).toEqual(ids);
});
