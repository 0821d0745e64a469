import { describe, expect, it } from 'vitest';
import { documentOf } from '../../../test-support/declarative/generate.ts';
import { failuresOf, proveGenerated, recordSubjects } from '../../../test-support/declarative/proofs.ts';
import { startService } from '../../../test-support/declarative/service.ts';
import { ACCOUNT, type ServiceShape } from '../../../test-support/declarative/shape.ts';
import { generateShapes } from '../../../test-support/declarative/shapes.ts';
import { feedSubject } from '../../../test-support/shipped/feeds.ts';
import { gitlabSubject } from '../../../test-support/shipped/gitlab.ts';
import { jiraSubject } from '../../../test-support/shipped/jira.ts';
import { linearSubject } from '../../../test-support/shipped/linear.ts';
import { todoistSubject } from '../../../test-support/shipped/todoist.ts';
import type { RecordedAnswer } from '../builder/recorded-answer.ts';
import { tryEntity } from '../builder/try-entity.ts';
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

  it.each([23, 18])('pass with what Try recorded of the generated document %i', async (index) => {
    const shape = generateShapes()[index] as ServiceShape;
    const document = documentOf(shape, index);
    const options = { baseUrl: '', hosts: ['127.0.0.1'] };
    const standIn = await startService(shape, (baseUrl) => {
      options.baseUrl = baseUrl;
      return declarativeConnector(document, { baseUrl });
    });
    const recordings: RecordedAnswer[] = [];
    try {
      for (const { id } of document.entities) {
        const trial = {
          document: JSON.stringify(document),
          entity: id,
          config: { site: 'acme', user: ACCOUNT.user },
          secret: ACCOUNT.secret,
          settings: { project: 'work' },
        };
        const { recording } = await tryEntity(trial, options);
        if (recording) recordings.push(recording);
      }
    } finally {
      await standIn.close();
    }
    expect(recordings).toHaveLength(document.entities.length);
    const proof = await proveDocument(document, recordings);
    expect(failuresOf(proof)).toEqual([]);
    expect(proof.checks.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(12);
  });
});
