import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test-support/temporary-folder.ts';
import { compareResult } from './compare-result.ts';
import type { RowDigest } from './row-digests.ts';
import { unpackRows } from './snapshot.ts';

const FIELDS = { keyFields: ['_id', 'id'], shownFields: ['subject', 'from'] };
const KINDS = ['appeared', 'changed', 'disappeared'] as const;

const folder = makeTemporaryFolder('datadeck-compare-');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Compares rows with a snapshot, read from a file as the product does. */
function compare(rows: readonly unknown[], snapshot?: Uint8Array) {
  const path = join(folder, 'rows');
  const text = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  writeFileSync(path, text);
  const descriptor = openSync(path, 'r');
  try {
    return compareResult({ ...FIELDS, file: { descriptor, bytes: text.length }, snapshot, kinds: KINDS });
  } finally {
    closeSync(descriptor);
  }
}

function digestsOf(rows: readonly unknown[]): RowDigest[] {
  return unpackRows(compare(rows)?.snapshot ?? Buffer.alloc(0));
}

describe('the digests of rows', () => {
  it('have the key, a hash of the whole row and its first simple fields', () => {
    const [first, second, third] = digestsOf([
      { id: 7, title: 'Öl 😀', user: { login: 'a' }, open: true, empty: '' },
      { id: 7, title: 'Öl 😀', user: { login: 'b' }, open: true },
      { _id: 'x', id: 7 },
    ]);
    expect(first).toMatchObject({ key: '7', excerpt: { id: 7, title: 'Öl 😀', open: true } });
    expect(first?.hash).not.toBe(second?.hash);
    expect(second?.excerpt).toEqual(first?.excerpt);
    expect(third?.key).toBe('x');
  });

  it('describe a row by the preferred fields that it has', () => {
    const [row] = digestsOf([{ url: 'https://a.example', subject: 'Hi', to: 'b', from: { x: 1 } }]);
    expect(row?.excerpt).toEqual({ subject: 'Hi' });
  });

  it('have no key for rows without a key field', () => {
    expect(digestsOf([1, 'text', [1, 2], { a: 1 }, null])).toMatchObject([
      { key: null, excerpt: 1 },
      { key: null, excerpt: 'text' },
      { key: null, excerpt: '[1,2]' },
      { key: null, excerpt: { a: 1 } },
      { key: null, excerpt: 'null' },
    ]);
  });

  it('are small for rows of any size', () => {
    const long = 'x'.repeat(1_000_000);
    const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [n, 'y'.repeat(100)]));
    const digests = digestsOf([{ id: long, title: long, more: long }, wide, long]);
    for (const digest of digests) expect(JSON.stringify(digest).length).toBeLessThan(1500);
    expect(digests[0]?.key).toHaveLength(22);
  });

  it('are not compared when they are too long together', () => {
    const text = '\u0001'.repeat(120);
    const rows = Array.from({ length: 20_000 }, () => ({ id: text, a: text, b: text }));
    expect(compare(rows)).toBeUndefined();
  });
});

describe('a result', () => {
  it('is compared with its snapshot, in lines that end anywhere in a chunk', () => {
    const rows = Array.from({ length: 3000 }, (_, id) => ({ id, text: 'ü'.repeat(id % 400) }));
    const { snapshot, rowCount, changes } = compare(rows) ?? {};
    expect({ rowCount, changes }).toEqual({ rowCount: 3000, changes: undefined });
    expect(compare(rows, snapshot)).toEqual({ rowCount: 3000, newKeys: [], first: [] });
    const many = Array.from({ length: 300 }, (_, index) => ({ id: `new ${index}` }));
    expect(compare([...rows, ...many], snapshot)?.newKeys).toEqual(many.slice(0, 200).map(({ id }) => id));
    const next = [...rows.slice(1, -1), { id: 2999, text: 'new' }, { id: 3000 }];
    expect(compare(next, snapshot)).toMatchObject({
      rowCount: 3000,
      changes: { appeared: 1, disappeared: 1, changed: 1 },
    });
  });
});
