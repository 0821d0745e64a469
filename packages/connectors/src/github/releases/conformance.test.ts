import { describeConnector } from '../../../test-support/conformance/index.ts';
import {
  type GithubRecords,
  type GithubScene,
  GONE,
  githubSubject,
  RECORD_ODDITIES,
  REFUSED_TWICE,
} from '../../../test-support/github-stand-in.ts';

const REPOSITORY = 'aurora-labs/harbor';

function releases({ control, ask }: GithubScene): GithubRecords {
  return {
    async listIds() {
      const listed = await ask<{ id: number }[]>(`/repos/${REPOSITORY}/releases?per_page=100`);
      return listed.map(({ id }) => String(id));
    },
    insertOddity: async (name) => String(control.insertOddRecord(REPOSITORY, 'release', name)),
  };
}

describeConnector(
  githubSubject({
    entity: 'gh-releases',
    settings: { owner: 'aurora-labs', repo: 'harbor' },
    isIncremental: false,
    records: releases,
    survives: [REFUSED_TWICE, 'repo-renamed'],
    endsIn: GONE,
    oddities: RECORD_ODDITIES,
  }),
);
