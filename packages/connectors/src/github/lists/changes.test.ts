import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ConnectedGithub, connectGithub } from '../../../test-support/connected-github.ts';
import { idsOf, type Run } from '../../sdk/conformance/reading.ts';
import type { Json, JsonObject } from '../../sdk/index.ts';

const HARBOR = 'aurora-labs/harbor';
const DOTFILES = 'ada-nowak/dotfiles';
let github: ConnectedGithub;

beforeAll(async () => {
  github = await connectGithub();
});
afterAll(() => github.sandbox.close());
beforeEach(() => github.reset());

/** Runs conditionally. @returns the run with its requests and quota units, and those that GitHub counted */
async function run(repository: string, cursor: Json = null, isConditional = true) {
  const before = github.units();
  const done: Run = await github.reader(repository).run({ cursor, isConditional });
  const { requests, units } = done.client;
  return { ...done, requests, units, counted: github.units() - before };
}

/** Returns the ids that the sandbox has of numbers. */
const numbersOf = ({ pages }: Run) =>
  pages.flatMap(({ records }) => records.map(({ columns }) => columns.number));

describe('conditional runs', () => {
  it.each([HARBOR, DOTFILES])('read all of %s with no more requests than others', async (repository) => {
    const usual = await run(repository, null, false);
    const conditional = await run(repository);
    expect(idsOf(conditional.pages)).toEqual(idsOf(usual.pages));
    expect(conditional.requests).toBe(usual.requests);
    expect(conditional.completion.truncated).toBe(false);
    const { etag, ...cursor } = conditional.completion.cursor as JsonObject;
    expect(cursor).toEqual(usual.completion.cursor);
    expect(etag).toMatch(/^W\/"/);
    expect(conditional.pages[0]?.total).toBe(usual.pages[0]?.total);
  });

  it.each([HARBOR, DOTFILES])('need one request without quota for an unchanged %s', async (repository) => {
    const { completion } = await run(repository);
    const unchanged = await run(repository, completion.cursor);
    expect(unchanged).toMatchObject({ pages: [], requests: 1, units: 0, counted: 0 });
    expect(unchanged.completion).toEqual({ cursor: completion.cursor, truncated: false });
  });

  it.each([HARBOR, DOTFILES])('need one request for a change in %s, and know it then', async (repository) => {
    const { control } = github.sandbox;
    const { completion } = await run(repository);
    const [oldest = 0] = control.github.pullNumbers(repository);
    control.github.changePull(repository, oldest, { title: 'Changed' });
    const inserted = control.github.insertPull(repository);
    const changed = await run(repository, completion.cursor);
    expect(numbersOf(changed)).toEqual(expect.arrayContaining([oldest, inserted]));
    expect(changed).toMatchObject({ requests: 1, units: 1, counted: 1 });
    expect(await run(repository, changed.completion.cursor)).toMatchObject({ requests: 1, counted: 0 });
  });

  it('accept a cursor without ETag', async () => {
    const { completion } = await run(HARBOR, null, false);
    const first = await run(HARBOR, completion.cursor);
    expect(first).toMatchObject({ requests: 1, units: 1 });
    expect(await run(HARBOR, first.completion.cursor)).toMatchObject({ requests: 1, units: 0 });
  });

  it('notice deletions on the first page, and leave others to the next count', async () => {
    const { control } = github.sandbox;
    const { completion } = await run(HARBOR);
    const [oldest = 0, ...others] = control.github.pullNumbers(HARBOR);
    control.github.removePull(HARBOR, others.at(-1) ?? 0);
    const reader = github.reader(HARBOR);
    const conditional = { cursor: completion.cursor, isConditional: true };
    expect(await reader.failure(conditional)).toBe('cursor-expired');

    github.reset();
    control.github.removePull(HARBOR, oldest);
    const again = github.reader(HARBOR);
    expect(await again.failure(conditional)).toBe('none');
    expect(await again.failure({ ...conditional, isConditional: false })).toBe('cursor-expired');
    const { total, records } = await again.entity.estimate(again.request(conditional));
    expect([total, records]).toEqual([others.length, others.length]);
  });

  it('notice any deletion in a list of one page', async () => {
    const { completion } = await run(DOTFILES);
    const [oldest = 0] = github.sandbox.control.github.pullNumbers(DOTFILES);
    github.sandbox.control.github.removePull(DOTFILES, oldest);
    expect(await github.reader(DOTFILES).failure({ cursor: completion.cursor, isConditional: true })).toBe(
      'cursor-expired',
    );
  });

  it('read changes of several pages, and resume from each', async () => {
    const { completion } = await run(HARBOR);
    for (let count = 0; count < 130; count++) github.sandbox.control.github.insertPull(HARBOR);
    const changed = await run(HARBOR, completion.cursor);
    expect(changed.pages.length).toBeGreaterThan(1);
    expect(changed.requests).toBe(2);
    for (const [index, page] of changed.pages.entries()) {
      const { pages } = await github
        .reader(HARBOR)
        .run({ cursor: completion.cursor, checkpoint: page.checkpoint, isConditional: true });
      expect([...idsOf(changed.pages.slice(0, index + 1)), ...idsOf(pages)]).toEqual(idsOf(changed.pages));
    }
  });

  it('try again when the first page fails or is empty', async () => {
    const { completion } = await run(HARBOR);
    const inserted = github.sandbox.control.github.insertPull(HARBOR);
    github.sandbox.control.fault({ name: 'empty-page-with-next', match: { api: 'github' } });
    expect(numbersOf(await run(HARBOR, completion.cursor))).toContain(inserted);
  });
});

describe('a run after one that stored records and did not finish', () => {
  const control = () => github.sandbox.control.github;

  it.each([true, false])('notices that one of them was deleted, conditional: %s', async (isConditional) => {
    const reader = github.reader(HARBOR);
    const { completion } = await reader.run({ isConditional });
    const inserted = control().insertPull(HARBOR);
    await reader.run({ cursor: completion.cursor, isConditional });
    control().removePull(HARBOR, inserted);
    const again = { cursor: completion.cursor, isConditional, mayHaveNewerStored: true };
    expect(await reader.failure(again)).toBe('cursor-expired');
  });

  it('reads on from the cursor when all are there, also from each checkpoint', async () => {
    const reader = github.reader(HARBOR);
    const { completion } = await reader.run();
    const inserted = Array.from({ length: 130 }, () => control().insertPull(HARBOR));
    const started = { cursor: completion.cursor, mayHaveNewerStored: true };
    const first = await reader.run(started);
    expect(numbersOf(first)).toEqual(expect.arrayContaining(inserted));
    for (const { checkpoint } of first.pages) {
      const { cursor } = (await reader.run({ ...started, checkpoint })).completion;
      expect(cursor).toEqual(first.completion.cursor);
    }
  });

  it('notices a deletion after it was interrupted', async () => {
    const reader = github.reader(HARBOR);
    const { completion } = await reader.run();
    const inserted = Array.from({ length: 130 }, () => control().insertPull(HARBOR));
    const started = { cursor: completion.cursor, mayHaveNewerStored: true };
    const [page] = (await reader.run(started)).pages;
    control().removePull(HARBOR, inserted.at(-1) ?? 0);
    expect(await reader.failure({ ...started, checkpoint: page?.checkpoint ?? null })).toBe('cursor-expired');
  });
});
