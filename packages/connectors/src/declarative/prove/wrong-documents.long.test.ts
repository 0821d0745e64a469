import { type ConnectorDocument, connectorDocumentSchema } from '@datadeck/contract/connector-document';
import { describe, expect, it } from 'vitest';
import { documentOf } from '../../../test-support/declarative/generate.ts';
import { failuresOf, recordShape } from '../../../test-support/declarative/proofs.ts';
import { recordedFor } from '../../../test-support/declarative/recordings.ts';
import type { ServiceShape } from '../../../test-support/declarative/shape.ts';
import type { RecordedAnswer } from '../builder/recorded-answer.ts';
import { proveDocument } from './index.ts';

const SHAPE: ServiceShape = {
  authentication: 'bearer',
  pagination: 'cursor-in-query',
  incremental: 'since-time',
  order: 'updated',
  format: 'json',
  parents: 'none',
  isCounted: true,
};
const PAGES = { ...SHAPE, pagination: 'page-from-1' } as const;
const BY_CREATION = { ...SHAPE, order: 'created' } as const;

const recorded = new Map<string, Promise<RecordedAnswer[]>>();

/** Returns the answers of a service, recorded once. */
function recordingsOf(shape: ServiceShape): Promise<RecordedAnswer[]> {
  const key = JSON.stringify(shape);
  const known = recorded.get(key) ?? recordShape(shape);
  recorded.set(key, known);
  return known;
}

type Changes = { document?: object; entity?: object; columns?: object };

/** Returns the document of a shape with changes to it, to its first entity, and to the columns of that. */
function changed(
  shape: ServiceShape,
  { document = {}, entity = {}, columns = {} }: Changes,
): ConnectorDocument {
  const right = documentOf(shape, 1);
  const [first, ...others] = right.entities;
  const wrong = { ...first, ...entity, columns: { ...first?.columns, ...columns } };
  return connectorDocumentSchema.parse({ ...right, entities: [wrong, ...others], ...document });
}

const cursor = (next: string) => ({ pagination: { kind: 'cursor', in: 'query', parameter: 'after', next } });
const failures = (...rules: object[]) => ({ document: { failures: rules } });

/** Documents that are wrong on purpose: what is wrong, the service, the changes, and the one check that fails. */
const WRONG: [name: string, ServiceShape, Changes, failure: string][] = [
  [
    'a size that the service does not keep to',
    PAGES,
    { entity: { pagination: { kind: 'page', parameter: 'page', size: 5, sizeParameter: 'limit' } } },
    'The next page is found [entities.0.pagination.size]',
  ],
  [
    'no pagination',
    SHAPE,
    { entity: { pagination: { kind: 'none' } } },
    'The next page is found [entities.0.pagination]',
  ],
  [
    'a next page that never ends',
    SHAPE,
    { entity: cursor("'again'") },
    'Reading ends after the last page [entities.0.pagination]',
  ],
  [
    'a wrong path to the next page',
    SHAPE,
    { entity: cursor('response.follows') },
    'The next page is found [entities.0.pagination.next]',
  ],
  [
    'a wrong path to the records',
    SHAPE,
    { entity: { records: 'response.things' } },
    'The records of an answer are found [entities.0.records]',
  ],
  [
    'a key that several records have',
    SHAPE,
    { entity: { key: 'record.state' } },
    'Each record has a key of its own [entities.0.key]',
  ],
  [
    'a key that no record has',
    SHAPE,
    { entity: { key: 'record.number' } },
    'Each record has a key of its own [entities.0.key]',
  ],
  [
    'a date that is none',
    SHAPE,
    { entity: { date: 'record.title' } },
    'Each record has a date [entities.0.date]',
  ],
  [
    'a date that is always the same',
    SHAPE,
    { entity: { date: "'2020-01-01'" } },
    'Each record has a date [entities.0.date]',
  ],
  [
    'another order than the service has',
    SHAPE,
    { entity: { sortedBy: 'created' } },
    'The order of the list is the one that the document names [entities.0.sortedBy]',
  ],
  [
    'an order that the document does not name',
    SHAPE,
    { entity: { sortedBy: undefined } },
    'A record that moves while pages are read is not missed [entities.0.sortedBy]',
  ],
  [
    'a growing column without values',
    BY_CREATION,
    { columns: { updated: { type: 'time', value: 'record.changed' } } },
    'The time or number that grows with each change is found [entities.0.incremental.column]',
  ],
  [
    'a growing column that does not grow',
    BY_CREATION,
    {
      entity: {
        incremental: { column: 'created', parameter: { in: 'query', name: 'since', value: 'cursor' } },
      },
    },
    'The next run finds a new and a changed record [entities.0.incremental]',
  ],
  [
    'a parameter that asks for later changes',
    SHAPE,
    {
      entity: {
        incremental: { column: 'updated', parameter: { in: 'query', name: 'since', value: "'2099-01-01'" } },
      },
    },
    'The next run finds a new and a changed record [entities.0.incremental]',
  ],
  [
    'a column that changes by itself',
    SHAPE,
    { entity: { add: { seen: 'now' } }, columns: { seen: { type: 'text', value: 'record.seen' } } },
    'A run without changes changes nothing [entities.0.columns]',
  ],
  [
    'no “failed”',
    SHAPE,
    { document: { failed: undefined } },
    'An answer without its list is a failure [failed]',
  ],
  [
    '“failed” for a missing list only',
    SHAPE,
    { document: { failed: '$not($exists(response.items))' } },
    'An answer without its list is a failure [failed]',
  ],
  [
    '“failed” for good answers',
    SHAPE,
    { document: { failed: 'response.items' } },
    'The records of an answer are found [failed]',
  ],
  [
    'expired access as a refusal',
    SHAPE,
    failures({ status: 401, means: 'forbidden' }),
    'Expired access asks to connect again [failures]',
  ],
  [
    'a refusal as an outage',
    SHAPE,
    failures({ status: 403, means: 'unavailable' }),
    'A refusal is not taken for another failure [failures]',
  ],
  [
    'a request to wait as an outage',
    SHAPE,
    failures({ status: 429, means: 'unavailable' }),
    'A run waits when the service asks for it [failures]',
  ],
  [
    'a request to wait as a refusal',
    SHAPE,
    failures({ status: 429, means: 'forbidden' }),
    'A run waits when the service asks for it [failures]',
  ],
  [
    'a short outage as a wrong request',
    SHAPE,
    failures({ status: 500, means: 'invalid' }),
    'A run continues after a short outage [failures]',
  ],
  [
    'a lasting outage as a request to wait',
    SHAPE,
    failures({ status: 503, means: 'not-found' }),
    'A run continues after a short outage [failures]',
  ],
  [
    'a rule that hides the one of expired cursors',
    SHAPE,
    failures({ status: 410, means: 'not-found' }, { status: 410, means: 'cursor-expired' }),
    'After an expired cursor, all is read again [failures]',
  ],
  [
    'records that need a readable date',
    SHAPE,
    { entity: { records: 'response.items[$toMillis(created) > 0]' } },
    'An odd record costs no other one [entities.0.columns]',
  ],
  [
    'a list that is the same for each parent',
    { ...SHAPE, parents: 'one' },
    { document: {} },
    'The recorded answer can be read [entities.1.request]',
  ],
];

describe('a document with', () => {
  it.each(WRONG)('%s fails the check that names it', async (_, shape, changes, failure) => {
    const document = changed(shape, changes);
    const isParted = shape.parents !== 'none';
    const [groups, items] = document.entities;
    const wrong = isParted
      ? {
          ...document,
          entities: [groups, { ...items, request: { ...items?.request, path: '/boards/1/items' } }],
        }
      : document;
    const tried = recordedFor(wrong as ConnectorDocument, await recordingsOf(shape));
    const proof = await proveDocument(wrong as ConnectorDocument, tried);
    expect(failuresOf(proof)).toEqual([failure]);
    const { message } = proof.checks.find(({ outcome }) => outcome === 'failed') ?? { message: '' };
    expect(message).toMatch(/^[“A-Z0-9].{40,}\.$/);
    expect(message).not.toMatch(/undefined|null|Error|\[object/);
  });

  it('the right rules passes each check', async () => {
    const document = changed(SHAPE, failures({ status: 410, means: 'cursor-expired' }));
    const proof = await proveDocument(document, await recordingsOf(SHAPE));
    expect(failuresOf(proof)).toEqual([]);
    expect(proof.checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  });
});

describe('a proof', () => {
  it.each([
    { kind: 'client-credentials', user: 'site', tokenUrl: 'https://unreachable.invalid/token' },
    {
      kind: 'oauth-code',
      authorizationUrl: 'https://unreachable.invalid/page',
      tokenUrl: 'https://unreachable.invalid/token',
    },
    { kind: 'session-token', user: 'site', path: '/login', token: 'token', name: 'x-session', prefix: '' },
  ])('requests no token for $kind', async (authentication) => {
    const hasPage = authentication.kind === 'oauth-code';
    const identity = { request: { path: '/me' }, subject: 'response.id', account: 'response.id' };
    const exchanging = changed(SHAPE, {
      document: {
        authentication,
        ...(hasPage && { connect: {}, identity, baseUrl: 'https://api.example.com' }),
      },
    });
    const tried = recordedFor(exchanging, await recordingsOf(SHAPE));
    expect(failuresOf(await proveDocument(exchanging, tried))).toEqual([]);
  });

  const document = documentOf(SHAPE, 1);

  it('asks to try an entity that has no recorded answer', async () => {
    const { checks } = await proveDocument(document, []);
    expect(checks.map(({ outcome, message }) => [outcome, message])).toEqual([
      ['undecided', 'Try this entity first, so that there is an answer to work with.'],
    ]);
  });

  it('says which checks had no time', async () => {
    const { checks } = await proveDocument(document, await recordingsOf(SHAPE), { timeoutMs: 1 });
    expect(checks.map(({ outcome, message }) => [outcome, message])).toEqual([
      ['undecided', 'There was no time left.'],
    ]);
  });

  it('ends with the reason of an abort, and leaves no server', async () => {
    const servers = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
    const before = servers();
    const abort = new AbortController();
    const reason = new Error('stopped');
    setTimeout(() => abort.abort(reason), 1000);
    const proof = proveDocument(document, await recordingsOf(SHAPE), { signal: abort.signal });
    await expect(proof).rejects.toBe(reason);
    expect(servers()).toBe(before);
  });

  it('refuses a document with faults', async () => {
    const wrong = {
      ...document,
      entities: document.entities.map((entity) => ({ ...entity, titleColumn: 'none' })),
    };
    await expect(proveDocument(wrong, [])).rejects.toThrow('There is no column none');
  });
});
