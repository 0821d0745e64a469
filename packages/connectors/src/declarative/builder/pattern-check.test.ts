import { matchesPattern, SETTING_LIMITS } from '@datadeck/contract';
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

  it.each([
    `${'a?'.repeat(60)}b`,
    '(?:a?){50}b',
    '(?:a|a?b?){2,30}',
    '(?:|){60}b',
    `${'(?:|)'.repeat(38)}b`,
    '(?:(?:a{1,9}){1,9}){1,9}',
    '(?:a{1,40}b?){1,40}',
    '(?:ab|a|b){1,60}c',
    '(?:[\\u0531-\\u0533]{1,30}){1,30}x',
    '(?:\\p{Lu}|[\\u0531-\\u0533]){1,60}x',
    '(?:\\p{Script=Armenian}|\\p{Lu}){1,60}x',
    '[\\u{1F600}-\\u{1F602}]*[\\u{1F601}]*x',
    '(?:\\s|\\u2003){1,60}x',
  ])('refuses %s, whose bounded repetitions take long', (pattern) =>
    expect(patternProblem(pattern)).toMatch(slow),
  );

  it.each([
    '(?:\\d{1,3}\\.){3}\\d{1,3}',
    '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?',
    '\\d{4}\\d\\d',
    'https?://[^\\s/]+(?:/\\S*)?',
    '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
    '[A-Z]{2}\\w+',
    '\\w{1,64}@[\\w.]{1,190}',
    '(a|ab){1,40}c',
    '(?:v\\d+)?(?:\\.\\d+)*',
  ])('accepts %s, which people use', (pattern) => expect(patternProblem(pattern)).toBeUndefined());

  it('accepts only patterns that are fast on values that make slow patterns slow', () => {
    const parts = ['a', 'b', '[ab]', '[^a]', '.', '\\w', '\\d', '-', '(?:', '(', ')', ')', '|'];
    const repeats = ['*', '+', '?', '{2,9}', '{0,60}', '{50}', '{1,300}', '?', ''];
    let state = 1;
    const random = (most: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % most;
    };
    const units = ['a', 'b', 'ab', 'aab', '1', 'a1', 'é', '\u{10348}'];
    let accepted = 0;
    for (let round = 0; round < 800; round++) {
      let pattern = '';
      const length = 1 + random(round % 2 === 0 ? 30 : 200);
      while (pattern.length < length) pattern += parts[random(parts.length)] + (repeats[random(20)] ?? '');
      pattern = pattern.slice(0, 200);
      const opened = pattern.split('(').length - pattern.split(')').length;
      if (opened > 0) pattern += ')'.repeat(opened);
      const begun = process.cpuUsage();
      const problem = patternProblem(pattern);
      expect(process.cpuUsage(begun).user, pattern).toBeLessThan(5_000_000);
      if (problem !== undefined) continue;
      accepted++;
      for (const unit of units) {
        const long = unit.repeat(SETTING_LIMITS.value).slice(0, SETTING_LIMITS.value);
        for (const value of [long, `${long.slice(1)}!`, `${long.slice(0, 40)}!`]) {
          const started = process.cpuUsage();
          matchesPattern(value, pattern);
          expect(process.cpuUsage(started).user, pattern).toBeLessThan(1_000_000);
        }
      }
    }
    expect(accepted).toBeGreaterThan(60);
  });
});
