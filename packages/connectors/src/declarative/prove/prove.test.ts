import {
  type ConnectorDocument,
  connectorDocumentSchema,
  type DocumentEntity,
} from '@datadeck/contract/connector-document';
import { describe, expect, it } from 'vitest';
import type { StandIn } from '../../../test-support/conformance/index.ts';
import { oddService } from '../../../test-support/declarative/field-kinds.ts';
import { documentOf } from '../../../test-support/declarative/generate.ts';
import {
  failuresOf,
  proveGenerated,
  recordShape as recordedShape,
  recordSubjects,
} from '../../../test-support/declarative/proofs.ts';
import { startService } from '../../../test-support/declarative/service.ts';
import { ACCOUNT, type ServiceShape } from '../../../test-support/declarative/shape.ts';
import { generateShapes } from '../../../test-support/declarative/shapes.ts';
import { feedSubject } from '../../../test-support/shipped/feeds.ts';
import { gitlabSubject } from '../../../test-support/shipped/gitlab.ts';
import { jiraSubject } from '../../../test-support/shipped/jira.ts';
import { linearSubject } from '../../../test-support/shipped/linear.ts';
import { todoistSubject } from '../../../test-support/shipped/todoist.ts';
import { SecretHider } from '../builder/hide-secret.ts';
import { recordAnswer } from '../builder/record-answer.ts';
import type { RecordedAnswer } from '../builder/recorded-answer.ts';
import { tryEntity } from '../builder/try-entity.ts';
import { decode } from '../decode.ts';
import { declarativeConnector } from '../index.ts';
import { shippedDocument } from '../shipped/index.ts';
import { proveDocument } from './index.ts';

const SIZE = { projects: 9, tasks: 61 };
const SHIPPED = {
  gitlab: [gitlabSubject('gitlab-merge-requests'), gitlabSubject('gitlab-issues')],
  jira: [jiraSubject],
  linear: [linearSubject('ENG')],
  todoist: [todoistSubject('todoist-tasks', SIZE), todoistSubject('todoist-projects', SIZE)],
  feeds: [feedSubject('Atom')],
};
/** Checks of the shipped documents that do not apply: what they do not have, or the service does not. */
const NOT_APPLICABLE = [
  'After an expired cursor, all is read again',
  'A record that moves while pages are read is not missed',
  'A run without changes changes nothing',
  'The next run finds a new and a changed record',
  'The secret is sent, and is in no message',
];

/** Tries all entities of a document against a stand-in. @returns what was recorded, one answer for each */
async function tryAll(
  document: ConnectorDocument,
  standIn: StandIn,
  baseUrl?: string,
): Promise<RecordedAnswer[]> {
  const recordings: RecordedAnswer[] = [];
  try {
    for (const { id } of document.entities) {
      const trial = {
        document: JSON.stringify(document),
        entity: id,
        config: { site: 'acme', user: ACCOUNT.user, ...standIn.credentials.fields },
        secret: document.authentication.kind === 'none' ? '' : ACCOUNT.secret,
        settings: { project: 'work' },
      };
      const { recording } = await tryEntity(trial, {
        ...(baseUrl !== undefined && { baseUrl }),
        hosts: ['127.0.0.1'],
      });
      if (recording) recordings.push(recording);
    }
  } finally {
    await standIn.close();
  }
  expect(recordings).toHaveLength(document.entities.length);
  return recordings;
}

/** Returns what Try records of an answer for the first entity of a document. */
function recordedOf(document: ConnectorDocument, bytes: Uint8Array<ArrayBuffer>): RecordedAnswer[] {
  const response = decode(document.entities[0]?.request.decode ?? 'json', bytes);
  const variables = { config: {}, settings: {}, now: new Date().toISOString() };
  const task = { index: 0, status: 200, variables, answer: { bytes, headers: {} } };
  const recording = recordAnswer({ task, document, response, hider: new SecretHider([]) });
  return recording ? [recording] : [];
}

describe('proofs', () => {
  it.each(Object.entries(SHIPPED))('pass each check of the shipped document %s', async (key, subjects) => {
    const document = shippedDocument(key);
    const recordings = await recordSubjects(document, subjects);
    const proof = await proveDocument(document, recordings);
    expect(failuresOf(proof)).toEqual([]);
    const left = proof.checks.filter(({ outcome }) => outcome === 'not-applicable').map(({ title }) => title);
    expect(left.filter((title) => !NOT_APPLICABLE.includes(title))).toEqual([]);
    expect(proof.checks.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(
      12 * subjects.length,
    );
  });

  it.each([8, 38])('pass each check of the generated document %i', async (index) => {
    expect(failuresOf(await proveGenerated(index))).toEqual([]);
  });

  // One of each format.
  it.each([23, 18, 16, 33])('pass with what Try recorded of the generated document %i', async (index) => {
    const shape = generateShapes()[index] as ServiceShape;
    const document = documentOf(shape, index);
    let baseUrl = '';
    const standIn = await startService(shape, (url) => {
      baseUrl = url;
      return declarativeConnector(document, { baseUrl: url });
    });
    const recordings = await tryAll(document, standIn, baseUrl);
    const proof = await proveDocument(document, recordings);
    expect(failuresOf(proof)).toEqual([]);
    expect(proof.checks.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(12);
  });

  it.each(['Atom', 'RSS'] as const)('pass with what Try recorded of a feed in %s', async (format) => {
    const document = shippedDocument('feeds');
    const standIn = await feedSubject(format).start();
    // Try reads addresses with TLS only.
    const bytes = new Uint8Array(
      await (await fetch(standIn.credentials.fields?.address ?? '')).arrayBuffer(),
    );
    await standIn.close();
    const proof = await proveDocument(document, recordedOf(document, bytes));
    expect(failuresOf(proof)).toEqual([]);
    expect(proof.checks.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(12);
  });

  // Fields, dates and keys of most kinds; `record-expressions.test.ts` has 300 of them.
  it.each([0, 1, 2, 3])('pass with a recorded answer of odd fields, %i', async (seed) => {
    const { document, answer } = oddService(seed);
    const bytes = new Uint8Array(Buffer.from(JSON.stringify(answer)));
    const proof = await proveDocument(document, recordedOf(document, bytes));
    expect(failuresOf(proof)).toEqual([]);
    expect(proof.checks.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(12);
  });

  const [shape = generateShapes()[0] as ServiceShape] = generateShapes().filter(
    ({ format, parents }) => format === 'json' && parents === 'one',
  );
  const document = documentOf(shape, 1);
  const [boards, items] = document.entities as [DocumentEntity, DocumentEntity];
  const changedRequest = 'its request changed after the answer was recorded';

  it.each<[string, Partial<ConnectorDocument>, string[]]>([
    ['base address', { baseUrl: 'https://other.example.com' }, [changedRequest, changedRequest]],
    [
      'path',
      { entities: [boards, { ...items, request: { ...items.request, path: '/boards/{parent.id}/all' } }] },
      [changedRequest],
    ],
    [
      'query',
      { entities: [boards, { ...items, request: { ...items.request, query: { archived: '"yes"' } } }] },
      [changedRequest],
    ],
    [
      'records of its parent',
      { entities: [{ ...boards, records: 'response.items[1]' }, items] },
      [changedRequest],
    ],
    ['title', { title: 'Another title' }, []],
    [
      'compared text',
      {
        entities: [
          boards,
          {
            ...items,
            columns: { ...items.columns, is_open: { type: 'boolean', value: 'record.state = "new"' } },
          },
        ],
      },
      ['name “new” since the answer was recorded'],
    ],
    [
      'compared number',
      {
        entities: [
          boards,
          {
            ...items,
            columns: { ...items.columns, is_large: { type: 'boolean', value: 'record.number > 137' } },
          },
        ],
      },
      ['name “137” since the answer was recorded'],
    ],
  ])('ask to try again after a change of the %s', async (_, changes, expected) => {
    const changed = connectorDocumentSchema.parse({ ...document, ...changes });
    const recordings = await recordedShape(shape);
    const { checks } = await proveDocument(changed, recordings, { timeoutMs: 60_000 });
    const again = checks.filter(({ message }) => / again: /.test(message));
    expect(again.map(({ outcome }) => outcome)).toEqual(expected.map(() => 'undecided'));
    for (const [index, { message }] of again.entries()) expect(message).toContain(expected[index]);
  });
});
