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

const TOKEN = '0123456789abcdef0123456789abcdef01234567';
const LARGEST_PAGE = 200;
const USER = '2671355';

interface Item extends Record<string, unknown> {
  id: string;
}

/** Formats a time as Todoist does, with microseconds. */
function todoistTime(at: number): string {
  return new Date(at).toISOString().replace('Z', '123Z');
}

function projectOf(number: number, at: number): Item {
  return {
    id: `6Jf8VQXxpwv5${String(number).padStart(4, '0')}`,
    name: `Project ${number}`,
    description: '',
    color: inTurn(['berry_red', 'charcoal', 'blue'], number),
    created_at: todoistTime(at),
    updated_at: number % 5 === 0 ? null : todoistTime(at + 60_000),
    parent_id: null,
    child_order: number,
    default_order: 0,
    view_style: inTurn(['list', 'board', 'calendar'], number),
    is_archived: false,
    is_deleted: false,
    is_favorite: number % 4 === 0,
    is_frozen: false,
    is_collapsed: false,
    is_shared: number % 3 === 0,
    can_assign_tasks: number % 3 === 0,
    ...(number === 1 && { inbox_project: true }),
  };
}

const DUE = [
  null,
  { date: '2026-01-05', timezone: null, string: '5 Jan', lang: 'en', is_recurring: false },
  { date: '2026-01-06T09:30:00', timezone: null, string: 'every day 9:30', lang: 'en', is_recurring: true },
  {
    date: '2026-01-07T08:30:00Z',
    timezone: 'Europe/Warsaw',
    string: '7 Jan 9:30',
    lang: 'en',
    is_recurring: false,
  },
];

function taskOf(number: number, at: number, project: string): Item {
  return {
    id: `6X7rM8997g3RQmvh${String(number).padStart(4, '0')}`,
    user_id: USER,
    project_id: project,
    section_id: null,
    parent_id: number % 6 === 0 ? '6X7rM8997g3RQmvh0001' : null,
    added_by_uid: USER,
    assigned_by_uid: null,
    responsible_uid: null,
    labels: number % 3 === 0 ? [] : ['home', 'errand'].slice(0, (number % 2) + 1),
    deadline: number % 5 === 0 ? { date: '2026-02-28', lang: 'en' } : null,
    duration: number % 4 === 0 ? { amount: 30, unit: 'minute' } : null,
    checked: false,
    is_deleted: false,
    added_at: todoistTime(at),
    completed_at: null,
    completed_by_uid: null,
    updated_at: todoistTime(at),
    due: inTurn(DUE, number),
    priority: (number % 4) + 1,
    child_order: number,
    content: `Task ${number}`,
    description: number % 2 === 0 ? '' : 'With [a link](https://example.com)',
    note_count: 0,
    day_order: -1,
    is_collapsed: false,
    is_uncompletable: false,
  };
}

function refusal(status: number, error: string, error_tag: string): ServiceAnswer {
  return { status, body: { error, error_code: status, error_extra: {}, error_tag, http_code: status } };
}

/** How much is in an account: projects, and tasks of each of them. */
interface Size {
  projects: number;
  tasks: number;
}

/** An account of Todoist's API, version 1. It lists projects and tasks by its own order, not by time. */
class Account implements EmulatedService {
  readonly #entity: string;
  readonly #projects: readonly Item[];
  readonly #tasks: readonly Item[];

  constructor(entity: string, { projects, tasks }: Size) {
    this.#entity = entity;
    const timeline = new Timeline();
    this.#projects = Array.from({ length: projects }, (_, index) => projectOf(index + 1, timeline.next()));
    this.#tasks = Array.from({ length: tasks }, (_, index) =>
      taskOf(index + 1, timeline.next(), inTurn(this.#projects, index).id),
    );
  }

  listIds(): string[] {
    const items = this.#entity === 'todoist-tasks' ? this.#tasks : this.#projects;
    return items.map(({ id }) => id).reverse();
  }

  answer({ method, path, query }: ServiceRequest): ServiceAnswer {
    if (method !== 'GET') return refusal(405, 'Method not allowed', 'METHOD_NOT_ALLOWED');
    if (path === '/api/v1/user')
      return { status: 200, body: { id: USER, email: 'ada@example.com', full_name: 'Ada Nowak' } };
    if (path === '/api/v1/projects') return pageOf(this.#projects, query);
    if (path !== '/api/v1/tasks') return NOT_FOUND;
    const project = query.get('project_id');
    return pageOf(
      this.#tasks.filter(({ project_id }) => project === null || project_id === project),
      query,
    );
  }
}

function pageOf(items: readonly Item[], query: URLSearchParams): ServiceAnswer {
  const size = Number(query.get('limit') ?? 50);
  if (size > LARGEST_PAGE) return refusal(400, 'Invalid argument value', 'INVALID_ARGUMENT_VALUE');
  const cursor = query.get('cursor');
  const start = cursor === null ? 0 : Number(Buffer.from(cursor, 'base64url').toString());
  const end = start + size;
  const next_cursor = end < items.length ? Buffer.from(String(end)).toString('base64url') : null;
  return { status: 200, body: { results: items.slice(start, end), next_cursor } };
}

const NOT_FOUND = refusal(404, 'Not found', 'NOT_FOUND');

function traits(entity: string, size: Size): ServiceTraits {
  return {
    create: () => new Account(entity, size),
    isAuthorized: ({ headers }) => headers.authorization === `Bearer ${TOKEN}`,
    unauthorized: refusal(401, 'Unauthorized', 'AUTH_INVALID_TOKEN'),
    tooMany: () => ({
      ...refusal(429, 'Too many requests. Limits reached. Try again later', 'LIMITS_REACHED'),
      headers: { 'retry-after': '30' },
    }),
    notFound: NOT_FOUND,
    connect: (url, unitsPerMinute) =>
      declarativeConnector(shippedDocument('todoist'), { baseUrl: `${url}/api/v1`, unitsPerMinute }),
    form: () => ({ token: TOKEN }),
  };
}

/** Returns the conformance subject of projects or tasks. */
export function todoistSubject(entity: 'todoist-projects' | 'todoist-tasks', size: Size): ConformanceSubject {
  return serviceSubject(traits(entity, size), {
    entity,
    settings: {},
    isIncremental: false,
    exempt: {
      'single-record': 'its lists have no order, so all are read',
      'exact-estimates': 'the lists of many projects are not counted',
    },
    oddities: [],
  });
}
