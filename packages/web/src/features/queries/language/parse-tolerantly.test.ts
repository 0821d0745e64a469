import { compile } from '@datadeck/jsonata';
import { expect, test } from 'vitest';
import { EXPRESSIONS } from './expressions.fixture.ts';
import { parseTolerantly } from './parse-tolerantly.ts';
import { walk } from './tree.ts';

function isTaken(text: string): boolean {
  try {
    compile(text);
    return true;
  } catch {
    return false;
  }
}

test('finds no fault with what the engine takes', () => {
  for (const text of EXPRESSIONS.filter(isTaken)) expect(parseTolerantly(text).problems, text).toEqual([]);
}, 30_000);

test('makes a tree of every beginning, with children inside their parents', () => {
  const sample = EXPRESSIONS.filter((text) => text.length < 300).slice(0, 300);
  for (const text of sample) {
    for (let length = 0; length <= text.length; length += 3) {
      const { root } = parseTolerantly(text.slice(0, length));
      walk(root, (node) => {
        for (const { from, to } of node.children)
          if (from < node.from || to > Math.max(node.to, length)) throw new Error(`${text} at ${length}`);
      });
    }
  }
});

test('gives up on absurd nesting instead of the page', () => {
  expect(parseTolerantly('('.repeat(100_000)).problems.length).toBeGreaterThan(0);
});
