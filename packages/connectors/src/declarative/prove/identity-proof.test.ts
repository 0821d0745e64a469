import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import { describe, expect, it } from 'vitest';
import { SecretHider } from '../builder/hide-secret.ts';
import { recordAnswer } from '../builder/record-answer.ts';
import { IDENTITY, type RecordedAnswer } from '../builder/recorded-answer.ts';
import { shippedDocument } from '../shipped/index.ts';
import { proveDocument } from './index.ts';

/** Answers about the account, as the public descriptions of the services have them. */
const ANSWERS = {
  gitlab: { id: 4711, username: 'adalove', name: 'Ada Lovelace', state: 'active' },
  jira: { accountId: '5b10ac8d82e05b22cc7d4ef5', emailAddress: 'ada@corporate.example', displayName: 'Ada' },
  linear: {
    data: {
      viewer: { id: 'u1b2', email: 'ada@corporate.example', organization: { id: 'o3c4', name: 'Acme' } },
    },
  },
  todoist: { id: 2_671_355, email: 'ada@corporate.example', full_name: 'Ada' },
} as const;
type Key = keyof typeof ANSWERS;

function recorded(document: ConnectorDocument, response: unknown): RecordedAnswer[] {
  const task = {
    index: -1,
    status: 200,
    variables: { config: {}, settings: {}, now: new Date().toISOString() },
    answer: { bytes: new Uint8Array(), headers: { 'content-type': 'application/json' } },
  };
  const recording = recordAnswer({ task, document, response, hider: new SecretHider([]) });
  return recording ? [recording] : [];
}

async function identityChecks(document: ConnectorDocument, recordings: readonly RecordedAnswer[]) {
  const { checks } = await proveDocument(document, recordings);
  return checks.filter(({ entity }) => entity === IDENTITY);
}

/** Returns the document of Todoist with changes to it and to what identifies the account. */
function changed(identity: object, document: object = {}): ConnectorDocument {
  const todoist = shippedDocument('todoist');
  return { ...todoist, ...document, identity: { ...todoist.identity, ...identity } } as ConnectorDocument;
}

describe('the proof of the account', () => {
  it.each(Object.keys(ANSWERS) as Key[])('passes each check of the shipped document %s', async (key) => {
    const document = shippedDocument(key);
    const recordings = recorded(document, ANSWERS[key]);
    expect(recordings.map(({ entity }) => entity)).toEqual([IDENTITY]);
    expect(JSON.stringify(recordings)).not.toMatch(/adalove|corporate|5b10ac8d|2671355/);
    const checks = await identityChecks(document, recordings);
    expect(checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    expect(checks).toHaveLength(5);
  });

  it.each<[string, ConnectorDocument, string, string]>([
    [
      'an id that no answer has',
      changed({ subject: 'response.user_id' }),
      'The recorded answer says whose account it is',
      'identity.subject',
    ],
    [
      'the same id for each account',
      changed({ subject: "'me'" }),
      'Each account has an id of its own, at any time',
      'identity.subject',
    ],
    [
      'an id that changes with the time',
      changed({ subject: "response.id & ' ' & now" }),
      'Each account has an id of its own, at any time',
      'identity.subject',
    ],
    [
      '“failed” for the account',
      changed({}, { failed: "$not($type(response.results) = 'array')" }),
      'The recorded answer says whose account it is',
      'failed',
    ],
    [
      'an id for any answer',
      changed({ subject: "'todoist/' & response.id" }, { failed: undefined }),
      'Another answer connects nobody',
      'failed',
    ],
    [
      'a rule that hides refused secrets',
      changed({}, { failures: [{ status: 401, means: 'unavailable' }] }),
      'A refused secret connects nobody',
      'failures',
    ],
  ])('fails the check that names %s', async (_, document, title, path) => {
    const checks = await identityChecks(document, recorded(document, ANSWERS.todoist));
    const failures = checks.filter(({ outcome }) => outcome === 'failed');
    expect(failures.map((check) => [check.title, check.path])).toEqual([[title, path]]);
    expect(failures[0]?.message).toMatch(/^[“A-Z].{40,}\.$/);
  });

  const flags = (count: number, value: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, value]));

  it.each<[string, object, string, string, RegExp]>([
    ['after many flags', { ...flags(80, true), id: 41 }, 'response.id', 'passed', /^$/],
    ['after many texts', { ...flags(80, 'a'), id: 41 }, 'response.id', 'undecided', /first 60 values/],
    ['that is the number of a text', { id: '4711' }, '$string($number(response.id))', 'passed', /^$/],
    [
      'that only one form of text has',
      { id: 'ab-12' },
      '$length(response.id) = 5 ? response.id',
      'undecided',
      /could not be read from answers/,
    ],
    ['that is the same for each', { id: '4711' }, "'me'", 'failed', /same for each account/],
  ])('does not call an id %s wrong', async (_, answer, subject, outcome, message) => {
    const account = "'Ada'";
    const document = changed({ subject, account }, { failed: undefined });
    const checks = await identityChecks(document, recorded(document, answer));
    const check = checks.find(({ title }) => title.startsWith('Each account'));
    expect(check?.outcome, checks[0]?.message).toBe(outcome);
    expect(check?.message).toMatch(message);
  });

  it('asks to try again after a change of its request', async () => {
    const document = shippedDocument('todoist');
    const recordings = recorded(document, ANSWERS.todoist);
    const other = changed({ request: { ...document.identity?.request, path: '/me' } });
    expect(
      (await identityChecks(other, recordings)).map(({ outcome, message }) => [outcome, message]),
    ).toEqual([
      ['undecided', 'Try any entity again: the account’s request changed after the answer was recorded.'],
    ]);
    expect((await identityChecks(document, [])).map(({ outcome, message }) => [outcome, message])).toEqual([
      ['undecided', 'Try any entity first, so that there is an answer to work with.'],
    ]);
  });
});
