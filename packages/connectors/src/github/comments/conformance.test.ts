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

const REPOSITORY = 'aurora-labs/lantern';
const STARTS = { comment: 'issuecomment-', 'review-comment': 'discussion_r' } as const;

function comments({ control }: GithubScene): GithubRecords {
  const of = (kind: 'comment' | 'review-comment') =>
    newestFirst(control.records(REPOSITORY, kind)).map((comment) => ({
      id: `${STARTS[kind]}${comment.id}`,
      created_at: String(comment.created_at),
    }));
  const pull = () => control.pullNumbers(REPOSITORY).at(-1) ?? 0;
  let inserted = 0;
  const numberIn = (id: string) => Number(id.replace(/^\D+/, ''));
  return {
    async listIds() {
      const all = [...of('comment'), ...of('review-comment')];
      return all.sort((a, b) => b.created_at.localeCompare(a.created_at)).map(({ id }) => id);
    },
    changes: {
      insert: () =>
        inserted++ % 2 === 0
          ? `issuecomment-${control.insertComment(REPOSITORY, pull())}`
          : `discussion_r${control.insertReviewComment(REPOSITORY, pull())}`,
      update(id) {
        const change = id.startsWith('issue') ? control.changeComment : control.changeReviewComment;
        return change(REPOSITORY, numberIn(id), { body: 'Changed' });
      },
    },
    insertOddity: async (name) =>
      inserted++ % 2 === 0
        ? `issuecomment-${control.insertOddRecord(REPOSITORY, 'comment', name)}`
        : `discussion_r${control.insertOddRecord(REPOSITORY, 'review-comment', name)}`,
  };
}

describeConnector(
  githubSubject({
    entity: 'gh-comments',
    settings: { owner: 'aurora-labs', repo: 'lantern' },
    isIncremental: true,
    sinceTimeOf: ({ columns }) => Number(columns.updated_at),
    records: comments,
    survives: [...PAGE_FAULTS, 'repo-renamed'],
    endsIn: GONE,
    oddities: RECORD_ODDITIES,
  }),
);
