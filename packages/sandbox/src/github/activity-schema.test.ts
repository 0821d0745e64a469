import { type StartedSandbox, startSandbox } from '@datadeck/test-sandbox';
import type { ValidateFunction } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACTIVITY_DESCRIPTION, readChecks, type Schema } from '../../test-support/openapi-schemas.ts';
import { ask, authorizeGithub } from '../../test-support/sign-in.ts';

/** Fields that are null in real answers to outdated comments on lines. */
function amend(definitions: Schema): void {
  const properties = definitions['pull-request-review-comment']?.properties as unknown as Record<
    string,
    Record<string, unknown>
  >;
  for (const name of ['line', 'position']) properties[name] = { ...properties[name], nullable: true };
}

const REPOSITORIES = [
  'aurora-labs/harbor',
  'aurora-labs/lantern',
  'ada-nowak/dotfiles',
  'aurora-labs/vault',
  'bench/repo-1',
];

const SYNTHETIC = {
  owner: 'bench',
  count: 1,
  pulls: 50,
  members: ['ada-nowak'],
  records: {
    ...{ issues: 30, comments: 120, reviewComments: 60, reviews: 40, runs: 70, commits: 130, releases: 8 },
  },
};

const LISTS = [
  ['issues?state=all', 'issue'],
  ['issues/comments?sort=updated&direction=desc', 'issue-comment'],
  ['actions/runs', 'workflow-run'],
  ['commits', 'commit'],
  ['releases', 'release'],
  ['pulls/comments?sort=created&direction=asc', 'pull-request-review-comment'],
] as const;

let sandbox: StartedSandbox;
let token: string;
let check: (name: string) => ValidateFunction;

beforeAll(async () => {
  sandbox = await startSandbox({ quotaScale: 0 });
  sandbox.control.github.addRepositories(SYNTHETIC);
  token = (await authorizeGithub(sandbox)).access_token ?? '';
  check = readChecks(ACTIVITY_DESCRIPTION, amend);
});
afterAll(() => sandbox.close());

/** Returns all records of a list, by its links. */
async function readAll(repository: string, path: string): Promise<unknown[]> {
  const records: unknown[] = [];
  const first = `${sandbox.urls().githubApiUrl}/repos/${repository}/${path}${path.includes('?') ? '&' : '?'}per_page=100`;
  for (let address: string | undefined = first; address !== undefined; ) {
    const answer = await ask(address, token);
    expect(answer.status).toBe(200);
    const body = (await answer.json()) as unknown[] | { workflow_runs: unknown[] };
    records.push(...(Array.isArray(body) ? body : body.workflow_runs));
    address = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return records;
}

describe("records beside pull requests and GitHub's description", () => {
  describe.each(REPOSITORIES)('%s', (repository) => {
    it.each(LISTS)('answers %s as described', async (path, schema) => {
      const validate = check(schema);
      const records = await readAll(repository, path);
      expect(records.length).toBeGreaterThan(3);
      for (const record of records) {
        validate(record);
        expect(validate.errors ?? []).toEqual([]);
      }
      const ids = records.map(
        (record) => (record as { id?: number; sha: string }).id ?? (record as { sha: string }).sha,
      );
      expect(new Set(ids).size).toBe(records.length);
    });
  });

  it('answers a comparison and the list of repositories as described', async () => {
    const log = (await readAll('aurora-labs/harbor', 'commits')) as { sha: string }[];
    const get = async (path: string) => (await ask(`${sandbox.urls().githubApiUrl}${path}`, token)).json();
    const [comparison, again] = [check('commit-comparison'), check('repository')];
    for (const [base, head] of [
      [40, 0],
      [0, 40],
      [3, 3],
    ] as const) {
      const range = `${log[base]?.sha}...${log[head]?.sha}`;
      comparison(await get(`/repos/aurora-labs/harbor/compare/${range}?per_page=100`));
      expect(comparison.errors ?? []).toEqual([]);
    }
    const repositories = (await get('/user/repos?sort=pushed')) as unknown[];
    expect(repositories).toHaveLength(5);
    for (const repository of repositories) {
      again(repository);
      expect(again.errors ?? []).toEqual([]);
    }
  });

  it('answers inserted and changed records as described', async () => {
    const { github } = sandbox.control;
    const name = 'ada-nowak/dotfiles';
    const issue = github.insertIssue(name, { title: 'By hand' });
    github.insertComment(name, issue);
    github.changeIssue(name, issue, { state: 'closed' });
    github.insertReviewComment(name, github.pullNumbers(name)[0] ?? 0);
    github.rerun(name, github.insertRun(name));
    github.pushCommits(name, 2);
    github.mergeOldBranch(name);
    github.publishRelease(name);
    github.publishRelease(name, { draft: true });
    for (const [path, schema] of LISTS) {
      const validate = check(schema);
      for (const record of await readAll(name, path)) {
        validate(record);
        expect(validate.errors ?? []).toEqual([]);
      }
    }
  });
});
