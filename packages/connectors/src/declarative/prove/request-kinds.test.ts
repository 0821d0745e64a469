import type { DocumentPagination } from '@datadeck/contract/connector-document';
import { expect, it, onTestFinished } from 'vitest';
import { failuresOf } from '../../../test-support/declarative/proofs.ts';
import { documentWith, item, SECRET } from '../../../test-support/declarative/things.ts';
import { startSmallServer } from '../../sdk/conformance/small-server.ts';
import { tryEntity } from '../builder/index.ts';
import { proveDocument } from './index.ts';

const numbers = { size: 10, sizeParameter: 'size', parameter: 'at' };
const next = 'response.next';

/** Requests and paginations of entities. */
const KINDS: object[] = [
  {},
  { pagination: { kind: 'page', first: 7, ...numbers } },
  { pagination: { kind: 'page', first: 1, sendFirst: false, ...numbers } },
  { pagination: { kind: 'page', in: 'body', ...numbers, parameter: 'paging.at' } },
  { pagination: { kind: 'page', in: 'header', first: 0, ...numbers } },
  { pagination: { kind: 'offset', sendFirst: false, ...numbers } },
  { pagination: { kind: 'offset', in: 'body', sendFirst: false, ...numbers } },
  { pagination: { kind: 'offset', in: 'header', ...numbers } },
  { pagination: { kind: 'cursor', in: 'header', parameter: 'after', next } },
  {
    request: { path: '/items', query: { size: '3' } },
    pagination: { kind: 'address', next, repeatQuery: true },
  },
  { request: { path: '/items', query: { size: '3' } }, pagination: { kind: 'link', repeatQuery: true } },
  { request: { path: '/items', method: 'POST' } },
  { request: { path: '/items', bodyFormat: 'form', body: '{"a.b": 1}' } },
  {
    request: { path: '/items', bodyFormat: 'form', body: '{"a": "x y"}' },
    pagination: { kind: 'page', in: 'body', ...numbers, parameter: 'paging.at' },
  },
  {
    request: { path: '/items', bodyFormat: 'form', body: '{"a": 1}' },
    pagination: { kind: 'cursor', in: 'body', parameter: 'after', next },
    sortedBy: 'at',
    incremental: { column: 'at', parameter: { in: 'body', name: 'changed.since', value: 'cursor' } },
  },
];

it.each(KINDS)('tries and proves %j', async (kind) => {
  const document = documentWith(kind, { failed: "$not($type(response.items) = 'array')" });
  const [{ kind: pages }] = document.entities.map(({ pagination }) => pagination) as [DocumentPagination];
  const server = await startSmallServer((_, response) => {
    const named = { cursor: 'c4R9x', address: '/items?after=c4R9x' }[String(pages)];
    if (pages === 'link') response.setHeader('link', '</items?after=c4R9x>; rel="next"');
    const body = JSON.stringify({ items: [3, 2, 1].map(item), next: named });
    response.setHeader('content-type', 'application/json').end(body);
  });
  onTestFinished(() => server.close());
  const trial = {
    document: JSON.stringify(document),
    entity: 'things-items',
    config: {},
    secret: SECRET,
    settings: {},
  };
  const { result, recording } = await tryEntity(trial, { baseUrl: server.url, hosts: ['127.0.0.1'] });
  expect(result.problems).toEqual([]);
  expect(result.records.count).toBe(3);
  const proof = await proveDocument(document, recording ? [recording] : []);
  expect(failuresOf(proof)).toEqual([]);
  expect(proof.checks.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(12);
});
