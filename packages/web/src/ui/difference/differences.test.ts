import { describe, expect, it } from 'vitest';
import { differences } from './differences.ts';
import { textParts } from './text-parts.ts';

describe('differences', () => {
  it('lists the path of each changed, added or removed field', () => {
    const before = { id: 1, head: { repo: { name: 'a' } }, 'x y': 1, gone: null };
    const after = { id: 1, head: { repo: { name: 'b' } }, 'x y': 2, come: [] };
    expect(differences(before, after)).toEqual([
      { path: 'head.repo.name', before: 'a', after: 'b' },
      { path: '["x y"]', before: 1, after: 2 },
      { path: 'gone', before: null, after: undefined },
      { path: 'come', before: undefined, after: [] },
    ]);
  });

  it('compares lists of plain values as a whole, and list items with ids by id', () => {
    expect(differences({ labels: ['a', 'b'] }, { labels: ['a', 'c'] })).toEqual([
      { path: 'labels', before: ['a', 'b'], after: ['a', 'c'] },
    ]);
    const [one, two, three] = [1, 2, 3].map((id) => ({ id, name: `n${id}` }));
    expect(differences([one, two], [two, three])).toEqual([
      { path: '[0]', before: one, after: undefined },
      { path: '[2]', before: undefined, after: three },
    ]);
    expect(differences([{ a: 1 }, { a: 2 }], [{ a: 1 }, { a: 3 }])).toEqual([
      { path: '[1].a', before: 2, after: 3 },
    ]);
  });

  it('lists every field of an added or removed document', () => {
    expect(differences(null, { id: 1, t: 'x' })).toEqual([
      { path: 'id', before: undefined, after: 1 },
      { path: 't', before: undefined, after: 'x' },
    ]);
    expect(differences({ id: 1 }, null)).toEqual([{ path: 'id', before: 1, after: undefined }]);
  });

  it('accepts deep nesting and keys such as __proto__ and constructor', () => {
    const nested = (depth: number, end: number) => {
      let value: unknown = end;
      for (let level = 0; level < depth; level++) value = { d: value };
      return value;
    };
    expect(differences(nested(500, 1), nested(500, 2))).toHaveLength(1);
    const hostile = JSON.parse('{"__proto__":{"a":1},"constructor":2}');
    expect(differences(hostile, {}).map(({ path }) => path)).toContain('constructor');
  });
});

describe('textParts', () => {
  it('marks changed words and omits unchanged text far from them', () => {
    const rest = 'same words '.repeat(50);
    const parts = textParts(`Fix the parser. ${rest}`, `Fix the printer. ${rest}`);
    expect(parts?.slice(0, 3)).toEqual([
      { kind: 'same', text: 'Fix the ' },
      { kind: 'removed', text: 'parser' },
      { kind: 'added', text: 'printer' },
    ]);
    expect(parts?.[3]?.text.length).toBeLessThan(80);
  });

  it('compares long texts by line, and returns undefined for too many changes', () => {
    const lines = Array.from({ length: 400 }, (_, line) => `line ${line} of the text\n`);
    const changed = lines.with(200, 'another\n');
    expect(textParts(lines.join(''), changed.join(''))?.filter(({ kind }) => kind !== 'same')).toEqual([
      { kind: 'removed', text: 'line 200 of the text\n' },
      { kind: 'added', text: 'another\n' },
    ]);
    const other = Array.from({ length: 6000 }, (_, line) => `${line * 7919}\n`).join('');
    expect(
      textParts(Array.from({ length: 6000 }, (_, line) => `a${line}\n`).join(''), other),
    ).toBeUndefined();
  });
});
