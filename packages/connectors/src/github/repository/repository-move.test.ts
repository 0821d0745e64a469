import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ConnectedGithub, connectGithub } from '../../../test-support/connected-github.ts';
import { idsOf } from '../../sdk/conformance/reading.ts';
import { ProviderError, type ReadRequest, ScopeMoved } from '../../sdk/index.ts';

const HARBOR = 'aurora-labs/harbor';
const REPORTS = { reportsMoves: true };
let github: ConnectedGithub;

beforeAll(async () => {
  github = await connectGithub();
});
afterAll(() => github.sandbox.close());
beforeEach(() => github.reset());

/** Returns what a run of a repository throws, and how many requests it sent. */
async function moveOf(more: Partial<ReadRequest> = REPORTS, repository = HARBOR) {
  const reader = github.reader(repository);
  const client = github.client();
  const error = await reader.run({ client, ...more }).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  const settings = error instanceof ScopeMoved ? error.settings : undefined;
  return { error, settings, requests: client.requests };
}

describe('moved repositories', () => {
  it('are reported with the settings of the new place', async () => {
    const { control } = github.sandbox;
    control.github.renameRepository(HARBOR, 'haven');
    const { error, settings, requests } = await moveOf();
    expect(settings).toEqual({ owner: 'aurora-labs', repo: 'haven' });
    expect(error).toBeInstanceOf(ProviderError);
    expect((error as Error).message).toBe('aurora-labs/harbor is now aurora-labs/haven on GitHub.');
    expect(requests).toBe(3);

    control.github.transferRepository('aurora-labs/haven', 'jonas-weber', 'User');
    const newest = { settings: { owner: 'jonas-weber', repo: 'haven' } };
    expect(await moveOf()).toMatchObject(newest);
    expect(await moveOf(REPORTS, 'aurora-labs/haven')).toMatchObject(newest);
    expect(await moveOf(REPORTS, 'jonas-weber/haven')).toMatchObject({ error: undefined });
  });

  it('are reported by estimates, lists of ids and incremental runs, too', async () => {
    const reader = github.reader();
    const { completion } = await reader.run();
    github.sandbox.control.github.renameRepository(HARBOR, 'haven');
    const moved = { settings: { owner: 'aurora-labs', repo: 'haven' } };
    expect(await moveOf({ ...REPORTS, cursor: completion.cursor })).toMatchObject(moved);
    const request = reader.request(REPORTS);
    await expect(reader.entity.estimate(request)).rejects.toMatchObject(moved);
    await expect(reader.entity.listIds(request).next()).rejects.toMatchObject(moved);
  });

  it('are read at the new place without the option', async () => {
    const before = await github.reader().run();
    github.sandbox.control.github.renameRepository(HARBOR, 'haven');
    const after = await github.reader().run();
    expect(idsOf(after.pages)).toEqual(idsOf(before.pages));
    expect(after.pages[0]?.records[0]?.columns.repository).toBe('aurora-labs/haven');
  });

  it('are not reported when they have their old name again', async () => {
    const { control } = github.sandbox;
    control.github.renameRepository(HARBOR, 'haven');
    control.github.renameRepository('aurora-labs/haven', 'harbor');
    expect(await moveOf()).toMatchObject({ error: undefined });
    expect(await moveOf(REPORTS, 'aurora-labs/haven')).toMatchObject({
      settings: { owner: 'aurora-labs', repo: 'harbor' },
    });
    expect(await moveOf(REPORTS, 'Aurora-Labs/HARBOR')).toMatchObject({ error: undefined });
  });

  it('are missing when the account can no longer see them', async () => {
    const { control } = github.sandbox;
    control.github.renameRepository(HARBOR, 'haven');
    control.github.setVisibility('aurora-labs/haven', []);
    const { error, settings } = await moveOf();
    expect(settings).toBeUndefined();
    expect(error).toMatchObject({ failure: 'not-found', field: 'repo' });
  });
});
