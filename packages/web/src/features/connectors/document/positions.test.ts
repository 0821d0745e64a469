import { describe, expect, it } from 'vitest';
import { positionsIn, rangeOf } from './positions.ts';

const TEXT = `{
  "key": "desk",
  "entities": [
    { "id": "desk-a", "request": { "query": { "a.b": "'1'" } } },
    { "id": "desk-b" }
  ]
}`;

/** Returns the text that is marked for a path. */
function marked(path: string, text = TEXT): string | undefined {
  const range = rangeOf(positionsIn(text), path);
  return range && text.slice(range.from, range.to);
}

describe('rangeOf', () => {
  it.each([
    ['key', '"desk"'],
    ['entities', '"entities"'],
    ['entities.1.id', '"desk-b"'],
    ['entities.1', '{'],
    ['entities.0.request', '"request"'],
    ['entities.0.request.query.a.b', `"'1'"`],
    ['entities.0.request.body', '"request"'],
    ['entities.1.columns.x.value', '{'],
    ['quota.perMinute', undefined],
  ])('marks %s', (path, text) => expect(marked(path)).toBe(text));

  it('reads a text that has errors', () => {
    expect(marked('b', '{"a": , "b": tru')).toBe('tru');
    expect(marked('a', '{"a": "unfinished\n}')).toBe('"unfinished');
    expect(marked('a', ']]]{"a": 1')).toBe('1');
  });
});

describe('positionsIn', () => {
  it('finds the frames and the word around a position', () => {
    const at = TEXT.indexOf('desk-b') + 3;
    const { frames, word } = positionsIn(TEXT, at);
    expect(frames.at(-1)).toEqual({ isObject: true, path: ['entities', '1'], key: 'id', index: 0 });
    expect(word?.text).toBe('"desk-b"');
  });
});
