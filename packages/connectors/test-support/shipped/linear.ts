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

const RECORDS = 230;
const KEY = 'lin_api_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789ABCD';
const TEAM = 'ENG';
const STATES = [
  { name: 'Backlog', type: 'backlog' },
  { name: 'In Progress', type: 'started' },
  { name: 'Done', type: 'completed' },
  { name: 'Canceled', type: 'canceled' },
];
const PEOPLE = [{ name: 'Ada Nowak' }, { name: 'Ben Okafor' }, { name: 'Chiara Rossi' }];
const PRIORITIES = ['No priority', 'Urgent', 'High', 'Medium', 'Low'];

/** Fields that the query must select of each issue, as objects with their fields. */
type Issue = Record<string, unknown> & { id: string; updatedAt: string };

function idOf(number: number): string {
  return `3f2b8c1e-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

function issueOf(number: number, at: number): Issue {
  const createdAt = new Date(at).toISOString();
  const state = inTurn(STATES, number);
  const later = (minutes: number) => new Date(at + minutes * 60_000).toISOString();
  return {
    id: idOf(number),
    identifier: `${TEAM}-${number}`,
    number,
    title: `Issue ${number}`,
    description: number % 6 === 0 ? null : `Steps of **issue ${number}**`,
    url: `https://linear.app/aurora/issue/${TEAM}-${number}/issue-${number}`,
    priority: number % 5,
    priorityLabel: inTurn(PRIORITIES, number),
    estimate: number % 3 === 0 ? null : number % 8,
    createdAt,
    updatedAt: createdAt,
    startedAt: state.type === 'started' || state.type === 'completed' ? later(5) : null,
    completedAt: state.type === 'completed' ? later(50) : null,
    canceledAt: state.type === 'canceled' ? later(50) : null,
    archivedAt: number % 11 === 0 ? later(55) : null,
    dueDate: number % 4 === 0 ? '2026-02-28' : null,
    trashed: number % 22 === 0 ? true : null,
    state,
    team: { key: TEAM, name: 'Engineering' },
    project: number % 2 === 0 ? { name: 'Harbor' } : null,
    cycle: number % 3 === 0 ? null : { number: number % 4, name: number % 2 === 0 ? 'Spring' : null },
    creator: number % 9 === 0 ? null : inTurn(PEOPLE, number + 1),
    assignee: number % 5 === 0 ? null : inTurn(PEOPLE, number),
    parent: number % 10 === 0 ? { identifier: `${TEAM}-1` } : null,
    labels: {
      nodes: number % 3 === 0 ? [] : [{ name: 'Bug' }, { name: 'Customer' }].slice(0, (number % 2) + 1),
    },
  };
}

/** Malformed fields that replace those of an issue. */
const ODDITIES: Readonly<Record<string, Record<string, unknown>>> = {
  'all-null': { title: null, state: null, team: null, labels: null, priorityLabel: null, createdAt: null },
  'wrong-types': { title: { text: 'x' }, labels: { nodes: 'Bug' }, estimate: '3', cycle: 4, trashed: 'no' },
  'half-a-pair': { title: 'NUL \u0000 and half a pair \ud800', description: '\udfff' },
  'unreadable-dates': { completedAt: 'soon', startedAt: 'soon', createdAt: 'soon', dueDate: 'soon' },
};
export const LINEAR_ODDITIES = Object.keys(ODDITIES);

interface GraphqlRequest {
  query?: unknown;
  variables?: {
    after?: string;
    filter?: { team?: { key?: { eq?: string } }; updatedAt?: { gte?: string } };
  };
}

/** The names after a list's name in a query: `nodes { id state { name } }` selects `id` and `state`. */
function selectedFields(query: string): string[] {
  const nodes = /nodes \{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}/.exec(query)?.[1] ?? '';
  const flat = nodes.replaceAll(/\{(?:[^{}]|\{[^{}]*\})*\}/g, '').replaceAll(/\([^)]*\)/g, '');
  return flat.split(/\s+/).filter((name) => name !== '');
}

function failed(message: string, code: string, status = 200): ServiceAnswer {
  const extensions = { type: code.toLowerCase().replaceAll('_', ' '), code, userError: true };
  return { status, body: { errors: [{ message, extensions }], data: null } };
}

/** The GraphQL API of a workspace of Linear. */
class Workspace implements EmulatedService {
  readonly #timeline = new Timeline();
  #issues: Issue[] = [];

  constructor() {
    for (let index = 0; index < RECORDS; index++) this.#add({});
  }

  #add(fields: Record<string, unknown>): string {
    const made = { ...issueOf(this.#issues.length + 1, this.#timeline.next()), ...fields };
    this.#issues.push(made);
    return made.id;
  }

  #change(id: string): void {
    const updatedAt = new Date(this.#timeline.next()).toISOString();
    this.#issues = this.#issues.map((issue) =>
      issue.id === id ? { ...issue, title: 'Changed', updatedAt } : issue,
    );
  }

  readonly changes = { insert: () => this.#add({}), update: (id: string) => this.#change(id) };

  insertOddity(name: string): string {
    return this.#add(ODDITIES[name] ?? {});
  }

  #byUpdate(): Issue[] {
    return this.#issues.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt));
  }

  listIds(): string[] {
    return this.#byUpdate().map(({ id }) => id);
  }

  answer({ method, path, body }: ServiceRequest): ServiceAnswer {
    if (method !== 'POST' || path !== '/graphql') return { status: 404, body: 'Cannot GET' };
    const { query, variables = {} } = (body ?? {}) as GraphqlRequest;
    if (typeof query !== 'string')
      return failed('Must provide query string.', 'GRAPHQL_VALIDATION_FAILED', 400);
    if (query.includes('viewer')) {
      const viewer = {
        id: idOf(0),
        email: 'ada@example.com',
        organization: { id: idOf(1), name: 'Aurora Labs' },
      };
      return { status: 200, body: { data: { viewer } } };
    }
    const [, size] =
      /issues\(first: (\d+), after: \$after, filter: \$filter, orderBy: updatedAt, includeArchived: true\)/.exec(
        query,
      ) ?? [];
    if (size === undefined || Number(size) > 250)
      return failed('Argument Validation Error', 'INVALID_INPUT', 400);
    return { status: 200, body: { data: { issues: this.#page(query, Number(size), variables) } } };
  }

  #page(query: string, size: number, { after, filter = {} }: NonNullable<GraphqlRequest['variables']>) {
    const { team, updatedAt } = filter;
    const isOther = team?.key?.eq !== undefined && team.key.eq !== TEAM;
    const found = isOther
      ? []
      : this.#byUpdate().filter((issue) => issue.updatedAt >= (updatedAt?.gte ?? ''));
    const start = after === undefined ? 0 : found.findIndex(({ id }) => id === after) + 1;
    const nodes = found.slice(start, start + size);
    const names = selectedFields(query);
    return {
      nodes: nodes.map((issue) => Object.fromEntries(names.map((name) => [name, issue[name]]))),
      pageInfo: { hasNextPage: start + size < found.length, endCursor: nodes.at(-1)?.id ?? null },
    };
  }
}

const traits: ServiceTraits = {
  create: () => new Workspace(),
  isAuthorized: ({ headers }) => headers.authorization === KEY,
  unauthorized: failed('Authentication required, not authenticated', 'AUTHENTICATION_ERROR', 401),
  tooMany: () => ({
    ...failed('Rate limit exceeded. Only 2500 requests are allowed per 1 hour.', 'RATELIMITED', 400),
    headers: {
      'x-ratelimit-requests-remaining': '0',
      'x-ratelimit-requests-reset': String(Date.now() + 30_000),
    },
  }),
  notFound: { status: 404, body: '' },
  faults: {
    'graphql-unauthorized': failed('Authentication required, not authenticated', 'AUTHENTICATION_ERROR'),
    'graphql-forbidden': failed('You do not have access to this team', 'FORBIDDEN'),
    'graphql-error': failed('Internal server error', 'INTERNAL_SERVER_ERROR'),
  },
  connect: (baseUrl, unitsPerMinute) =>
    declarativeConnector(shippedDocument('linear'), { baseUrl, unitsPerMinute }),
  form: () => ({ key: KEY }),
};

/** Returns the conformance subject of the issues. @param team key of a team; empty for all */
export function linearSubject(team: string): ConformanceSubject {
  return serviceSubject(traits, {
    entity: 'linear-issues',
    settings: { team },
    isIncremental: true,
    sinceTimeOf: ({ columns }) => Number(columns.updated_at),
    survives: ['graphql-error'],
    endsIn: {
      'graphql-unauthorized': 'reauthorise',
      'graphql-forbidden': 'forbidden',
      'graphql-error': 'unavailable',
    },
    oddities: LINEAR_ODDITIES,
  });
}
