import { type ConnectorDocument, connectorDocumentSchema } from '@datadeck/contract/connector-document';
import { afterAll, describe, expect, it } from 'vitest';
import { plainDocument } from '../../../test-support/declarative/hostile-service.ts';
import { recordedFor } from '../../../test-support/declarative/recordings.ts';
import type { RecordedAnswer } from '../builder/recorded-answer.ts';
import { DocumentEvaluator } from '../document-evaluator.ts';
import { EntityProof } from './entity-proof.ts';
import { ProofStoppedError } from './proof-stopped-error.ts';
import { provableDocument } from './proof-values.ts';

const SIZE = 6;
const NEXT_ADDRESS = 'https://host1.example.com/abc/items?page=2&per_page=6';

/** What documents declare. */
const DECLARED = {
  none: { kind: 'none' },
  page: { kind: 'page', parameter: 'page', size: SIZE, sizeParameter: 'per_page' },
  'page from 0': { kind: 'page', parameter: 'page', first: 0, size: SIZE, sizeParameter: 'per_page' },
  'page until a short one': { kind: 'page', parameter: 'page', size: SIZE, end: 'short-page' },
  offset: { kind: 'offset', parameter: 'offset', size: SIZE },
  cursor: { kind: 'cursor', in: 'query', parameter: 'after', next: 'response.next_cursor' },
  'cursor of an address': { kind: 'cursor', in: 'query', parameter: 'after', next: 'response.next' },
  address: { kind: 'address', next: 'response.next' },
  'address of a cursor': { kind: 'address', next: 'response.next_cursor' },
  link: { kind: 'link' },
} as const;
type Declared = keyof typeof DECLARED;

/** What answers show: members beside the list, headers, and the number of records. */
const RECORDED = {
  nothing: {},
  'names that sound like pages': {
    members: {
      next_meeting: '2026-02-01',
      owner: { count: 900, page: 7 },
      discount_count: 12,
      nextOfKin: 'Ben',
    },
  },
  'the end of a list': { members: { next: null, next_cursor: null, has_more: false }, count: 4 },
  'a link': { headers: { link: `<${NEXT_ADDRESS}>; rel="next"` } },
  'a cursor': { members: { next_cursor: 'bXlwYWdl' } },
  'an address': { members: { next: NEXT_ADDRESS } },
  'more records': { members: { total: 250, next: null, next_cursor: null } },
  'more records than a page': { members: { total: 250, next: null, next_cursor: null }, count: 9 },
  'fewer records than a page': { members: { total: 250, next: null, next_cursor: null }, count: 5 },
  'all records': { members: { total: 4, next: null, next_cursor: null }, count: 4 },
  'a page from 1': { members: { page: 1, total_pages: 9, next: null, next_cursor: null } },
  'a page from 0': { members: { page: 0, total_pages: 9, next: null, next_cursor: null } },
  'an offset': { members: { offset: 0, total: 250, next: null, next_cursor: null } },
  'an offset of the next page': { members: { next: 'https://host1.example.com/abc/items?offset=6' } },
} as const satisfies Record<string, { members?: object; headers?: Record<string, string>; count?: number }>;
type Recorded = keyof typeof RECORDED;

/** Pairs that the answer shows to be right, and those that it cannot decide; it shows all others to be wrong. */
const SHOWN: Partial<Record<Recorded, Declared[]>> = {
  'all records': ['none'],
  'a link': ['link', 'page', 'page until a short one'],
  'a cursor': ['cursor'],
  'an address': ['address', 'page', 'page until a short one'],
  'a page from 1': ['page', 'page until a short one'],
  'a page from 0': ['page from 0'],
  'an offset': ['offset'],
  'an offset of the next page': ['address', 'offset'],
};
const UNTIL_EMPTY: Declared[] = ['page', 'page from 0', 'offset'];
const NUMBERED: Declared[] = [...UNTIL_EMPTY, 'page until a short one'];
const UNDECIDED: Partial<Record<Recorded, Declared[]>> = {
  nothing: ['none', 'link', ...NUMBERED, 'cursor', 'cursor of an address', 'address', 'address of a cursor'],
  'the end of a list': [
    'none',
    'link',
    ...NUMBERED,
    'cursor',
    'cursor of an address',
    'address',
    'address of a cursor',
  ],
  'names that sound like pages': [
    'none',
    'link',
    ...NUMBERED,
    'cursor',
    'cursor of an address',
    'address',
    'address of a cursor',
  ],
  'more records': NUMBERED,
  'fewer records than a page': UNTIL_EMPTY,
  'all records': ['link', ...NUMBERED, 'cursor', 'cursor of an address', 'address', 'address of a cursor'],
  'a page from 1': ['offset'],
  'a page from 0': ['offset'],
  'an offset': ['page', 'page from 0', 'page until a short one'],
};

function documentOf(declared: Declared): ConnectorDocument {
  const document = plainDocument();
  const [entity] = document.entities;
  return connectorDocumentSchema.parse({
    ...document,
    entities: [{ ...entity, pagination: DECLARED[declared] }],
  });
}

function recordingOf(document: ConnectorDocument, name: Recorded): RecordedAnswer {
  const {
    members = {},
    headers = {},
    count = SIZE,
  } = RECORDED[name] as { members?: object; headers?: Record<string, string>; count?: number };
  const items = Array.from({ length: count }, (_, index) => {
    const time = new Date(Date.UTC(2026, 0, 31 - index)).toISOString();
    return {
      id: 100 + index,
      title: 'x',
      state: 'open',
      author: { name: 'y' },
      labels: [],
      created: time,
      updated: time,
    };
  });
  const [recording] = recordedFor(document, [
    {
      entity: document.entities[0]?.id ?? '',
      fingerprint: '',
      words: [],
      numbers: [],
      hasReplacedNames: false,
      status: 200,
      headers: { 'content-type': 'application/json', ...headers },
      text: JSON.stringify({ items, ...members }),
      lengths: {},
    },
  ]);
  return recording as RecordedAnswer;
}

/** A thread for each document; starting one takes a second. */
const evaluators = new Map<Declared, DocumentEvaluator>();
afterAll(() => {
  for (const evaluator of evaluators.values()) evaluator.end();
});

/** Returns how the check of the next page ends, without the checks that read pages. */
async function outcomeOf(
  declared: Declared,
  recorded: Recorded,
): Promise<{ outcome: string; message: string }> {
  const original = documentOf(declared);
  const document = provableDocument(original);
  const evaluator = evaluators.get(declared) ?? new DocumentEvaluator(document);
  evaluators.set(declared, evaluator);
  const [entity] = document.entities;
  if (!entity) throw new Error('there is no entity');
  const proof = new EntityProof(document, entity, {
    original,
    recordings: [recordingOf(original, recorded)],
    evaluator,
    signal: AbortSignal.timeout(30_000),
  });
  try {
    await proof.open();
    return proof.pagination;
  } catch (error) {
    if (!(error instanceof ProofStoppedError)) throw error;
    expect(error.path).toMatch(/^pagination/);
    return { outcome: error.outcome, message: error.message };
  } finally {
    proof.close();
  }
}

const pairs = (Object.keys(DECLARED) as Declared[]).flatMap((declared) =>
  (Object.keys(RECORDED) as Recorded[]).map((recorded): [Declared, Recorded, string] => {
    if (SHOWN[recorded]?.includes(declared)) return [declared, recorded, 'passed'];
    return [declared, recorded, UNDECIDED[recorded]?.includes(declared) ? 'undecided' : 'failed'];
  }),
);

describe('a recorded answer', () => {
  it.each(pairs)('for the pagination %s with %s is %s', async (declared, recorded, expected) => {
    const { outcome, message } = await outcomeOf(declared, recorded);
    expect(outcome, message).toBe(expected);
    if (outcome !== 'passed') expect(message).toMatch(/^[“A-Z].{40,}\.$/);
  });
});
