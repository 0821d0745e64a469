import { declarativeConnector } from '../../src/declarative/index.ts';
import { shippedDocument } from '../../src/declarative/shipped/index.ts';
import type { ConformanceSubject } from '../conformance/index.ts';
import {
  type EmulatedService,
  type ServiceAnswer,
  type ServiceRequest,
  type ServiceTraits,
  serviceSubject,
} from './service.ts';
import { inTurn, Timeline } from './timeline.ts';

const RECORDS = 93;
/** Smaller than the 100 that GitLab allows, so that few records have several pages. */
const LARGEST_PAGE = 40;
const TOKEN = 'glpat-AbCdEf0123456789xyzw';
const PROJECT = 'aurora-labs/harbor';

const USERS = ['ada', 'ben', 'chiara', 'dmitri'].map((username, index) => ({
  id: index + 1,
  username,
  name: username.charAt(0).toUpperCase() + username.slice(1),
  state: 'active',
  locked: false,
  avatar_url: null,
  web_url: `https://gitlab.example.com/${username}`,
}));
const STATES = ['opened', 'merged', 'opened', 'closed'];

type Item = Record<string, unknown> & { id: number; iid: number; updated_at: string };

function milestoneOf(iid: number) {
  if (iid % 3 !== 0) return null;
  return {
    id: 5,
    iid: 1,
    project_id: 3,
    title: 'v2.0',
    state: 'active',
    due_date: '2026-03-31',
    start_date: null,
  };
}

/** The fields that merge requests and issues share. */
function base(iid: number, at: number, sign: '!' | '#'): Item {
  const created_at = new Date(at).toISOString();
  const author = inTurn(USERS, iid);
  const assignees = iid % 4 === 0 ? [] : [inTurn(USERS, iid + 1)];
  return {
    id: 100_000 + iid,
    iid,
    project_id: 3,
    title: `Item ${iid}`,
    description: iid % 7 === 0 ? null : `Details of **item ${iid}**\n\n- one\n- two`,
    state: 'opened',
    created_at,
    updated_at: created_at,
    closed_at: null,
    closed_by: null,
    author,
    assignees,
    assignee: assignees[0] ?? null,
    labels: iid % 5 === 0 ? [] : ['bug', 'priority::2'].slice(0, (iid % 2) + 1),
    milestone: milestoneOf(iid),
    user_notes_count: iid % 9,
    upvotes: iid % 3,
    downvotes: 0,
    discussion_locked: null,
    web_url: `https://gitlab.example.com/${PROJECT}/-/${sign === '!' ? 'merge_requests' : 'issues'}/${iid}`,
    references: { short: `${sign}${iid}`, relative: `${sign}${iid}`, full: `${PROJECT}${sign}${iid}` },
    time_stats: {
      time_estimate: 0,
      total_time_spent: iid * 600,
      human_time_estimate: null,
      human_total_time_spent: null,
    },
    task_completion_status: { count: 0, completed_count: 0 },
  };
}

function mergeRequest(iid: number, at: number): Item {
  const state = inTurn(STATES, iid);
  const ended = new Date(at + 40 * 60_000).toISOString();
  return {
    ...base(iid, at, '!'),
    state,
    draft: iid % 6 === 0,
    work_in_progress: iid % 6 === 0,
    reviewers: iid % 3 === 0 ? [] : [inTurn(USERS, iid + 2)],
    source_branch: `feature/${iid}`,
    target_branch: 'main',
    source_project_id: 3,
    target_project_id: 3,
    merged_at: state === 'merged' ? ended : null,
    merged_by: null,
    merge_user: state === 'merged' ? inTurn(USERS, iid + 3) : null,
    closed_at: state === 'closed' ? ended : null,
    closed_by: state === 'closed' ? USERS[0] : null,
    merge_status: 'can_be_merged',
    detailed_merge_status: 'mergeable',
    sha: iid.toString(16).padStart(40, '0'),
    merge_commit_sha: null,
    squash_commit_sha: null,
    should_remove_source_branch: null,
    has_conflicts: false,
    squash: false,
  };
}

function issue(iid: number, at: number): Item {
  const isClosed = iid % 3 === 1;
  return {
    ...base(iid, at, '#'),
    state: isClosed ? 'closed' : 'opened',
    closed_at: isClosed ? new Date(at + 50 * 60_000).toISOString() : null,
    type: 'ISSUE',
    issue_type: iid % 8 === 0 ? 'incident' : 'issue',
    due_date: iid % 4 === 0 ? '2026-02-28' : null,
    confidential: iid % 10 === 0,
    weight: iid % 2 === 0 ? iid % 8 : null,
    merge_requests_count: 0,
    severity: 'UNKNOWN',
    moved_to_id: null,
  };
}

/** Malformed fields that replace those of a record. */
const ODDITIES: Readonly<Record<string, Record<string, unknown>>> = {
  'no-author': { author: null, assignees: null, references: null },
  'wrong-types': { title: 17, labels: 'bug', draft: 'yes', iid: '12', user_notes_count: null },
  'half-a-pair': { title: 'NUL \u0000 and half a pair \ud800', description: '\udfff' },
  'unreadable-dates': { merged_at: 'soon', closed_at: 'soon', due_date: 'soon' },
  'no-title': { title: null, description: null, labels: [null, 'bug'] },
};
export const GITLAB_ODDITIES = Object.keys(ODDITIES);

/** One project of GitLab's REST API, version 4, with merge requests or issues. */
class Project implements EmulatedService {
  readonly #kind: 'merge_requests' | 'issues';
  readonly #timeline = new Timeline();
  #items: Item[] = [];

  constructor(kind: 'merge_requests' | 'issues') {
    this.#kind = kind;
    for (let index = 0; index < RECORDS; index++) this.#add({});
  }

  #add(fields: Record<string, unknown>): string {
    const iid = this.#items.length + 1;
    const at = this.#timeline.next();
    const made = this.#kind === 'issues' ? issue(iid, at) : mergeRequest(iid, at);
    this.#items.push({ ...made, ...fields });
    return String(made.id);
  }

  #change(id: string): void {
    const updated_at = new Date(this.#timeline.next()).toISOString();
    this.#items = this.#items.map((item) =>
      String(item.id) === id ? { ...item, title: 'Changed', updated_at } : item,
    );
  }

  readonly changes = { insert: () => this.#add({}), update: (id: string) => this.#change(id) };

  insertOddity(name: string): string {
    return this.#add(ODDITIES[name] ?? {});
  }

  #byUpdate(): Item[] {
    return this.#items.toSorted((a, b) => b.updated_at.localeCompare(a.updated_at) || b.id - a.id);
  }

  listIds(): string[] {
    return this.#byUpdate().map(({ id }) => String(id));
  }

  answer({ method, path, query }: ServiceRequest): ServiceAnswer {
    if (path === '/api/v4/user') return { status: 200, body: { ...USERS[0], email: 'ada@example.com' } };
    const paths = [`projects/${encodeURIComponent(PROJECT)}`, 'groups/aurora-labs'];
    if (method !== 'GET' || !paths.some((under) => path === `/api/v4/${under}/${this.#kind}`))
      return NOT_FOUND;
    // Without these parameters GitLab lists other records, or in another order.
    const [scope, state, order, sort] = ['scope', 'state', 'order_by', 'sort'].map((name) => query.get(name));
    if (scope !== 'all' || state !== 'all' || order !== 'updated_at' || sort !== 'desc')
      return { status: 400, body: { error: 'scope does not have a valid value' } };
    const after = query.get('updated_after');
    const found = this.#byUpdate().filter(({ updated_at }) => after === null || updated_at >= after);
    return pageOf(found, Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 20));
  }
}

function pageOf(items: readonly Item[], page: number, perPage: number): ServiceAnswer {
  const size = Math.min(perPage, LARGEST_PAGE);
  const hasMore = items.length > page * size;
  return {
    status: 200,
    body: items.slice((page - 1) * size, page * size),
    headers: {
      'x-page': String(page),
      'x-per-page': String(size),
      'x-next-page': hasMore ? String(page + 1) : '',
      'x-prev-page': page > 1 ? String(page - 1) : '',
      'x-total': String(items.length),
      'x-total-pages': String(Math.ceil(items.length / size)),
      'ratelimit-limit': '2000',
      'ratelimit-remaining': '1999',
      'ratelimit-reset': String(Math.ceil(Date.now() / 1000) + 60),
    },
  };
}

const NOT_FOUND: ServiceAnswer = { status: 404, body: { message: '404 Project Not Found' } };

function traits(kind: 'merge_requests' | 'issues'): ServiceTraits {
  return {
    create: () => new Project(kind),
    isAuthorized: ({ headers }) => headers.authorization === `Bearer ${TOKEN}`,
    unauthorized: { status: 401, body: { message: '401 Unauthorized' } },
    tooMany: () => ({
      status: 429,
      body: 'Retry later\n',
      headers: { 'content-type': 'text/plain', 'retry-after': '30' },
    }),
    notFound: NOT_FOUND,
    faults: {
      'insufficient-scope': {
        status: 403,
        body: {
          error: 'insufficient_scope',
          error_description: 'The request requires higher privileges than provided by the access token.',
          scope: 'api read_api',
        },
      },
    },
    connect: (baseUrl, unitsPerMinute) =>
      declarativeConnector(shippedDocument('gitlab'), { baseUrl, unitsPerMinute }),
    form: () => ({ token: TOKEN }),
  };
}

/** Returns the conformance subject of merge requests or issues. @param project the setting: a project, or `group/*` */
export function gitlabSubject(
  entity: 'gitlab-merge-requests' | 'gitlab-issues',
  project = PROJECT,
): ConformanceSubject {
  return serviceSubject(traits(entity === 'gitlab-issues' ? 'issues' : 'merge_requests'), {
    entity,
    settings: { project },
    isIncremental: true,
    sinceTimeOf: ({ columns }) => Number(columns.updated_at),
    endsIn: { 'insufficient-scope': 'forbidden' },
    oddities: GITLAB_ODDITIES,
  });
}
