import { readFileSync } from 'node:fs';
import { connectorDocumentSchema } from '@datadeck/contract/connector-document';
import { describe, expect, it } from 'vitest';
import type { ConformanceSubject } from '../../../test-support/conformance/index.ts';
import { feedSubject } from '../../../test-support/shipped/feeds.ts';
import { gitlabSubject } from '../../../test-support/shipped/gitlab.ts';
import { jiraSubject } from '../../../test-support/shipped/jira.ts';
import { linearSubject } from '../../../test-support/shipped/linear.ts';
import { todoistSubject } from '../../../test-support/shipped/todoist.ts';
import { Reader } from '../../sdk/conformance/reading.ts';
import type { ConnectorRecord, JsonObject } from '../../sdk/index.ts';
import { documentProblems } from '../document-problems.ts';
import { EntityMapper } from '../entity-mapper.ts';
import { IdentityMapper } from '../identity-mapper.ts';
import { shippedDocuments } from './index.ts';

/** Reads the records of a subject, the oldest first. */
async function recordsOf(subject: ConformanceSubject): Promise<ConnectorRecord[]> {
  const standIn = await subject.start();
  try {
    const { pages } = await new Reader(subject, standIn).run();
    return pages.flatMap(({ records }) => records).reverse();
  } finally {
    await standIn.close();
  }
}

const documentOf = ({ data }: ConnectorRecord) => JSON.parse(String(data)) as JsonObject;
const time = (text: string) => new Date(text);

describe('columns of the shipped documents', () => {
  it('computes the hours to merge, and lists people and labels of GitLab', async () => {
    const [merged, open] = await recordsOf(gitlabSubject('gitlab-merge-requests'));
    expect(merged?.columns).toMatchObject({
      number: 1,
      state: 'merged',
      draft: false,
      project: 'aurora-labs/harbor',
      author: 'ben',
      assignees: ['chiara'],
      reviewers: ['dmitri'],
      labels: ['bug', 'priority::2'],
      merged_by: 'ada',
      merged_at: time('2026-01-01T01:40:00Z'),
      hours_to_merge: 0.7,
      milestone: null,
    });
    expect(open?.columns).toMatchObject({ state: 'opened', hours_to_merge: null, merged_by: null });
    const [closed, , , due] = await recordsOf(gitlabSubject('gitlab-issues'));
    expect(closed?.columns).toMatchObject({
      state: 'closed',
      days_to_close: 0,
      spent_hours: 0.2,
      due_at: null,
    });
    expect(due?.columns).toMatchObject({ due_at: time('2026-02-28T23:59:59Z'), weight: 4, assignees: [] });
  });

  it('reads times with an offset, hours and the text of a document of Jira', async () => {
    const [first, second] = await recordsOf(jiraSubject);
    expect(second?.columns).toMatchObject({
      key: 'HARBOR-2',
      state: 'Done',
      stage: 'done',
      components: ['API'],
      created_at: time('2026-01-01T02:00:00Z'),
      resolved_at: time('2026-01-01T02:30:00Z'),
      days_to_resolve: 0,
      estimated_hours: 4,
      spent_hours: null,
    });
    expect(first?.columns).toMatchObject({ stage: 'in progress', resolved_at: null, days_to_resolve: null });
    expect(first && documentOf(first)).toMatchObject({
      text: 'Issue 1\n\nAsked by @Ben Okafor\nsee https://example.com/plan\n\n- one\n- two\n\n',
      url: 'https://aurora.atlassian.net/browse/OPS-1',
      state: 'In Review',
    });
  });

  it('computes what is open and how long work took in Linear', async () => {
    const [started, completed, canceled] = await recordsOf(linearSubject(''));
    expect(started?.columns).toMatchObject({
      stage: 'started',
      is_open: true,
      cycle: 'ENG cycle 1',
      labels: ['Bug', 'Customer'],
    });
    expect(completed?.columns).toMatchObject({
      is_open: false,
      days_to_complete: 0,
      cycle: 'ENG Spring',
      estimate: 2,
    });
    expect(canceled?.columns).toMatchObject({
      is_open: false,
      days_to_complete: null,
      cycle: null,
      labels: [],
    });
  });

  it('adds the project to a task of Todoist, and reads due dates with and without a time', async () => {
    const tasks = await recordsOf(todoistSubject('todoist-tasks', { projects: 2, tasks: 9 }));
    expect(tasks.slice(0, 4).map(({ columns }) => columns.due_at)).toEqual([
      time('2026-01-05T23:59:59Z'),
      time('2026-01-06T09:30:00Z'),
      time('2026-01-07T08:30:00Z'),
      null,
    ]);
    expect(tasks[3]?.columns).toMatchObject({
      project: 'Project 2',
      priority: 4,
      minutes: 30,
      is_subtask: false,
    });
    expect(tasks[1]?.columns).toMatchObject({ project: 'Project 2', recurring: true, minutes: null });
    expect(tasks[5]?.columns).toMatchObject({ is_subtask: true });
  });

  it.each(['RSS', 'Atom'] as const)('counts the words of an entry of %s', async (format) => {
    const [entry] = await recordsOf(feedSubject(format));
    expect(entry?.columns).toMatchObject({
      title: 'Entry <1>',
      author: 'Ada',
      site: 'blog.example',
      published_at: time('2026-01-01T01:00:00Z'),
    });
    expect(entry?.columns.words).toBeGreaterThan(3);
  });
});

it('has only expressions that can be compiled', () => {
  for (const document of shippedDocuments) {
    if (document.identity) new IdentityMapper(document);
    for (const entity of document.entities) new EntityMapper(document, entity);
  }
});

it('names each template and entity once in all documents', () => {
  const entities = shippedDocuments.flatMap((document) => document.entities);
  const keys = entities.flatMap(({ id, templates }) => [id, ...templates.map(({ key }) => key)]);
  expect(new Set(keys).size).toBe(keys.length);
  for (const { id, templates } of entities) expect(templates.length, id).toBeGreaterThanOrEqual(4);
});

it('is explained by a whole document that is one', () => {
  const page = readFileSync(
    new URL('../../../../../docs/build/connector-documents.md', import.meta.url),
    'utf8',
  );
  const [, text = ''] = /## A complete document\s+```json\n([^`]+)```/.exec(page) ?? [];
  const document = connectorDocumentSchema.parse(JSON.parse(text));
  expect(documentProblems(document)).toEqual([]);
  for (const entity of document.entities) new EntityMapper(document, entity);
});
