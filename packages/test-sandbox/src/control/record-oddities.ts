import type { Shape } from '@datadeck/sandbox/parts';
import type { TableKind } from './record-changes.ts';

/** Kinds of records of which there are odd ones. */
export type OddKind = TableKind | 'commit';

/** The field with the text of a kind, and those that real answers may lack. */
const KINDS: Record<OddKind, { text: string; state: string; optional: readonly string[] }> = {
  issue: {
    text: 'body',
    state: 'state',
    optional: ['body', 'state_reason', 'reactions', 'author_association', 'closed_by', 'assignees'],
  },
  comment: { text: 'body', state: 'author_association', optional: ['reactions', 'performed_via_github_app'] },
  'review-comment': {
    text: 'body',
    state: 'side',
    optional: ['line', 'position', 'original_line', 'side', 'subject_type', 'reactions'],
  },
  review: { text: 'body', state: 'state', optional: ['submitted_at'] },
  run: {
    text: 'display_title',
    state: 'conclusion',
    optional: ['actor', 'triggering_actor', 'run_started_at', 'run_attempt', 'name', 'head_repository'],
  },
  release: {
    text: 'body',
    state: 'target_commitish',
    optional: ['body', 'reactions', 'updated_at', 'immutable'],
  },
  commit: { text: 'message', state: 'node_id', optional: ['author', 'committer'] },
};

const TEXTS = {
  'nul-text': 'before\0after',
  'huge-text': 'All of the log.\r\n'.repeat(3900),
  'lone-surrogate': 'Half of \uD83D a character',
  'right-to-left': 'تحسين الأداء \u202Egnp.exe',
  'hostile-html': '<img src=x onerror=alert(1)>[x](javascript:alert(3))',
} as const;

const FIELDS = {
  'null-author': { user: null, author: null, committer: null, actor: null, triggering_actor: null },
  'unknown-field': { merge_forecast: { likely: true, score: 0.93 } },
  'date-1970': { created_at: '1970-01-01T00:00:00Z' },
  'date-far-ahead': { updated_at: '2221-12-31T23:59:59Z' },
  'odd-date': { closed_at: 'yesterday', published_at: 'yesterday', submitted_at: 'yesterday' },
} as const;

const OTHERS = ['ghost-author', 'null-text', 'missing-fields', 'unknown-state'] as const;

/** The name of an odd record of any kind. */
export type RecordOddity = keyof typeof TEXTS | keyof typeof FIELDS | (typeof OTHERS)[number];

/** The names of all odd records that the control can insert. */
export const RECORD_ODDITIES: readonly RecordOddity[] = [
  ...(Object.keys(TEXTS) as (keyof typeof TEXTS)[]),
  ...(Object.keys(FIELDS) as (keyof typeof FIELDS)[]),
  ...OTHERS,
];

/** Returns the fields in which an odd record differs from a plain one. @throws RangeError for an unknown oddity */
export function oddRecordFields(kind: OddKind, oddity: RecordOddity, plain: Shape): Shape {
  const { text, state, optional } = KINDS[kind];
  if (oddity in TEXTS) return withText(kind, text, TEXTS[oddity as keyof typeof TEXTS], plain);
  if (oddity in FIELDS) return present(FIELDS[oddity as keyof typeof FIELDS], plain);
  if (oddity === 'ghost-author') {
    const ghost = { ...((plain.user ?? plain.author ?? plain.actor) as Shape), login: 'ghost', id: 10_137 };
    return present({ user: ghost, author: ghost, actor: ghost }, plain);
  }
  // GraphQL does not allow a review without a text.
  if (oddity === 'null-text') return withText(kind, text, kind === 'review' ? '' : null, plain);
  if (oddity === 'missing-fields') return Object.fromEntries(optional.map((name) => [name, undefined]));
  if (oddity === 'unknown-state') return { [state]: 'somewhere' };
  throw new RangeError(`No odd record is called "${oddity}". Known: ${RECORD_ODDITIES.join(', ')}`);
}

function withText(kind: OddKind, field: string, value: string | null, plain: Shape): Shape {
  if (kind !== 'commit') return { [field]: value };
  return { commit: { ...(plain.commit as Shape), message: value ?? '' } };
}

/** Keeps the fields that the record has; unknown ones stay. */
function present(fields: Shape, plain: Shape): Shape {
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => name in plain || name === 'merge_forecast'),
  );
}
