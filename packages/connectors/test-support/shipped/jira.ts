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
/** Jira returns fewer issues than `maxResults` where they are large. */
const LARGEST_PAGE = 40;
const EMAIL = 'ada@example.com';
const TOKEN = 'ATATT3xFfGF0AbCdEf0123456789=1A2B3C4D';
const PROJECTS = ['HARBOR', 'OPS'];
const MINUTE_MS = 60_000;

const PEOPLE = ['Ada Nowak', 'Ben Okafor', 'Chiara Rossi'].map((displayName, index) => ({
  self: `https://aurora.atlassian.net/rest/api/3/user?accountId=70121:${index}`,
  accountId: `70121:${index}`,
  displayName,
  active: true,
  timeZone: 'Europe/Warsaw',
  accountType: 'atlassian',
}));
const STATUSES = [
  {
    id: '10000',
    name: 'To Do',
    statusCategory: { id: 2, key: 'new', name: 'To Do', colorName: 'blue-gray' },
  },
  {
    id: '10001',
    name: 'In Review',
    statusCategory: { id: 4, key: 'indeterminate', name: 'In Progress', colorName: 'yellow' },
  },
  { id: '10002', name: 'Done', statusCategory: { id: 3, key: 'done', name: 'Done', colorName: 'green' } },
];

interface Issue {
  id: string;
  key: string;
  fields: Record<string, unknown> | null;
  /** ms since 1970. */
  updatedAt: number;
  project: string;
}

/** Formats a time as Jira does, in the time zone of the user: without a colon in the offset. */
function jiraTime(at: number): string {
  return new Date(at + 60 * MINUTE_MS).toISOString().replace('Z', '+0100');
}

function paragraph(...content: unknown[]) {
  return { type: 'paragraph', content };
}

/** A description in the Atlassian Document Format. */
function descriptionOf(number: number): unknown {
  if (number % 7 === 0) return null;
  return {
    type: 'doc',
    version: 1,
    content: [
      { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: `Issue ${number}` }] },
      paragraph(
        { type: 'text', text: 'Asked by ' },
        { type: 'mention', attrs: { id: '70121:1', text: '@Ben Okafor', accessLevel: '' } },
        { type: 'hardBreak' },
        { type: 'text', text: 'see ', marks: [{ type: 'strong' }] },
        { type: 'inlineCard', attrs: { url: 'https://example.com/plan' } },
      ),
      {
        type: 'bulletList',
        content: ['one', 'two'].map((text) => ({
          type: 'listItem',
          content: [paragraph({ type: 'text', text })],
        })),
      },
      { type: 'rule' },
    ],
  };
}

function fieldsOf(number: number, at: number, project: string): Record<string, unknown> {
  const status = inTurn(STATUSES, number);
  const isDone = status.name === 'Done';
  return {
    summary: `Issue ${number}`,
    description: descriptionOf(number),
    status,
    issuetype: { id: '10004', name: number % 4 === 0 ? 'Bug' : 'Story', subtask: false, hierarchyLevel: 0 },
    project: { id: '10010', key: project, name: `Project ${project}`, projectTypeKey: 'software' },
    priority: { id: '3', name: inTurn(['High', 'Medium', 'Low'], number) },
    assignee: number % 5 === 0 ? null : inTurn(PEOPLE, number),
    reporter: inTurn(PEOPLE, number + 1),
    labels: number % 3 === 0 ? [] : ['customer', 'backend'].slice(0, (number % 2) + 1),
    components: number % 2 === 0 ? [{ id: '10020', name: 'API' }] : [],
    fixVersions: number % 6 === 0 ? [{ id: '10030', name: '2.0', released: false }] : [],
    created: jiraTime(at),
    updated: jiraTime(at),
    resolution: isDone ? { id: '10000', name: 'Done', description: 'Work is complete.' } : null,
    resolutiondate: isDone ? jiraTime(at + 30 * MINUTE_MS) : null,
    duedate: number % 4 === 0 ? '2026-02-28' : null,
    timeoriginalestimate: number % 2 === 0 ? 14_400 : null,
    timespent: number % 3 === 0 ? 5400 : null,
    ...(number % 8 === 0 && { parent: { id: '9999', key: `${project}-1`, fields: { summary: 'Epic' } } }),
  };
}

const TEXT_OF_WRONG_TYPE = { type: 'doc', content: 'no list' };

/** Malformed fields that replace those of an issue; null for an issue without any. */
const ODDITIES: Readonly<Record<string, Record<string, unknown> | null>> = {
  'no-fields': null,
  'wrong-types': { summary: 17, labels: 'customer', status: 'Done', assignee: 'Ada', timespent: '5400' },
  'half-a-pair': { summary: 'NUL \u0000 and half a pair \ud800', description: '\udfff' },
  'unreadable-dates': { created: 'soon', resolutiondate: 'soon', duedate: 'soon' },
  'odd-text': { description: TEXT_OF_WRONG_TYPE },
  'nodes-without-type': { description: { content: [null, 5, { content: [{ text: 'x' }] }] } },
};
export const JIRA_ODDITIES = Object.keys(ODDITIES);

/** A site of Jira Cloud's REST API, version 3, with two projects. */
class Site implements EmulatedService {
  readonly #timeline = new Timeline();
  #issues: Issue[] = [];

  constructor() {
    for (let index = 0; index < RECORDS; index++) this.#add({});
  }

  #add(fields: Record<string, unknown> | null): string {
    const number = this.#issues.length + 1;
    const project = inTurn(PROJECTS, number);
    const updatedAt = this.#timeline.next();
    const id = String(10_100 + number);
    const made = fields && { ...fieldsOf(number, updatedAt, project), ...fields };
    this.#issues.push({ id, key: `${project}-${number}`, fields: made, updatedAt, project });
    return id;
  }

  #change(id: string): void {
    const updatedAt = this.#timeline.next();
    this.#issues = this.#issues.map((issue) =>
      issue.id === id
        ? {
            ...issue,
            updatedAt,
            fields: { ...issue.fields, summary: 'Changed', updated: jiraTime(updatedAt) },
          }
        : issue,
    );
  }

  readonly changes = { insert: () => this.#add({}), update: (id: string) => this.#change(id) };

  insertOddity(name: string): string {
    return this.#add(ODDITIES[name] ?? null);
  }

  #byUpdate(): Issue[] {
    return this.#issues.toSorted((a, b) => b.updatedAt - a.updatedAt || Number(b.id) - Number(a.id));
  }

  listIds(): string[] {
    return this.#byUpdate().map(({ id }) => id);
  }

  answer({ path, query }: ServiceRequest): ServiceAnswer {
    if (path === '/rest/api/3/myself') return { status: 200, body: { ...PEOPLE[0], emailAddress: EMAIL } };
    if (path !== '/rest/api/3/search/jql') return NOT_FOUND;
    const found = this.#find(query.get('jql') ?? '');
    if (!Array.isArray(found)) return found;
    const token = query.get('nextPageToken');
    const start = token === null ? 0 : Number(Buffer.from(token, 'base64').toString());
    if (!Number.isInteger(start)) return badRequest('The provided next page token is invalid or expired.');
    const size = Math.min(Number(query.get('maxResults') ?? 50), LARGEST_PAGE);
    const wanted = (query.get('fields') ?? 'id').split(',');
    const isLast = start + size >= found.length;
    return {
      status: 200,
      body: {
        issues: found.slice(start, start + size).map((issue) => shown(issue, wanted)),
        ...(!isLast && { nextPageToken: Buffer.from(String(start + size)).toString('base64') }),
        isLast,
      },
    };
  }

  /** Returns the issues of a query in JQL, or why it is refused. */
  #find(jql: string): Issue[] | ServiceAnswer {
    const [, list, since] =
      /^project in \(("[A-Z]+"(?:,"[A-Z]+")*)\)(?: AND updated >= (\d+))? ORDER BY updated DESC$/.exec(jql) ??
      [];
    if (list === undefined) return badRequest('Unbounded JQL queries are not allowed here.');
    const projects = list.split(',').map((name) => name.slice(1, -1));
    const unknown = projects.find((name) => !PROJECTS.includes(name));
    if (unknown !== undefined)
      return badRequest(`The value '${unknown}' does not exist for the field 'project'.`);
    // Jira compares whole minutes.
    const from = Math.floor(Number(since ?? 0) / MINUTE_MS) * MINUTE_MS;
    return this.#byUpdate().filter(
      ({ project, updatedAt }) => projects.includes(project) && updatedAt >= from,
    );
  }
}

/** Returns an issue as Jira sends it, with the fields that were asked for. */
function shown({ id, key, fields }: Issue, wanted: readonly string[]) {
  const kept = Object.entries(fields ?? {}).filter(([name]) => wanted.includes(name));
  return {
    expand: 'operations,versionedRepresentations,editmeta,changelog,renderedFields',
    id,
    self: `https://aurora.atlassian.net/rest/api/3/issue/${id}`,
    key,
    fields: fields && Object.fromEntries(kept),
  };
}

function badRequest(message: string): ServiceAnswer {
  return { status: 400, body: { errorMessages: [message], errors: {} } };
}

const NOT_FOUND = badRequest("The value 'HARBOR' does not exist for the field 'project'.");

const traits: ServiceTraits = {
  create: () => new Site(),
  isAuthorized: ({ headers }) =>
    headers.authorization === `Basic ${Buffer.from(`${EMAIL}:${TOKEN}`).toString('base64')}`,
  unauthorized: {
    status: 401,
    body: 'Client must be authenticated to access this resource.',
    headers: { 'content-type': 'text/plain', 'x-seraph-loginreason': 'AUTHENTICATED_FAILED' },
  },
  tooMany: () => ({
    status: 429,
    body: { errorMessages: ['Rate limit exceeded.'] },
    headers: { 'retry-after': '30', 'x-ratelimit-remaining': '0' },
  }),
  notFound: NOT_FOUND,
  faults: { 'site-missing': { status: 404, body: '<html><title>Page unavailable</title></html>' } },
  connect: (baseUrl, unitsPerMinute) =>
    declarativeConnector(shippedDocument('jira'), { baseUrl, unitsPerMinute }),
  form: () => ({ site: 'aurora', email: EMAIL, token: TOKEN }),
};

/** The conformance subject of the issues of two projects. */
export const jiraSubject: ConformanceSubject = serviceSubject(traits, {
  entity: 'jira-issues',
  settings: { projects: 'HARBOR, OPS' },
  isIncremental: true,
  sinceTimeOf: ({ columns }) => Number(columns.updated_at),
  endsIn: { 'site-missing': 'not-found' },
  oddities: JIRA_ODDITIES,
});
