import { describe, expect, it } from 'vitest';
import { failuresOf } from '../../test-support/declarative/proofs.ts';
import {
  type Answer,
  documentWith,
  item,
  readerOf,
  readersOf,
  recordsOf,
  SECRET,
} from '../../test-support/declarative/things.ts';
import { startSmallServer } from '../sdk/conformance/small-server.ts';
import { tryEntity } from './builder/index.ts';
import { documentProblems } from './document-problems.ts';
import { proveDocument } from './prove/index.ts';

const PAGINATIONS = [
  { kind: 'page', parameter: 'page', size: 2 },
  { kind: 'offset', parameter: 'offset', size: 2 },
  { kind: 'cursor', in: 'query', parameter: 'page', next: 'response.next' },
  { kind: 'link' },
  { kind: 'address', next: '"/items?page=" & response.next' },
];
const ORDERS = [{}, { sortedBy: 'at' }];
const STATUSES = [200, 401, 404, 429, 500];
const failures = [{ contains: 'nothing here', means: 'no-records' }];
const rules = { failures, failed: 'response.error' };

/** Answers pages of two records each, up to one that says that there is nothing. */
const listUntil =
  (last: number, status: number): Answer =>
  ({ searchParams }, _, response) => {
    const at = Number(searchParams.get('offset') ?? 0) / 2 + Number(searchParams.get('page') ?? 1);
    if (at >= last) {
      response.statusCode = status;
      return { error: 'nothing here' };
    }
    response.setHeader('link', `</items?page=${at + 1}>; rel="next"`);
    return { items: [item(9 - 2 * at), item(8 - 2 * at)], next: at + 1 };
  };

describe('a failure that means no records', () => {
  it.each(PAGINATIONS)('ends a list with %j', async (pagination) => {
    for (const [index, status] of STATUSES.entries()) {
      const last = (index % 3) + 1;
      const document = documentWith({ pagination, ...ORDERS[index % 2] }, rules);
      const run = await (await readerOf(listUntil(last, status), document)).run();
      expect(recordsOf(run), `status ${status}`).toHaveLength(2 * (last - 1));
      expect(run.completion.truncated).toBe(false);
    }
  });

  it.each([[[]], [['2']], [['1', '2', '3']]])('is an empty list of the parents %j', async (empty) => {
    const [entity] = documentWith().entities;
    const templates = [{ kind: 'records', key: 'things-lists', title: 'All', description: 'All.' }];
    const lists = { ...entity, id: 'things-lists', request: { path: '/lists' }, templates };
    const child = { ...entity, parent: 'things-lists', request: { path: '/lists/{parent.id}' } };
    const reader = await readerOf(
      ({ pathname }, _, response) => {
        const list = pathname.split('/')[2];
        if (list === undefined) return { items: [1, 2, 3].map(item) };
        if (!empty.includes(list)) return { items: [item(Number(list))] };
        response.statusCode = 404;
        return { error: 'nothing here' };
      },
      documentWith({}, { ...rules, entities: [lists, child] }),
    );
    expect(recordsOf(await reader.run())).toHaveLength(3 - empty.length);
  });

  it('may be one of some entities only', async () => {
    const [entity] = documentWith().entities;
    const templates = [{ kind: 'records', key: 'things-lists', title: 'All', description: 'All.' }];
    const lists = { ...entity, id: 'things-lists', request: { path: '/lists' }, templates };
    for (const status of [403, 404, 500]) {
      const rule = { status, means: 'no-records', entities: ['things-items'] };
      const document = documentWith({}, { failures: [rule], entities: [lists, entity] });
      const readers = await readersOf(
        (_url, _request, response) => response.writeHead(status).end(),
        document,
      );
      expect(recordsOf(await readers('things-items').run())).toEqual([]);
      expect(await readers('things-lists').failure()).not.toBe('none');
    }
    const unknown = documentWith(
      {},
      { failures: [{ status: 404, means: 'no-records', entities: ['things-x'] }] },
    );
    expect(documentProblems(unknown).map(({ path }) => path)).toEqual(['failures.0.entities']);
  });

  it('needs a status or a text', () => {
    const document = documentWith({}, { failures: [{ means: 'no-records' }] });
    expect(documentProblems(document).map(({ path }) => path)).toEqual(['failures.0.means']);
  });

  it.each([403, 200])('is explained by a trial: status %i', async (status) => {
    const server = await startSmallServer((_, response) =>
      response.writeHead(status).end('{"error":"nothing here"}'),
    );
    const trial = { entity: 'things-items', config: {}, secret: SECRET, settings: {} };
    const { result } = await tryEntity(
      { ...trial, document: JSON.stringify(documentWith({}, rules)) },
      { baseUrl: server.url, hosts: ['127.0.0.1'] },
    );
    server.close();
    expect(result.problems).toHaveLength(1);
    expect(result.problems[0]?.message).toMatch(/no records .*by (?:a )?rule/);
  });

  it('can be what a refusal means in a proof', async () => {
    const document = documentWith(
      {},
      { failures: [{ status: 403, means: 'no-records' }], failed: "$not($type(response.items) = 'array')" },
    );
    const server = await startSmallServer((_, response) =>
      response.end(JSON.stringify({ items: [3, 2, 1].map(item) })),
    );
    const trial = { entity: 'things-items', config: {}, secret: SECRET, settings: {} };
    const { recording } = await tryEntity(
      { ...trial, document: JSON.stringify(document) },
      { baseUrl: server.url, hosts: ['127.0.0.1'] },
    );
    server.close();
    const proof = await proveDocument(document, recording ? [recording] : []);
    expect(failuresOf(proof)).toEqual([]);
    const refusal = proof.checks.find(({ title }) => title.startsWith('A refusal'));
    expect(refusal?.outcome).toBe('not-applicable');
  });
});
