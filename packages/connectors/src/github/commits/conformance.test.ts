import { describeConnector } from '../../../test-support/conformance/index.ts';
import {
  type GithubRecords,
  type GithubScene,
  GONE,
  githubSubject,
  PAGE_FAULTS,
  RECORD_ODDITIES,
  REFUSED_TWICE,
} from '../../../test-support/github-stand-in.ts';

const REPOSITORY = 'aurora-labs/harbor';

function commits({ control, ask }: GithubScene): GithubRecords {
  const list = (query: string) =>
    ask<{ sha: string; node_id: string }[]>(`/repos/${REPOSITORY}/commits?${query}`);
  const idOf = async (sha: string) => (await list(`sha=${sha}&per_page=1`))[0]?.node_id ?? '';
  return {
    async listIds() {
      const ids: string[] = [];
      for (let page = 1; ; page++) {
        const listed = await list(`per_page=63&page=${page}`);
        if (listed.length === 0) return ids;
        ids.push(...listed.map(({ node_id }) => node_id));
      }
    },
    changes: { insert: () => idOf(control.pushCommits(REPOSITORY)[0] ?? '') },
    insertOddity: async (name) => idOf(String(control.insertOddRecord(REPOSITORY, 'commit', name))),
  };
}

describeConnector(
  githubSubject({
    entity: 'gh-commits',
    settings: { owner: 'aurora-labs', repo: 'harbor' },
    isIncremental: true,
    sinceTimeOf: ({ columns }) => Number(columns.committed_at),
    records: commits,
    survives: [REFUSED_TWICE, ...PAGE_FAULTS, 'repo-renamed'],
    endsIn: GONE,
    // The node id of a commit is the id of its record.
    oddities: RECORD_ODDITIES.filter((name) => name !== 'unknown-state'),
  }),
);
