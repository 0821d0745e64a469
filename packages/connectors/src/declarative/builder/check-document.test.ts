import { type ConnectorDocument, connectorDocumentSchema } from '@datadeck/contract/connector-document';
import { describe, expect, it } from 'vitest';
import { documentOf } from '../../../test-support/declarative/generate.ts';
import { plainDocument } from '../../../test-support/declarative/hostile-service.ts';
import { generateShapes } from '../../../test-support/declarative/shapes.ts';
import { declarationProblems } from '../../sdk/index.ts';
import { declarativeConnector } from '../index.ts';
import { shippedDocuments } from '../shipped/index.ts';
import { checkedProblems } from './check-expressions.ts';
import { checkDocument } from './documents.ts';

// biome-ignore lint/suspicious/noExplicitAny: documents are changed at any place.
type Draft = any;

function changed(change: (document: Draft, entity: Draft) => void): ConnectorDocument {
  const document = JSON.parse(JSON.stringify(plainDocument()));
  change(document, document.entities[0]);
  return connectorDocumentSchema.parse(document);
}

const BROKEN = 'record.(';

describe('the check of a document', () => {
  it('finds nothing in the shipped documents, and in generated ones', async () => {
    for (const document of [
      ...shippedDocuments,
      ...generateShapes().map((shape, index) => documentOf(shape, index)),
    ])
      expect(await checkDocument(document)).toEqual([]);
  });

  it('reports each expression that cannot be compiled at its path', async () => {
    const document = changed((draft, entity) => {
      draft.failed = BROKEN;
      draft.identity = { request: { path: '/me/{config.(}' }, subject: BROKEN, account: BROKEN };
      entity.request = {
        path: '/a/{settings.(}',
        query: { a: BROKEN },
        headers: { b: BROKEN },
        body: BROKEN,
      };
      entity.records = BROKEN;
      entity.total = BROKEN;
      entity.pagination = { kind: 'cursor', in: 'query', parameter: 'after', next: BROKEN };
      entity.incremental = { column: 'updated', parameter: { in: 'query', name: 'since', value: BROKEN } };
      entity.add = { more: BROKEN };
      entity.key = BROKEN;
      entity.date = BROKEN;
      entity.columns.author.value = BROKEN;
    });
    const problems = await checkDocument(document);
    expect(problems.map(({ path }) => path)).toEqual(
      [
        'failed',
        'identity.request.path',
        'identity.subject',
        'identity.account',
        ...['request.path', 'request.query.a', 'request.headers.b', 'request.body', 'records', 'total'],
        ...[
          'pagination.next',
          'incremental.parameter.value',
          'add.more',
          'key',
          'date',
          'columns.author.value',
        ],
      ].map((path) => (/^(?:failed|identity)/.test(path) ? path : `entities.0.${path}`)),
    );
    for (const { message } of problems) expect(message).toMatch(/^[A-Z].{10,}\.$/);
  });

  it('reports paths that are not closed, and $$ in expressions of records', async () => {
    const problems = await checkDocument(
      changed((_, entity) => {
        entity.request.path = '/a/{settings.project';
        entity.date = '$$.record.created';
      }),
    );
    expect(problems.map(({ path }) => path)).toEqual(['entities.0.request.path', 'entities.0.date']);
  });

  it('refuses patterns that are wrong or slow, and defaults that do not fit', async () => {
    const problems = await checkDocument(
      changed((draft, entity) => {
        draft.connect.fields[0].pattern = '(a+)+';
        draft.connect.secret.pattern = '(';
        entity.settings[0].pattern = '.*.*x';
      }),
    );
    expect(problems.map(({ path }) => path).sort()).toEqual([
      'connect.fields.0.pattern',
      'connect.secret.pattern',
      'entities.0.settings.0.pattern',
    ]);
    const [problem] = await checkDocument(
      changed((draft) => Object.assign(draft.connect.fields[0], { pattern: '[a-z]+', defaultValue: 'A' })),
    );
    expect(problem?.path).toBe('connect.fields.0.defaultValue');
  });

  it('reports addresses with hosts and ports that there are not', async () => {
    const document = changed((draft) => {
      draft.baseUrl = 'https://{config.site}.example.com:99999/api';
      draft.authentication = { kind: 'client-credentials', user: 'site', tokenUrl: 'https://a..b:99999/' };
    });
    const problems = await checkDocument(document);
    expect(problems.map(({ path }) => path)).toEqual(['baseUrl', 'authentication.tokenUrl']);
  });

  it('ends for expressions that take long to compile', async () => {
    const problems = await checkDocument(
      changed((_, entity) => {
        entity.records = `response${'.(a'.repeat(1300)}`;
        entity.key = `${'('.repeat(3999)}`;
        entity.date = `${'-'.repeat(3990)}1`;
      }),
    );
    expect(problems.length).toBeGreaterThan(0);
  });
});

const ODD = [
  '',
  ' ',
  ';',
  "'",
  '"',
  '\\',
  "a';b",
  '\0',
  '\ud800',
  '((',
  '[a',
  '(a+)+',
  '.*.*',
  'account',
  'id',
  'xmin',
  '$$',
  '{',
  '}',
  '/{',
  'demo',
  'constructor',
  '__proto__',
  'title',
  'label',
  'gen1-items',
  'ä',
  'a\nb',
  '<b>',
  '&',
  0,
  -1,
  1e9,
  1.5,
  true,
  false,
  null,
  [],
  {},
  'x'.repeat(300),
];

/** Returns copies of a document with one to three values replaced, from a seed. */
function* mutations(document: ConnectorDocument, count: number, seed: number): Generator<Draft> {
  let state = seed * 2_654_435 + 1;
  const random = (most: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % most;
  };
  for (let round = 0; round < count; round++) {
    const copy = JSON.parse(JSON.stringify(document));
    for (let change = 0; change <= random(3); change++) {
      let at: Draft = copy;
      for (let depth = 0; depth < 12; depth++) {
        const names = Object.keys(at);
        const name = names[random(Math.max(1, names.length))];
        if (name === undefined) break;
        const isLeaf = typeof at[name] !== 'object' || at[name] === null;
        if (isLeaf || random(8) === 0) {
          const way = random(10);
          if (way === 0) delete at[name];
          else if (way === 1 && !Array.isArray(at)) at[String(ODD[random(ODD.length)])] = at[name];
          else at[name] = ODD[random(ODD.length)];
          break;
        }
        at = at[name];
      }
    }
    yield copy;
  }
}

describe('documents without faults', () => {
  it('become connectors that nothing refuses later, for any change', () => {
    let [accepted, refused] = [0, 0];
    for (const [index, shape] of generateShapes().entries())
      for (const mutation of mutations(documentOf(shape, index), 60, index + 1)) {
        const { data: document } = connectorDocumentSchema.safeParse(mutation);
        if (!document) continue;
        if (checkedProblems(document).length > 0) {
          refused++;
          continue;
        }
        accepted++;
        const connector = declarativeConnector(document, { hosts: [] });
        expect([declarationProblems(connector), mutation]).toEqual([[], mutation]);
      }
    expect(Math.min(accepted, refused)).toBeGreaterThan(30);
  });
});
