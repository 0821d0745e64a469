import { describeConnector } from '../../../test-support/conformance/index.ts';
import {
  type GithubRecords,
  type GithubScene,
  GONE,
  githubSubject,
  newestFirst,
  PAGE_FAULTS,
  RECORD_ODDITIES,
} from '../../../test-support/github-stand-in.ts';

const REPOSITORY = 'aurora-labs/harbor';

function issues({ control }: GithubScene): GithubRecords {
  const all = () => newestFirst(control.records(REPOSITORY, 'issue'));
  const numberOf = (id: string) => Number(all().find((issue) => String(issue.id) === id)?.number);
  const idOf = (number: number) => String(all().find((issue) => issue.number === number)?.id);
  return {
    listIds: async () => all().map(({ id }) => String(id)),
    changes: {
      insert: () => idOf(control.insertIssue(REPOSITORY)),
      update: (id) => control.changeIssue(REPOSITORY, numberOf(id), { title: 'Changed' }),
    },
    insertOddity: async (name) => idOf(Number(control.insertOddRecord(REPOSITORY, 'issue', name))),
  };
}

describeConnector(
  githubSubject({
    entity: 'gh-issues',
    settings: { owner: 'aurora-labs', repo: 'harbor' },
    isIncremental: true,
    sinceTimeOf: ({ columns }) => Number(columns.updated_at),
    records: issues,
    survives: [...PAGE_FAULTS, 'repo-renamed'],
    endsIn: GONE,
    oddities: RECORD_ODDITIES,
  }),
);
