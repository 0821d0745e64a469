import { compile, FUNCTIONS } from '@datadeck/jsonata';
import { describe, expect, it } from 'vitest';
import { atCursor, ENVIRONMENT, ROWS } from '../../../../test-support/rows.ts';
import { documentationAt } from './documentation.ts';
import { freeVariables } from './free-variables.ts';
import { EXAMPLES } from './function-examples.ts';
import { adviceOn, diagnosticsIn } from './lint.ts';
import { watchExpressionAt } from './watch-expression.ts';

const messages = (text: string) => diagnosticsIn(text, ENVIRONMENT).map(({ message }) => message);

describe('diagnosticsIn', () => {
  it.each([
    ['$[labels = "bug"]', 'labels is a list here; did you mean "bug" in labels.name?'],
    ['$.$lowercase(labels)', 'labels is a list here; did you mean labels.name.$lowercase($)?'],
    ['$[assignees = "ada"]', 'assignees is a list here; did you mean "ada" in assignees?'],
    ['$.(labels > 3)', 'labels is a list here; did you mean $count(labels)?'],
    ['$[user = "ada"]', 'user is an object here; did you mean user.login?'],
    ['$.titel', 'No loaded row has titel here. Did you mean title?'],
    ['$.user.logn', 'No loaded row has logn here. Did you mean login?'],
    ['$.full_name', 'No loaded row has full_name here.'],
    ['$.login', 'No loaded row has login here. Did you mean user.login?'],
    ['$.{"a": title}.b', 'There is no b here. Did you mean a?'],
    ['$.title.login', 'There is a text here, which has no fields.'],
    ['$.(title + 1)', 'title is a text here; + adds numbers, & joins texts.'],
    ['$.(user.login < 3)', 'user.login is a text here, which cannot be compared with a number by <.'],
    ['$.$sum(title)', 'title is a text here; $sum takes a list of numbers.'],
    ['$.$uppercase(number)', 'number is a number here; $uppercase takes a text.'],
    [
      '$.$uppercase(assignees)',
      'assignees is a list here; $uppercase takes a text. Did you mean assignees.$uppercase($)?',
    ],
    ['$upercase("a")', 'There is no function $upercase. Did you mean $uppercase?'],
    ['count($)', 'Functions begin with a $. Did you mean $count?'],
    ['$lowercase("a", "b")', '$lowercase takes at most 1 argument.'],
    ['$count(', 'This ( is not closed: a ) is missing.'],
    ['$[user.login = "ada"', 'This [ is not closed: a ] is missing.'],
    ['$count($))', 'This ) has no opening bracket.'],
    ['"abc', 'This text is not closed: add " at its end.'],
    ['user.', 'Something is missing before the end.'],
    ['title number', 'An operator is missing before number, or the expression should end here.'],
  ])('explains the problem in %s', (text, sentence) => expect(messages(text)[0]).toBe(sentence));

  it('marks the range of a problem', () => {
    expect(diagnosticsIn('$.user.logn', ENVIRONMENT)).toMatchObject([
      { from: 7, to: 11, severity: 'warning' },
    ]);
    expect(diagnosticsIn('$count(', ENVIRONMENT)).toMatchObject([{ from: 6, to: 7, severity: 'error' }]);
  });

  it.each([
    '$',
    '$count($)',
    '$["bug" in labels.name]',
    'labels.name',
    '$.{"who": user.login, "labels": $join(labels.name, ", ")}',
    '$^(>created_at)[0].title',
    '$[number > 1].user.login',
    '$map($, function($r, $i) { $r.title & $i })',
    '($n := $count($); $n > 2 ? "many" : "few")',
    '$[created_at >= $since]',
    '$.title.$uppercase()',
    '$.$substring(title, 0, 3)',
    '$.title ~> $map($uppercase)',
    'labels{name: $count($)}',
    '$ ~> |$|{"seen": true}|',
    '$.**.name',
    '$.head.repo.full_name',
    '$lookup($[0], "title").anything',
    '$.labels@$l.{"l": $l.name}',
    '$.milestone.title',
    '$zip([1], [2], [3])',
    '$sum($.number)',
    '$.(number + 1)',
  ])('finds no problem in %s', (text) => expect(messages(text)).toEqual([]));
});

describe('adviceOn', () => {
  it('adds advice to the message of a failed evaluation', () => {
    const fail = (text: string) => {
      try {
        compile(text).evaluate(ROWS);
      } catch (thrown) {
        return adviceOn(text, thrown as { message: string; position: number; code: string }, ENVIRONMENT);
      }
      return 'no failure';
    };
    expect(fail('$.$uppercase(labels)')).toBe(
      'labels is a list here; did you mean labels.name.$uppercase($)?',
    );
    expect(fail('$.(user < 3)')).toMatch(/did you mean user.id\?/);
    expect(fail('$number("x")')).toMatch(/Select only the values that are numbers/);
    expect(fail('($f := function($n) { 1 + $f($n) }; $f(1))')).toMatch(/call itself/);
    expect(fail('$count($')).toBe('This ( is not closed: a ) is missing.');
  });
});

describe('documentationAt', () => {
  it('documents every library function with a correct example', () => {
    for (const { name } of FUNCTIONS) {
      const [expression, result] = EXAMPLES[name] ?? ['', ''];
      expect(expression, name).toContain(`$${name}`);
      const run = () => compile(expression).evaluate({});
      if (result === 'an error') expect(run).toThrow();
      else if (result === 'nothing') expect(run()).toBeUndefined();
      else expect(run(), name).toEqual(JSON.parse(result));
      const doc = documentationAt(`$${name}(1)`, 2, ENVIRONMENT);
      expect(doc?.title).toMatch(/^\$\w+\(.*\) → \w/);
      expect(doc?.lines).toHaveLength(2);
    }
  });

  it('documents the type, an example and the frequency of a field', () => {
    expect(documentationAt(...atCursor('$.user.log¦in'), ENVIRONMENT)).toMatchObject({
      title: 'login',
      lines: ['text, in 3 of 3 rows', 'For example "ada"'],
    });
    expect(documentationAt(...atCursor('mile¦stone'), ENVIRONMENT)?.lines).toContain('Fields: title');
    expect(documentationAt(...atCursor('nop¦e'), ENVIRONMENT)?.lines).toEqual([
      'No loaded row has this field.',
    ]);
  });
});

describe('watchExpressionAt', () => {
  it.each([
    ['$.user.lo¦gin', '$.user.login', ['ada', 'bob', 'cleo']],
    ['$.us¦er.login', '$.user', ROWS.map(({ user }) => user)],
    ['$[user.lo¦gin = "ada"]', 'user.login', ['ada', 'bob', 'cleo']],
    ['labels[na¦me = "bug"]', 'name', ['bug', 'core', 'bug']],
    ['$count¦(labels)', '$count(labels)', 3],
    ['$.{"who": user.log¦in}', 'user.login', ['ada', 'bob', 'cleo']],
    ['($n := 2; $[number = $n¦])', '$n', [2, 2, 2]],
    ['$map($, function($r) { $r.us¦er.id })', '$r.user', ROWS.map(({ user }) => user)],
    ['$sum(num¦ber) + (', 'number', [1, 2, 3]],
    ['$.labels[0¦].name', undefined, undefined],
    ['"te¦xt"', undefined, undefined],
  ])('returns an expression for the value at the cursor of %s', (marked, label, expected) => {
    const watch = watchExpressionAt(...atCursor(marked));
    expect(watch?.label).toBe(label);
    if (watch) expect(JSON.parse(JSON.stringify(compile(watch.expression).evaluate(ROWS)))).toEqual(expected);
  });
});

describe('freeVariables', () => {
  it.each([
    ['$[created_at > $since and user.login = $author]', ['since', 'author']],
    ['($x := 1; $x + $y)', ['y']],
    ['$map($, function($r) { $r.n > $least })', ['least']],
    ['$map($, $uppercase)', []],
    ['$$.a & $ & $now()', []],
  ])('lists the free variables of %s', (text, names) => expect(freeVariables(text)).toEqual(names));
});
