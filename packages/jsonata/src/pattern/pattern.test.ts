import { expect, test } from 'vitest';
import { Random } from '../differential/random.ts';
import { compile } from '../index.ts';
import { Budget, DEFAULT_LIMITS } from '../runtime/limits.ts';
import { Machine } from './machine.ts';
import { compileProgram } from './program.ts';
import { parsePattern } from './syntax.ts';

const SEED = 20_261_121;
const PATTERNS = 6000;
const ATOMS = ['a', 'b', 'c', '.', '\\d', '\\w', '\\s', '[ab]', '[^a]', '[a-c]', 'é', '1', ' ', '-', '\\.'];
const REPEATS = ['*', '+', '?', '{2}', '{1,2}', '{0,2}', '{2,}', '*?', '+?', '??', '{1,3}?'];

function randomPattern(random: Random, depth: number): string {
  const part = (): string => randomPattern(random, depth - 1);
  const kind = random.next();
  if (depth === 0 || kind < 0.35) return random.pick(ATOMS);
  if (kind < 0.5) return part() + part();
  if (kind < 0.6) return `(?:${part()}|${part()})`;
  if (kind < 0.75) return `(${part()})`;
  if (kind < 0.8) return random.pick(['^', '$', '\\b', '\\B']) + part();
  if (kind < 0.85) return `(${part()}|${part()})`;
  return `(?:${part()})${random.pick(REPEATS)}`;
}

test(`the machine matches what the built-in engine matches, groups included, seed ${SEED}`, () => {
  const random = new Random(SEED);
  let matched = 0;
  for (let n = 0; n < PATTERNS; n++) {
    const regex = new RegExp(randomPattern(random, 4), random.pick(['g', 'gi', 'gm']));
    const { tree, groups } = parsePattern(regex.source);
    const machine = new Machine(compileProgram(tree, regex.flags), groups, regex.flags.includes('m'));
    for (let round = 0; round < 3; round++) {
      const text = random.many(0, 8, () => random.pick([...'abc1 é-.\nA'])).join('');
      regex.lastIndex = 0;
      const theirs = regex.exec(text);
      const slots = machine.run(text, 0, new Budget(DEFAULT_LIMITS));
      const ours =
        slots &&
        Array.from({ length: slots.length / 2 }, (_, group) => {
          const [from = -1, to = -1] = slots.slice(group * 2, group * 2 + 2);
          return from < 0 || to < 0 ? null : text.slice(from, to);
        });
      if (theirs !== null) matched++;
      expect([slots?.[0], ours], `${regex} on ${JSON.stringify(text)}`).toEqual([
        theirs?.index,
        theirs === null ? undefined : [...theirs].map((group) => group ?? null),
      ]);
    }
  }
  expect(matched).toBeGreaterThan(PATTERNS);
});

/** Published patterns that take a backtracking engine down, each with a text that makes it try everything. */
const EVIL: readonly [pattern: string, text: string][] = [
  ['^(a+)+$', `${'a'.repeat(20_000)}!`],
  ['^([a-zA-Z]+)*$', `${'a'.repeat(20_000)}!`],
  ['^(a|aa)+$', `${'a'.repeat(20_000)}!`],
  ['^(a|a?)+$', `${'a'.repeat(20_000)}!`],
  ['(.*a){12}$', `${'a'.repeat(2_000)}!`],
  ['^(\\w+\\s?)*$', `${'word '.repeat(4_000)}!`],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(20_000)],
  ['(x+x+)+y', 'x'.repeat(20_000)],
  ['^([0-9a-zA-Z]([-.\\w]*[0-9a-zA-Z])*@)', 'a'.repeat(20_000)],
  ['<(\\w+)(\\s+\\w+="[^"]*")*\\s*$', `<a${' b="c"'.repeat(3_000)}!`],
  ['(\\d+|\\d+\\.|\\.\\d+)*x', '1'.repeat(20_000)],
  ['^(?:(?:a*)*)*b', 'a'.repeat(20_000)],
];

test.each(EVIL)('%s is decided in time linear in the text', (pattern, text) => {
  const start = performance.now();
  expect(compile(`$contains(text, /${pattern}/)`).evaluate({ text })).toBe(false);
  expect(performance.now() - start).toBeLessThan(20_000);
});
