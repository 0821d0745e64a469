import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ConnectedGithub, connectGithub } from '../../../test-support/connected-github.ts';
import { idsOf, type Run } from '../../sdk/conformance/reading.ts';

const HARBOR = 'aurora-labs/harbor';
let github: ConnectedGithub;

beforeAll(async () => {
  github = await connectGithub();
});
afterAll(() => github.sandbox.close());
beforeEach(() => github.reset());

const recordsOf = ({ pages }: Run) => pages.flatMap(({ records }) => records);
const dayOf = (time: unknown) => new Date(Number(time)).toISOString().slice(0, 10);

/** Adds a repository. @returns its name, and the days of its first and last update */
async function add(pulls: number) {
  const members = ['ada-nowak'];
  const [name = ''] = github.sandbox.control.github.addRepositories({
    owner: 'bench',
    count: 1,
    pulls,
    members,
  });
  const times = recordsOf(await github.reader(name).run()).map(({ columns }) => Number(columns.updated_at));
  return { name, oldest: dayOf(Math.min(...times)), newest: dayOf(Math.max(...times)) };
}

describe('pull requests updated since a day', () => {
  it('are read by the pages of updates, with an old one that changed, in the order of opening', async () => {
    const { control } = github.sandbox;
    const since = dayOf(Date.now());
    const [oldest = 0] = control.github.pullNumbers(HARBOR);
    const inserted = control.github.insertPull(HARBOR);
    control.github.changePull(HARBOR, oldest, { title: 'Changed' });
    const reader = github.reader(HARBOR);
    const run = await reader.run({ since });
    expect(recordsOf(run).map(({ columns }) => columns.number)).toEqual([inserted, oldest]);
    expect(run.client.requests).toBe(2);
    expect(run.pages[0]?.total).toBe(2);

    // The count of all pull requests notices deletions, although most are not wanted.
    const { cursor } = run.completion;
    expect(idsOf((await reader.run({ since, cursor })).pages)).toHaveLength(2);
    control.github.removePull(HARBOR, oldest + 1);
    control.github.removePull(HARBOR, control.github.pullNumbers(HARBOR)[1] ?? 0);
    expect(await reader.failure({ since, cursor })).toBe('cursor-expired');
  });

  it('do not read all of a repository after an old one changed twice', async () => {
    const { control } = github.sandbox;
    const since = dayOf(Date.now());
    const [oldest = 0, second = 0] = control.github.pullNumbers(HARBOR);
    const reader = github.reader(HARBOR);
    let { completion } = await reader.run({ since });
    for (const number of [oldest, second, oldest]) {
      control.github.changePull(HARBOR, number, { title: `Changed ${number}` });
      const run = await reader.run({ since, cursor: completion.cursor });
      expect(recordsOf(run).map(({ columns }) => columns.number)).toContain(number);
      completion = run.completion;
    }
  });

  it('are read by the pages of all, if they are too many to keep', async () => {
    const { name, oldest } = await add(1100);
    const reader = github.reader(name);
    const since = dayOf(Date.parse(oldest) + 86_400_000);
    const all = recordsOf(await reader.run());
    const wanted = all
      .filter(({ columns }) => Number(columns.updated_at) >= Date.parse(since))
      .map(({ id }) => id);
    expect(wanted.length).toBeGreaterThan(1000);
    expect(wanted.length).toBeLessThan(all.length);
    const run = await reader.run({ since });
    expect(idsOf(run.pages)).toEqual(wanted);
    expect(run.completion.truncated).toBe(false);
    for (const limit of [150, wanted.length]) {
      const some = await reader.run({ since, limit });
      expect(idsOf(some.pages), `limit ${limit}`).toEqual(wanted.slice(0, limit));
      expect(some.completion.truncated, `limit ${limit}`).toBe(limit < wanted.length);
    }
    const [first] = run.pages;
    const rest = await reader.run({ since, checkpoint: first?.checkpoint ?? null });
    expect(idsOf(rest.pages)).toEqual(wanted.slice(first?.records.length));
    const { total, records } = await reader.entity.estimate(reader.request({ since }));
    expect([total, records]).toEqual([null, all.length]);
    const listed: string[] = [];
    for await (const ids of reader.entity.listIds(reader.request({ since }))) listed.push(...ids);
    expect(listed.sort()).toEqual([...wanted].sort());
  }, 120_000);

  it('are none without an update since then, after two requests', async () => {
    const { name } = await add(250);
    const run = await github.reader(name).run({ since: '9999-01-01' });
    expect([idsOf(run.pages), run.client.requests]).toEqual([[], 2]);
  });
});
