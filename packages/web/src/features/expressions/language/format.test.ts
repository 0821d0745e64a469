import { describe, expect, it } from 'vitest';
import { EXPRESSIONS } from '../../../../test-support/expressions.ts';
import { format, meaningOf } from './format.ts';

const formatted = (text: string) => {
  const result = format(text);
  return result.ok ? result.text : result.reason;
};

describe('format', () => {
  // Property: the parsed meaning is unchanged, and formatting again returns the same text.
  it('keeps the meaning of every expression, and is idempotent', () => {
    const refused: string[] = [];
    let count = 0;
    for (const text of EXPRESSIONS) {
      const meaning = meaningOf(text);
      if (meaning === undefined) continue;
      count++;
      const result = format(text);
      if (!result.ok) refused.push(`${text}: ${result.reason}`);
      else {
        expect(meaningOf(result.text), text).toBe(meaning);
        expect(formatted(result.text), text).toBe(result.text);
      }
    }
    expect(count).toBeGreaterThan(45);
    expect(refused).toEqual([]);
  });

  it.each([
    ['$count(  $ )', '$count($)'],
    ['$ [ state="open" and n>1 ] . title', '$[state = "open" and n > 1].title'],
    ['($open:=$[state="open"];$count($open))', '(\n  $open := $[state = "open"];\n  $count($open)\n)'],
    [
      '$.{"title":title,"author":user.login,"labels":$join(labels.name,", "),"n":number}',
      '$.{\n  "title": title,\n  "author": user.login,\n  "labels": $join(labels.name, ", "),\n  "n": number\n}',
    ],
    ['$map($,function($r){$r.title})', '$map($, function($r) { $r.title })'],
    ['a?b:c', 'a ? b : c'],
    ['a^(>b,c)', 'a^(>b, c)'],
  ])('formats %s', (text, expected) => expect(formatted(text)).toBe(expected));

  it('keeps comments, or refuses to format', () => {
    expect(formatted('/* all */ $count( /* rows */ $ )')).toBe('/* all */\n$count(/* rows */ $)');
    expect(formatted('[1 /* one */, 2/*two*/]')).toBe('[1 /* one */, 2 /*two*/]');
    expect(format('[ /* nothing */ ]')).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/comment/),
    });
  });

  it('refuses an expression with an error', () => {
    expect(format('$count(')).toMatchObject({ ok: false });
  });
});
