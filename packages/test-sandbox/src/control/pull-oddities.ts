import type { PullShape } from '@datadeck/sandbox/parts';

/** Pull requests with oddities that occur in real ones, by name: only the fields that differ. */
const ODDITIES = {
  'null-head-repo': (pull: PullShape) => ({ head: { ...asObject(pull.head), repo: null } }),
  'null-head-user': (pull: PullShape) => ({
    head: { ...asObject(pull.head), repo: null, user: null, label: null },
  }),
  'ghost-author': (pull: PullShape) => ({ user: { ...asObject(pull.user), login: 'ghost', id: 10_137 } }),
  'null-author': () => ({ user: null }),
  'null-body': () => ({ body: null }),
  'crlf-body': () => ({ body: 'One\r\n\r\n- two\r\n- three\r\n' }),
  'huge-body': () => ({ body: 'All of the log.\r\n'.repeat(3900) }),
  'nul-body': () => ({ body: 'before\0after' }),
  'lone-surrogate': () => ({ title: 'Half of \uD83D a character' }),
  'right-to-left': () => ({ title: 'تحسين الأداء \u202Egnp.exe', body: 'שלום' }),
  emoji: () => ({ title: '👩‍👩‍👧‍👦 🏳️‍🌈 🇵🇱', body: '👍🏽' }),
  'hostile-html': () => ({
    title: '<img src=x onerror=alert(1)>',
    body: '<script>alert(2)</script>[x](javascript:alert(3))',
  }),
  'unknown-state': () => ({ state: 'queued' }),
  'unknown-field': () => ({ merge_forecast: { likely: true, score: 0.93 } }),
  'missing-fields': () => ({
    labels: undefined,
    assignees: undefined,
    requested_reviewers: undefined,
    requested_teams: undefined,
    milestone: undefined,
    draft: undefined,
  }),
  'date-1970': () => ({ created_at: '1970-01-01T00:00:00Z' }),
  'date-far-ahead': () => ({ updated_at: '2221-12-31T23:59:59Z' }),
  'odd-date': () => ({ closed_at: 'yesterday' }),
  'many-labels': (pull: PullShape) => ({
    labels: Array.from({ length: 100 }, (_, id) => ({
      id,
      node_id: `LA_${id}`,
      url: `${String(pull.url)}/labels/${id}`,
      name: `label ${id}`,
      color: 'ededed',
      default: false,
      description: null,
    })),
  }),
} as const;

/** The name of an odd pull request. */
export type PullOddity = keyof typeof ODDITIES;

/** The names of all odd pull requests that the control can insert. */
export const PULL_ODDITIES = Object.keys(ODDITIES) as readonly PullOddity[];

/** Returns the fields in which an odd pull request differs from a plain one. */
export function oddFields(oddity: PullOddity, plain: PullShape): PullShape {
  const make = ODDITIES[oddity];
  if (!make)
    throw new RangeError(`No odd pull request is called "${oddity}". Known: ${PULL_ODDITIES.join(', ')}`);
  return make(plain);
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
