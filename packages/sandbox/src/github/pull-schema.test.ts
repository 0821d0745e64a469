import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type StartedSandbox, startSandbox } from '@datadeck/test-sandbox';
import type { ValidateFunction } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readChecks, type Schema } from '../../test-support/openapi-schemas.ts';
import { ask, authorizeGithub } from '../../test-support/sign-in.ts';

const path = fileURLToPath(
  new URL('../../../../../shared/data/github-openapi/pulls.openapi.json', import.meta.url),
);

/** Two fields that are null in real responses become nullable. */
function amend(definitions: Schema): void {
  for (const name of ['pull-request', 'pull-request-simple']) {
    const head = definitions[name]?.properties?.head?.properties as Record<string, unknown>;
    head.repo = { oneOf: [{ $ref: '#/definitions/repository' }, { type: 'null' }] };
    head.label = { type: ['string', 'null'] };
    head.user = { $ref: '#/definitions/nullable-simple-user' };
  }
}

describe.skipIf(!existsSync(path))('GitHub API response', () => {
  let sandbox: StartedSandbox;
  let token: string;
  let check: (name: string) => ValidateFunction;

  beforeAll(async () => {
    sandbox = await startSandbox({ synthetic: { pulls: 300 } });
    token = (await authorizeGithub(sandbox)).access_token ?? '';
    check = readChecks(path, amend);
  });
  afterAll(() => sandbox.close());

  async function get(address: string): Promise<unknown> {
    return (await ask(`${sandbox.urls().githubApiUrl}${address}`, token)).json();
  }

  function expectValid(validate: ValidateFunction, value: unknown): void {
    validate(value);
    expect(validate.errors ?? []).toEqual([]);
  }

  it.each([
    'aurora-labs/harbor',
    'aurora-labs/lantern',
    'ada-nowak/dotfiles',
    'aurora-labs/vault',
    'bench/pulls-300',
  ])('matches the published schema for the repository %s', async (name) => {
    const simple = check('pull-request-simple');
    const single = check('pull-request');
    expectValid(check('full-repository'), await get(`/repos/${name}`));
    for (let page = 1; page <= 3; page += 1) {
      const pulls = (await get(`/repos/${name}/pulls?state=all&per_page=100&page=${page}`)) as {
        number: number;
      }[];
      for (const pull of pulls) expectValid(simple, pull);
      for (const { number } of pulls.slice(0, 12))
        expectValid(single, await get(`/repos/${name}/pulls/${number}`));
    }
  });

  it('matches the published schema for user, limits and inserted pull requests', async () => {
    expectValid(check('private-user'), await get('/user'));
    const number = sandbox.control.github.insertPull('aurora-labs/harbor', { title: 'By hand' });
    expectValid(check('pull-request'), await get(`/repos/aurora-labs/harbor/pulls/${number}`));
    const limit = (await get('/rate_limit')) as { rate: unknown };
    expectValid(check('rate-limit'), limit.rate);
  });
});
