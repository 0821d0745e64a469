import { describeConnector } from '../../../test-support/conformance/index.ts';
import {
  type GithubRecords,
  type GithubScene,
  githubSubject,
  newestFirst,
  RECORD_ODDITIES,
  REFUSED_TWICE,
} from '../../../test-support/github-stand-in.ts';

const REPOSITORY = 'aurora-labs/lantern';

/** Time of a review: of its submission, else of its last update. */
function timeOf({ submitted_at, updated_at }: Record<string, unknown>): number {
  return Date.parse(String(submitted_at)) || Date.parse(String(updated_at));
}

function reviews({ control }: GithubScene): GithubRecords {
  const pulls = () =>
    newestFirst(control.pullNumbers(REPOSITORY).map((number) => control.pull(REPOSITORY, number) ?? {}));
  let inserted = 0;
  /** Each is a review of another pull request. */
  const next = () => {
    const numbers = control.pullNumbers(REPOSITORY);
    return numbers[inserted++ % numbers.length] ?? 0;
  };
  const numberIn = (id: string) => Number(id.replace(/^\D+/, ''));
  return {
    async listIds() {
      const all = control.records(REPOSITORY, 'review');
      return pulls().flatMap(({ number }) =>
        all
          .filter(({ pull_request_url: url }) => String(url).endsWith(`/pulls/${number}`))
          .sort((a, b) => timeOf(b) - timeOf(a) || Number(b.id) - Number(a.id))
          .map(({ id }) => `pullrequestreview-${id}`),
      );
    },
    changes: {
      insert: () => `pullrequestreview-${control.insertReview(REPOSITORY, next())}`,
      update: (id) => control.changeReview(REPOSITORY, numberIn(id), { state: 'DISMISSED' }),
    },
    insertOddity: async (name) => `pullrequestreview-${control.insertOddRecord(REPOSITORY, 'review', name)}`,
  };
}

describeConnector(
  githubSubject({
    entity: 'gh-reviews',
    settings: { owner: 'aurora-labs', repo: 'lantern' },
    isIncremental: true,
    sinceTimeOf: ({ columns }) => Number(columns.updated_at),
    records: reviews,
    survives: [REFUSED_TWICE, 'repo-renamed'],
    endsIn: {},
    oddities: RECORD_ODDITIES,
  }),
);
