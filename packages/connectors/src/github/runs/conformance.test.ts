import { describeConnector } from '../../../test-support/conformance/index.ts';
import {
  type GithubRecords,
  type GithubScene,
  githubSubject,
  newestFirst,
  PAGE_FAULTS,
  RECORD_ODDITIES,
  REFUSED_TWICE,
} from '../../../test-support/github-stand-in.ts';

const REPOSITORY = 'ada-nowak/dotfiles';
const DAY_MS = 24 * 3_600_000;

function runs({ control }: GithubScene): GithubRecords {
  const all = () => newestFirst(control.records(REPOSITORY, 'run'));
  return {
    prepare() {
      for (const { id } of all()) control.deleteRun(REPOSITORY, Number(id));
      // On two days, of which the last is less than three days ago, so that all may be started again.
      const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
      for (let index = 0; index < 110; index++) {
        const time = today - (index < 50 ? DAY_MS : 0) + index * 1000;
        const at = new Date(time).toISOString().replace('.000Z', 'Z');
        control.insertRun(REPOSITORY, { created_at: at, run_started_at: at, updated_at: at });
      }
    },
    listIds: async () => all().map(({ id }) => String(id)),
    changes: {
      insert: () => String(control.insertRun(REPOSITORY)),
      update: (id) => control.rerun(REPOSITORY, Number(id)),
    },
    insertOddity: async (name) => String(control.insertOddRecord(REPOSITORY, 'run', name)),
  };
}

describeConnector(
  githubSubject({
    entity: 'gh-runs',
    settings: { owner: 'ada-nowak', repo: 'dotfiles' },
    isIncremental: true,
    sinceTimeOf: ({ columns }) => Number(columns.updated_at),
    records: runs,
    survives: [REFUSED_TWICE, ...PAGE_FAULTS],
    endsIn: {},
    // New runs are the first of the list.
    oddities: RECORD_ODDITIES.filter((name) => name !== 'date-1970'),
  }),
);
