import { describeConnector } from '../../../test-support/conformance/index.ts';
import {
  type GithubRecords,
  type GithubScene,
  githubSubject,
  REFUSED_TWICE,
} from '../../../test-support/github-stand-in.ts';

function repositories({ control, ask }: GithubScene): GithubRecords {
  return {
    prepare: () =>
      void control.addRepositories({ owner: 'bench', count: 130, pulls: 1, members: ['ada-nowak'] }),
    async listIds() {
      const ids: string[] = [];
      for (let page = 1; ; page++) {
        const query = `sort=pushed&direction=desc&per_page=63&page=${page}`;
        const listed = await ask<{ id: number }[]>(`/user/repos?${query}`);
        if (listed.length === 0) return ids;
        ids.push(...listed.map(({ id }) => String(id)));
      }
    },
  };
}

describeConnector(
  githubSubject({
    entity: 'gh-repos',
    settings: {},
    isIncremental: false,
    records: repositories,
    survives: [REFUSED_TWICE],
    endsIn: {},
    oddities: [],
  }),
);
