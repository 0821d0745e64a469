import { describe, expect, it } from 'vitest';
import { readDocument, valueAt, withValue } from './document-text.ts';

describe('readDocument', () => {
  it('returns the document', () => expect(readDocument('{"a":1}').document).toEqual({ a: 1 }));

  it.each([
    ['x{', 1],
    ['{"a": 1,\n}', 2],
    ['{\n"a" 1}', 2],
    ['{\n"a": [1\n2]}', 3],
    ['{\n"a": tru\n}', 2],
    ['{"a": 1\n', 2],
    ['{"a": "b\n"}', 1],
    ['{}\n}', 2],
  ])('names the line at which %j is no JSON', (text, line) => {
    expect(readDocument(text).sentence).toBe(`The document is not valid JSON: look at line ${line}.`);
  });

  it('refuses what is no object', () => {
    expect(readDocument('[]').sentence).toBe('The document must be an object in braces.');
  });
});

describe('values', () => {
  const document = { title: 'A', entities: [{ id: 'a' }, { id: 'b', columns: { x: 1, y: 2 } }] };

  it('reads a value by its path', () => {
    expect(valueAt(document, ['entities', 1, 'columns', 'y'])).toBe(2);
    expect(valueAt(document, ['entities', 5, 'columns'])).toBeUndefined();
    expect(valueAt(document, ['toString'])).toBeUndefined();
  });

  it('sets, adds and removes values without changing the former document', () => {
    const before = JSON.stringify(document);
    expect(withValue(document, ['entities', 1, 'columns', 'y'], 3)).toMatchObject({
      entities: [{ id: 'a' }, { columns: { x: 1, y: 3 } }],
    });
    expect(withValue(document, ['connect', 'intro', 0], 'Hello')).toMatchObject({
      connect: { intro: ['Hello'] },
    });
    expect(withValue(document, ['entities', 0], undefined)).toMatchObject({ entities: [{ id: 'b' }] });
    expect(withValue(document, ['entities', 1, 'columns', 'x'], undefined)).toMatchObject({
      entities: [{ id: 'a' }, { columns: { y: 2 } }],
    });
    expect(withValue(document, ['title'], undefined)).not.toHaveProperty('title');
    expect(JSON.stringify(document)).toBe(before);
  });
});
