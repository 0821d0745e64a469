import { isRecord } from '@datadeck/contract/table-columns';
import { pathName } from './suggest-columns.ts';

/** Deepest place of a list in an answer. */
const MAX_DEPTH = 4;
const MAX_MEMBERS = 100;
const USUAL = [
  'items',
  'data',
  'results',
  'records',
  'entries',
  'values',
  'rows',
  'list',
  'content',
  'docs',
  'hits',
  'nodes',
  'edges',
  'features',
  'value',
  'elements',
];

/** Where the records of an answer are. */
export interface FoundRecords {
  /** Expression of the document: `response.items`. */
  expression: string;
  records: Record<string, unknown>[];
  kind: 'objects' | 'scalars' | 'empty' | 'none';
}

interface List {
  path: string[];
  items: unknown[];
}

function collect(value: unknown, path: string[], found: List[]): void {
  if (Array.isArray(value)) found.push({ path, items: value });
  if (!isRecord(value) || path.length >= MAX_DEPTH) return;
  for (const [name, inner] of Object.entries(value).slice(0, MAX_MEMBERS)) {
    const step = pathName(name);
    if (step !== undefined) collect(inner, [...path, step], found);
  }
}

function rankOf({ path, items }: List): number {
  const isObjects = items.some(isRecord);
  const usual = USUAL.includes(path.at(-1) ?? '') ? 1 : 0;
  return (
    (isObjects ? 1e6 : 0) +
    (items.length > 0 ? 1e5 : 0) +
    usual * 1e4 +
    Math.min(items.length, 999) * 5 -
    path.length * 1000
  );
}

/** Finds the list of records in a decoded answer of JSON. */
export function findRecords(response: unknown): FoundRecords {
  const lists: List[] = [];
  collect(response, [], lists);
  const [best] = lists.sort((a, b) => rankOf(b) - rankOf(a));
  if (!best) {
    const isOne = isRecord(response);
    return { expression: 'response', records: isOne ? [response] : [], kind: isOne ? 'none' : 'empty' };
  }
  const expression = ['response', ...best.path].join('.');
  const objects = best.items.filter(isRecord);
  const nodes = objects.map(({ node }) => node).filter(isRecord);
  if (best.path.at(-1) === 'edges' && nodes.length > 0)
    return { expression: `${expression}.node`, records: nodes, kind: 'objects' };
  if (objects.length > 0) return { expression, records: objects, kind: 'objects' };
  if (best.items.length === 0) return { expression, records: [], kind: 'empty' };
  // Records are objects: each value becomes one.
  return {
    expression: `${expression}.{"id": $string($), "value": $string($)}`,
    records: best.items.map((item) => ({ id: String(item), value: String(item) })),
    kind: 'scalars',
  };
}
