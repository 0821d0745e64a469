import { compile } from '@datadeck/jsonata';
import { describe, expect, it } from 'vitest';
import { atCursor, ENVIRONMENT, ROWS } from '../../../../test-support/rows.ts';
import { completionsAt } from './completion.ts';
import { shapeOfKinds, shapeOfRows } from './shape.ts';

/** Returns the fields that are completed at the `¦`. */
function fieldsAt(marked: string): string[] {
  const found = completionsAt(...atCursor(marked), ENVIRONMENT);
  return (found?.items ?? []).filter(({ kind }) => kind === 'field').map(({ text }) => text);
}

const TOP = [
  'number',
  'title',
  'user',
  'labels',
  'assignees',
  '`merged at`',
  'head',
  'created_at',
  'milestone',
];

describe('completionsAt', () => {
  describe('fields', () => {
    it.each([
      ['¦', TOP],
      ['user.¦', ['login', 'id']],
      ['user.lo¦', ['login', 'id']],
      ['head.repo.¦', ['full_name']],
      ['$.user.¦', ['login', 'id']],
      ['$$.labels.¦', ['name', 'color']],
      ['labels[¦]', ['name', 'color']],
      ['labels[na¦', ['name', 'color']],
      ['labels[name = "bug"].¦', ['name', 'color']],
      ['labels[0].¦', ['name', 'color']],
      ['user.(¦)', ['login', 'id']],
      ['user.(lo¦', ['login', 'id']],
      ['user.{"who": ¦}', ['login', 'id']],
      ['user.{"who": login, "n": ¦', ['login', 'id']],
      ['labels{name: ¦}', ['name', 'color']],
      ['labels^(¦)', ['name', 'color']],
      ['labels^(>na¦', ['name', 'color']],
      ['$[user.¦ = "ada"]', ['login', 'id']],
      ['$count(labels.¦)', ['name', 'color']],
      ['$sum(¦', TOP],
      ['($u := user; $u.¦)', ['login', 'id']],
      ['($u := user; $x := $u.login; $u.¦', ['login', 'id']],
      ['$map($, function($r) { $r.user.¦ })', ['login', 'id']],
      ['$filter(labels, function($l) { $l.¦', ['name', 'color']],
      ['$ ~> $map(function($r) { $r.user.¦ })', ['login', 'id']],
      ['$sort($, function($a, $b) { $a.user.¦ > $b.user.id })', ['login', 'id']],
      ['$reduce(labels, function($all, $l) { $l.¦ })', ['name', 'color']],
      ['labels ~> $distinct() ~> $map(function($l) { $l.¦ })', ['name', 'color']],
      ['$.{"who": user, "n": number}.¦', ['who', 'n']],
      ['$.{"who": user}.who.¦', ['login', 'id']],
      ['number > 1 ? user.¦ : labels', ['login', 'id']],
      ['(user ?? labels).¦', ['login', 'id', 'name', 'color']],
      ['labels@$l.¦', TOP],
      ['$@$row.labels[$row.user.¦]', ['login', 'id']],
      ['labels.name.¦', []],
      ['$.user.`¦', ['`login`', '`id`']],
    ])('suggests the expected fields at %s', (marked, expected) =>
      expect(fieldsAt(marked)).toEqual(expected),
    );

    // The engine itself reports which fields the values have.
    it.each([
      '$',
      '$[0]',
      'user',
      '$.user',
      'labels',
      '$.labels[0]',
      '$[number = 2]',
      '$^(number)',
      '$[[0..1]].head',
      'head.repo',
      '$filter($, function($r) { $r.number > 1 })',
      '$map($, function($r) { $r.user })',
      '$map($, function($r) { {"a": $r.title, "b": 1} })',
      '$sort($, function($a, $b) { $a.number < $b.number }).labels',
      '$distinct(labels)',
      '$append(user, labels)',
      '$reverse($).user',
      '$merge(user)',
      '$reduce($, function($one, $other) { $other })',
      '($x := $.user; $y := $x; $y)',
      '(number[0] > 0 ? user : 1)',
      '($ ~> $filter(function($r) { $r.number < 3 }) ~> $map(function($r) { $r.user }))',
      '$.{"x": {"y": user}}.x.y',
      'user.{"who": login}',
      '[user, labels]',
      '(user)',
      '$$.labels',
      '$.milestone',
      'labels@$l.{"l": $l, "n": number}',
      '$single($, function($r) { $r.number = 1 })',
      '$clone($)',
    ])('suggests the fields of the actual values after %s.', (expression) => {
      const result: unknown = compile(expression).evaluate(ROWS);
      const keys = [result].flat(3).flatMap((value) => Object.keys(value ?? {}));
      const offered = fieldsAt(`${expression}.¦`).map((name) => name.replaceAll('`', ''));
      expect(offered).toEqual(expect.arrayContaining(keys));
      // If the expression selects some of the rows, other rows could have been selected.
      const known = expression.includes('user')
        ? ['login', 'id', 'who', 'name', 'color']
        : [...TOP, 'l', 'n', 'a', 'b', 'name', 'color', 'repo', 'full_name', 'title', 'merged at'];
      expect([...known, 'login', 'id']).toEqual(expect.arrayContaining(offered));
    });

    it('suggests fields despite errors later in the text', () => {
      expect(fieldsAt('user.¦ ) ] }')).toEqual(['login', 'id']);
      expect(fieldsAt('[1, 2 3 user.¦')).toEqual(['login', 'id']);
      expect(fieldsAt('"open" & user.¦ & "never closed')).toEqual(['login', 'id']);
    });

    it('describes fields by type, example and number of rows', () => {
      const items = completionsAt('', 0, ENVIRONMENT)?.items ?? [];
      const of = (name: string) => items.find(({ text }) => text === name);
      expect(of('title')).toMatchObject({ detail: 'text · "Add a scanner"', info: 'text, in 3 of 3 rows' });
      expect(of('labels')?.detail).toBe('list of objects');
      expect(of('`merged at`')?.info).toBe('text, in 1 of 3 rows');
    });

    it('replaces the whole name at the cursor, including backticks', () => {
      expect(completionsAt('user.login', 7, ENVIRONMENT)).toMatchObject({ from: 5, to: 10 });
      expect(completionsAt('$.`merg`', 6, ENVIRONMENT)).toMatchObject({ from: 2, to: 8 });
    });
  });

  describe('variables and functions', () => {
    const textsAt = (marked: string, environment = ENVIRONMENT) =>
      completionsAt(...atCursor(marked), environment)?.items.map(({ text }) => text) ?? [];

    it('suggests variables only where they are bound', () => {
      expect(textsAt('($who := user; $¦)')).toContain('$who');
      expect(textsAt('($who := user; 1) & $¦')).not.toContain('$who');
      expect(textsAt('function($row) { $¦ }')).toContain('$row');
      const parameters = new Map([['since', shapeOfKinds(['text'])]]);
      expect(textsAt('created_at > $¦', { ...ENVIRONMENT, ...{ parameters } })).toContain('$since');
    });

    it('suggests the library functions with their signatures', () => {
      const items = completionsAt('$', 1, ENVIRONMENT)?.items ?? [];
      expect(items.filter(({ kind }) => kind === 'function').length).toBeGreaterThanOrEqual(60);
      expect(items.find(({ text }) => text === '$substring')?.detail).toBe('(text, number, number?) → text');
    });
  });

  it.each(['"user.¦"', '1¦', 'function($a¦) { 1 }', '/* user.¦ */ 1', '/us¦er/'])(
    'suggests nothing at %s',
    (marked) => expect(completionsAt(...atCursor(marked), ENVIRONMENT)).toBeNull(),
  );

  it('leaves out fields whose name an expression cannot contain', () => {
    const root = shapeOfRows([{ 'a`b': 1, 'a b': 2 }]);
    const fields = completionsAt('', 0, { root })?.items.filter(({ kind }) => kind === 'field');
    expect(fields?.map(({ text }) => text)).toEqual(['`a b`']);
  });

  it('suggests no fields without rows, and accepts deeply nested rows', () => {
    expect(completionsAt('', 0, { root: shapeOfRows([]) })?.items.some(({ kind }) => kind === 'field')).toBe(
      false,
    );
    let deep: unknown = 1;
    for (let at = 0; at < 5000; at++) deep = { deep };
    expect(shapeOfRows([deep]).fields.has('deep')).toBe(true);
  });
});
