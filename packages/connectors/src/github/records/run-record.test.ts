import { describe, expect, it } from 'vitest';
import { testOddDocuments } from '../../../test-support/github/expect-odd-documents.ts';
import { githubRun } from '../../../test-support/github/github-activity.ts';
import { runTable } from '../runs/table.ts';
import { convertRun, runRecord } from './run-record.ts';

const STORED_REPOSITORY = {
  id: 9,
  name: 'box',
  full_name: 'acme/box',
  private: false,
  owner: { login: 'octocat', id: 1 },
  html_url: 'https://github.com/acme/box',
  fork: false,
};

describe('record of a workflow run', () => {
  testOddDocuments({
    sample: githubRun,
    record: (raw) => runRecord(raw, 'acme/box'),
    convert: convertRun,
    table: runTable,
  });

  it('has the columns of its fields', () => {
    const { id, occurredAt, columns } = runRecord(githubRun(), 'old/name');
    expect([id, occurredAt]).toEqual(['30433642', new Date('2026-01-22T19:33:08Z')]);
    expect(columns).toEqual({
      number: 562,
      title: 'Close the lid',
      workflow: 'Build',
      workflow_id: 159_038,
      branch: 'lid',
      event: 'pull_request',
      status: 'completed',
      conclusion: 'failure',
      attempt: 2,
      actor: 'octocat',
      is_bot: false,
      sha: '009b8a3a9ccbb128af87f9b1c0f4c62e8a304f6d',
      // From the start of the second attempt.
      duration_seconds: 152,
      started_at: new Date('2026-01-22T19:36:08Z'),
      created_at: new Date('2026-01-22T19:33:08Z'),
      updated_at: new Date('2026-01-22T19:38:40Z'),
      repository: 'acme/box',
      pulls: ['13'],
    });
  });

  it('keeps the identifying fields of its repositories', () => {
    const { data } = runRecord(githubRun(), 'acme/box');
    expect([data.repository, data.head_repository]).toEqual([STORED_REPOSITORY, STORED_REPOSITORY]);
    expect(Object.keys(data).filter((key) => key.endsWith('_url'))).toEqual(['html_url']);
  });

  it.each([
    [{ status: 'in_progress' }],
    [{ run_started_at: null }],
    [{ updated_at: 'soon' }],
    [{ run_started_at: '2026-01-22T19:38:41Z' }],
  ])('has no duration with %j', (changed) => {
    expect(runRecord({ ...githubRun(), ...changed }, 'a/b').columns.duration_seconds).toBeNull();
  });

  it('is called after the file of a workflow without a name', () => {
    const { columns } = runRecord({ ...githubRun(), name: '' }, 'a/b');
    expect(columns.workflow).toBe('.github/workflows/build.yml@lid');
  });
});
