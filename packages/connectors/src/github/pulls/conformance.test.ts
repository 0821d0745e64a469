import { PULL_ODDITIES, type PullOddity } from '@datadeck/test-sandbox';
import { describeConnector } from '../../../test-support/conformance/index.ts';
import {
  type GithubRecords,
  type GithubScene,
  GONE,
  githubSubject,
  PAGE_FAULTS,
  REFUSED_TWICE,
} from '../../../test-support/github-stand-in.ts';

const REPOSITORY = 'aurora-labs/harbor';

function pulls({ control, ask }: GithubScene): GithubRecords {
  const path = `/repos/${REPOSITORY}/pulls`;
  const idOf = async (number: number) => String((await ask<{ id: number }>(`${path}/${number}`)).id);
  const numbers = new Map<string, number>();
  return {
    async listIds() {
      numbers.clear();
      for (let page = 1; ; page++) {
        const query = `state=all&sort=created&direction=desc&per_page=63&page=${page}`;
        const listed = await ask<{ id: number; number: number }[]>(`${path}?${query}`);
        for (const pull of listed) numbers.set(String(pull.id), pull.number);
        if (listed.length === 0) return [...numbers.keys()];
      }
    },
    changes: {
      insert: async () => idOf(control.insertPull(REPOSITORY)),
      update: (id) => control.changePull(REPOSITORY, numbers.get(id) ?? 0, { title: 'Changed' }),
    },
    insertOddity: (name) => idOf(control.insertOddity(REPOSITORY, name as PullOddity)),
  };
}

describeConnector(
  githubSubject({
    entity: 'gh-pulls',
    settings: { owner: 'aurora-labs', repo: 'harbor' },
    isIncremental: true,
    sinceTimeOf: ({ columns }) => Number(columns.updated_at),
    records: pulls,
    survives: [REFUSED_TWICE, ...PAGE_FAULTS, 'repo-renamed'],
    endsIn: {
      ...GONE,
      'insufficient-scope': 'forbidden',
      'sso-required': 'forbidden',
      'access-blocked': 'forbidden',
    },
    oddities: PULL_ODDITIES,
  }),
);
