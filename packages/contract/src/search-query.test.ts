import { describe, expect, it } from 'vitest';
import {
  parseSearchAge,
  parseSearchDate,
  parseSearchSize,
  SEARCH_OPERATOR_NAMES,
  SEARCH_OPERATORS,
} from './search-operators.ts';
import { parseSearch, SEARCH_LIMITS, type SearchCondition } from './search-query.ts';

/** Writes a condition with all parentheses. */
function show(condition: SearchCondition): string {
  switch (condition.kind) {
    case 'all':
      return `(${condition.of.map(show).join(' & ')})`;
    case 'any':
      return `(${condition.of.map(show).join(' | ')})`;
    case 'not':
      return `!${show(condition.of)}`;
    case 'words':
      return condition.isPhrase ? `"${condition.text}"` : condition.text;
    case 'filter':
      return `${condition.name}=${condition.value}`;
  }
}

const messages = (text: string) => parseSearch(text).problems.map(({ message }) => message);

describe('parseSearch', () => {
  it.each([
    ['', '()'],
    ['report', 'report'],
    ['annual report', '(annual & report)'],
    ['annual AND report', '(annual & report)'],
    ['"annual report" 2026', '("annual report" & 2026)'],
    ['“annual report”', '"annual report"'],
    ['a b OR c d', '(a & (b | c) & d)'],
    ['-draft -"work in progress"', '(!draft & !"work in progress")'],
    ['e-mail', 'e-mail'],
    ['a - b', '(a & - & b)'],
    ['from:amy', 'from=amy'],
    ['FROM:"Amy Adams" -from:bob', '(from=Amy Adams & !from=bob)'],
    ['from:(amy OR bob) x', '((from=amy | from=bob) & x)'],
    ['-(a OR b)', '!(a | b)'],
    ['{a b}', '(a | b)'],
    ['{a b} c', '((a | b) & c)'],
    ['from:{amy "bob b"} x', '((from=amy | from=bob b) & x)'],
    ['{a OR b AND c d}', '(a | (b & c) | d)'],
    ['{AND a AND}', 'a'],
    ['-{a b}', '!(a | b)'],
    ['{a (b c) -d}', '(a | (b & c) | !d)'],
    ['({a b} OR c) d', '(((a | b) | c) & d)'],
    ['x{}', '(x & ())'],
    ['label:"{urgent}"', 'label={urgent}'],
    ['after:yesterday before:TODAY', '(after=yesterday & before=TODAY)'],
    ['10:to:x', '10:to:x'],
    ['Q3: report', '(Q3: & report)'],
    ['repo:octo-org/octo-repo is:open', '(repo=octo-org/octo-repo & is=open)'],
    ['label:"To do"', 'label=To do'],
    ['https://example.org/a', 'https://example.org/a'],
    ['12:30', '12:30'],
    ['Re: hello', '(Re: & hello)'],
    ['from: amy', 'from=amy'],
    ['subject: "annual report" x', '(subject=annual report & x)'],
    ['label:type:bug', 'label=type:bug'],
    ['subject:re:hello -label:a:b', '(subject=re:hello & !label=a:b)'],
    ['a NOT b', '(a & !b)'],
    ['a AND NOT (b OR c)', '(a & !(b | c))'],
    ['"NOT" not', '("NOT" & not)'],
    ['from:🎉', 'from=🎉'],
    ['a ??? -', '(a & ??? & -)'],
    ['a\u202eb\u200b', 'ab'],
    ['from:🎉 ???', '(from=🎉 & ???)'],
    ['" annual report "', '"annual report"'],
    ['report ""', 'report'],
    ['(((((report)))))', 'report'],
    ['a '.repeat(40), `(${Array(40).fill('a').join(' & ')})`],
  ])('reads %j as %s', (text, expected) => {
    const { condition, problems } = parseSearch(text);
    expect(show(condition)).toBe(expected);
    expect(problems).toEqual([]);
  });

  it('explains an unknown operator and marks it', () => {
    const { problems } = parseSearch('report form:amy');
    expect(problems).toEqual([
      expect.objectContaining({
        isError: true,
        from: 7,
        to: 15,
        message: expect.stringMatching(/^There is no operator form:\. .* "form:amy"\. .*from:, to:/),
      }),
    ]);
  });

  it('quotes only the name of an unknown operator before a phrase', () => {
    expect(messages('report form:"amy adams"')).toEqual([
      expect.stringContaining('To search for the text, write "form:…".'),
    ]);
  });

  it.each([
    ['(???)', 1, 4],
    ['- "!!!"', 2, 7],
    ['"" ???', 3, 6],
  ])('marks the first signs of %s that it cannot search for', (text, from, to) => {
    expect(parseSearch(text).problems).toEqual([expect.objectContaining({ from, to })]);
  });

  it.each([
    ['is:lost', /^is: knows unread, .*does not know lost/],
    ['has:wings', /^has: knows attachment/],
    ['before:lately', /^before: needs a day/],
    ['after:constructor', /^after: needs a day/],
    ['mp3:x', /^There is no operator mp3:/],
    ['rfc822:x', /^There is no operator rfc822:/],
    ['after:2026-02-30', /^after: needs a day/],
    ['larger:5T', /^larger: needs a number of bytes/],
    ['smaller:big', /^smaller: needs a number of bytes/],
    ['older_than:soon', /^older_than: needs a number/],
    ['from:""', /^from: needs a value/],
    ['from:*', /^from: needs letters or digits, for example from:amy/],
    ['subject:"?!"', /^subject: needs letters or digits/],
    ['from:-amy', /^The minus sign goes before the operator, for example -from:amy/],
    ['older_than:-1d', /^The minus sign goes before the operator/],
  ])('explains the wrong value of %s', (text, expected) => {
    const [problem] = parseSearch(text).problems;
    expect(problem).toMatchObject({ isError: true, from: 0, message: expect.stringMatching(expected) });
  });

  it.each([
    ['"annual report', '"annual report"', /quotation mark is missing/],
    ['(a b', '(a & b)', /closing parenthesis is missing/],
    ['a) b', '(a & b)', /no opening parenthesis/],
    ['{a b', '(a | b)', /closing brace is missing/],
    ['a} b', '(a & b)', /no opening brace/],
    ['OR a', 'a', /OR needs a word/],
    ['a OR', 'a', /OR needs a word/],
    ['a NOT', 'a', /NOT needs a word/],
    ['a from:', 'a', /^from: needs a value, for example from:amy\. It is left out/],
    ['(from:)', '()', /^from: needs a value/],
    ['is: -b', '!b', /^is: needs a value/],
    ['???', '???', /no letters or digits/],
    ['"!!!" *', '("!!!" & *)', /no letters or digits/],
  ])('understands %s and remarks on it', (text, expected, remark) => {
    const { condition, problems } = parseSearch(text);
    expect(show(condition)).toBe(expected);
    expect(problems).toEqual([
      expect.objectContaining({ isError: false, message: expect.stringMatching(remark) }),
    ]);
  });

  it.each([
    ['100,000 characters', 'a'.repeat(100_000), /may have 1,000 characters\. This one has 100,000/],
    ['500 words', 'a '.repeat(500), /may have 40 words/],
    ['450 parentheses', '('.repeat(450), /nested 5 deep/],
    ['450 braces', '{'.repeat(450), /nested 5 deep/],
    ['6 parentheses', '((((((a', /nested 5 deep/],
    ['5 parentheses before an operator with one', '(((((from:(a', /nested 5 deep/],
  ])('refuses %s in bounded time', (_, text, expected) => {
    const found = parseSearch(text).problems.filter(({ isError }) => isError);
    expect(found).toEqual([expect.objectContaining({ message: expect.stringMatching(expected) })]);
  });

  it.each(['a'.repeat(1001), '((((((a'])('returns no condition for a text that it does not read', (text) => {
    expect(show(parseSearch(text).condition)).toBe('()');
  });

  it('survives every text', () => {
    const pieces = [
      '"',
      '(',
      ')',
      '{',
      '}',
      'AND ',
      '-',
      ' ',
      'OR ',
      'from:',
      'x',
      'is:',
      '“',
      ':',
      '\u202e',
      '\ud800',
      "'",
      '\\',
    ];
    let seed = 7;
    for (let round = 0; round < 5000; round++) {
      let text = '';
      for (let length = 0; length < 12; length++) {
        seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
        text += pieces[seed % pieces.length];
      }
      for (const { from, to, message } of parseSearch(text).problems) {
        expect(message).not.toBe('');
        expect(from).toBeLessThanOrEqual(to);
        expect(to).toBeLessThanOrEqual(SEARCH_LIMITS.text);
      }
    }
  });

  it.each(SEARCH_OPERATOR_NAMES)('accepts the example of %s:', (name) => {
    expect(messages(SEARCH_OPERATORS[name].example)).toEqual([]);
  });
});

describe('values of operators', () => {
  it.each([
    ['2026', '2026-01-01'],
    ['2026-11', '2026-11-01'],
    ['2026/11/5', '2026-11-05'],
  ])('reads the date %s', (text, day) => {
    expect(parseSearchDate(text, { now: 0, timeZone: 'UTC' })?.toISOString()).toBe(`${day}T00:00:00.000Z`);
  });

  it.each([
    ['today', '2026-03-01'],
    ['Yesterday', '2026-02-28'],
  ])('reads the day %s', (text, day) => {
    for (const time of ['00:00:00.000', '12:00:00.000', '23:59:59.999'])
      expect(
        parseSearchDate(text, { now: Date.parse(`2026-03-01T${time}Z`), timeZone: 'UTC' })?.toISOString(),
      ).toBe(`${day}T00:00:00.000Z`);
  });

  it.each(['', '26', '2026-13', '2026-02-29', '0000', 'x'])('refuses the date %j', (text) => {
    expect(parseSearchDate(text, { now: 0, timeZone: 'UTC' })).toBeUndefined();
  });

  it.each([
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    ['2026-04', 'America/New_York', '2026-04-01T04:00:00.000Z'],
    // The clock of the zone shows the next day already.
    ['today', 'Asia/Tokyo', '2026-03-01T15:00:00.000Z'],
    ['yesterday', 'Asia/Tokyo', '2026-02-28T15:00:00.000Z'],
  ])('begins %s in the time zone %s', (text, timeZone, instant) => {
    const now = Date.parse('2026-03-01T20:00:00Z');
    expect(parseSearchDate(text, { now, timeZone })?.toISOString()).toBe(instant);
  });

  it('reads sizes in bytes', () => {
    expect(['1000', '100K', '5mb', '1G', '7B', '', 'm', '1.5M'].map(parseSearchSize)).toEqual([
      1000,
      102_400,
      5_242_880,
      1_073_741_824,
      7,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('reads periods in days', () => {
    expect(['7d', '2W', '3m', '1y', '1', 'd'].map(parseSearchAge)).toEqual([
      7,
      14,
      90,
      365,
      undefined,
      undefined,
    ]);
  });
});
