import { describe, expect, it } from 'vitest';
import {
  failsFrom,
  LISTS,
  NOTHING_HERE,
  OF_LISTS,
  PAGINATIONS,
} from '../../test-support/declarative/lists.ts';
import { failuresOf } from '../../test-support/declarative/proofs.ts';
import {
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

const ORDERS = [{}, { sortedBy: 'at' }];
const STATUSES = [200, 401, 404, 429, 500];

describe('a failure that means no records', () => {
  it.each(PAGINATIONS)('ends a list with %j', async (pagination) => {
    for (const [index, status] of STATUSES.entries()) {
      const last = (index % 3) + 1;
      const document = documentWith({ pagination, ...ORDERS[index % 2] }, NOTHING_HERE);
      const run = await (await readerOf(failsFrom(last, status), document)).run();
      expect(recordsOf(run), `status ${status}`).toHaveLength(2 * (last - 1));
      expect(run.completion.truncated).toBe(false);
    }
  });

  it.each([[[]], [['2']], [['1', '2', '3']]])('is an empty list of the parents %j', async (empty) => {
    const reader = await readerOf(
      ({ pathname }, _, response) => {
        const list = pathname.split('/')[2];
        if (list === undefined) return { items: [1, 2, 3].map(item) };
        if (!empty.includes(list)) return { items: [item(Number(list))] };
        response.statusCode = 404;
        return { error: 'nothing here' };
      },
      documentWith({}, { ...NOTHING_HERE, entities: [LISTS, OF_LISTS] }),
    );
    expect(recordsOf(await reader.run())).toHaveLength(3 - empty.length);
  });

  it('may be one of some entities only', async () => {
    const [entity] = documentWith().entities;
    for (const status of [403, 404, 500]) {
      const rule = { status, means: 'no-records', entities: ['things-items'] };
      const document = documentWith({}, { failures: [rule], entities: [LISTS, entity] });
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
      { ...trial, document: JSON.stringify(documentWith({}, NOTHING_HERE)) },
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
