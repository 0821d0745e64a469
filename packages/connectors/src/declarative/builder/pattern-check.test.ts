import { describe, expect, it } from 'vitest';
import { shippedDocuments } from '../shipped/index.ts';
import { patternProblem } from './pattern-check.ts';

const slow = /may take very long/;

describe('patterns of form fields', () => {
  it('accepts those of the shipped documents', () => {
    for (const { connect, entities } of shippedDocuments)
      for (const { pattern } of [
        ...connect.fields,
        ...(connect.secret ? [connect.secret] : []),
        ...entities.flatMap(({ settings }) => settings),
      ])
        expect(patternProblem(pattern)).toBeUndefined();
  });

  it.each([
    '',
    '\\d+',
    '[a-z]{1,100}',
    '[^/]+(?:/[^/]+)*',
    'a|b|c',
    '(?<year>\\d{4})-\\d\\d',
    '\\p{L}+',
    '[\\w.]+@\\w+',
  ])('accepts %s', (pattern) => expect(patternProblem(pattern)).toBeUndefined());

  it.each(['(', '[a-', 'a)(b', '\\', 'a{2,1}', '[\\w-z]'])('refuses %s, which is no pattern', (pattern) =>
    expect(patternProblem(pattern)).toMatch(/no regular expression/),
  );

  it.each(['(a+)+', '(a|a)*', '(?:a*)*b', '(\\w|\\d)+x', '(?:[a-z]{1,30}){1,30}', '([^/]+/?)+'])(
    'refuses %s, which takes exponential time',
    (pattern) => expect(patternProblem(pattern)).toMatch(slow),
  );

  it.each(['[^@]+@[^@]+\\.\\w+x*[^.]*', '\\d+\\d+', '.*.*', '\\s*\\S*a*\\s*.*'])(
    'refuses %s, which takes quadratic time',
    (pattern) => expect(patternProblem(pattern)).toMatch(slow),
  );

  it.each([
    ['(?=a)b', /looks ahead/],
    ['(?<!a)b', /looks ahead or behind/],
    ['(a)\\1', /refers back/],
  ])('refuses %s', (pattern, message) => expect(patternProblem(pattern)).toMatch(message));

  it('decides any pattern of 200 characters in bounded time', () => {
    const parts = ['a', '[ab]', '.', '\\w', '(', ')', '(?:', '*', '+', '?', '{2,9}', '|', '\\d'];
    let state = 1;
    const random = (most: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % most;
    };
    for (let round = 0; round < 2000; round++) {
      let pattern = '';
      const length = 1 + random(200);
      while (pattern.length < length) pattern += parts[random(parts.length)];
      const begun = process.cpuUsage();
      const problem = patternProblem(pattern.slice(0, 200));
      expect(process.cpuUsage(begun).user).toBeLessThan(5_000_000);
      // What is accepted is fast on texts that make slow patterns slow.
      if (problem === undefined)
        for (const text of [`${'a'.repeat(4000)}!`, `${'ab1'.repeat(1300)}!`])
          new RegExp(`^(?:${pattern})$`, 'u').test(text);
    }
  });
});
