import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The official JSONata test suite, if the shared folder exists. */
const SUITE = join(import.meta.dirname, '../../../../shared/data/jsonata-suite/groups');

function suiteExpressions(): string[] {
  if (!existsSync(SUITE)) return [];
  return readdirSync(SUITE).flatMap((group) =>
    readdirSync(join(SUITE, group)).flatMap((file) => {
      const text = readFileSync(join(SUITE, group, file), 'utf8');
      if (!file.endsWith('.json')) return file.endsWith('.jsonata') ? [text] : [];
      const content = JSON.parse(text) as { expr?: string } | { expr?: string }[];
      return (Array.isArray(content) ? content : [content]).flatMap(({ expr }) => expr ?? []);
    }),
  );
}

const OWN = [
  '$',
  '$$',
  'a.b.c',
  'a.`b c`.d',
  '$.user.login',
  '$[state = "open"].title',
  '$[labels.name = "bug" and number > 10].{"n": number, "t": title}',
  '$^(>created_at, <number)[0]',
  '$^(created_at)',
  'a[]',
  'a[][b = 1][]',
  'a[0][1]',
  'a.(b; c)',
  '()',
  '[]',
  '{}',
  '[1..5, 7, "x"]',
  '[[1, 2], [3]]',
  '{"a": 1, "b": {"c": [true, false, null]}}',
  'a{b: $sum(c)}',
  'a.{b: c}',
  '-a + -1 * 2 - -3',
  '-(a.b)',
  '(1 + 2) * 3 / (4 - 5) % 6',
  'a & " " & b',
  'a ? b : c ? d : e',
  'a ? b',
  'a ?: b',
  'a ?? b ?? c',
  'a = 1 or b != 2 and c in [1, 2]',
  '$x := 5',
  '($x := $y := 5; $x)',
  'function($a, $b) { $a + $b }',
  'λ($x) { $x }(3)',
  'function($s, $n)<s-n?:s> { $s & $n }',
  '$map(a, function($v, $i) { ($w := $v * 2; $w + $i) })',
  '$f(?, 2)',
  'a ~> $map(function($v) { $v }) ~> $sum()',
  'a ~> |b.c|{"d": 1}, ["e", "f"]|',
  '|$|{}|',
  '$replace(a, /(\\d+)[/]x/i, "$1")',
  'a[$match(b, /x/)]',
  'a.b@$x.c#$i[$i < 2].{"x": $x, "i": $i}',
  'a.%.b',
  'a.*.b',
  '**.c',
  '*[type = "x"]',
  'and and or or in',
  'and.or.in',
  '\'single\' & "double\\n\\u00e9"',
  '1e10 + 0.5',
  '$.a.b[c > 2]^(d).{"e": f}{"g": h}',
  '$reduce($filter($map([1..100], function($n) { $n * $n }), function($n) { $n % 2 = 0 }), function($sum, $n) { $sum + $n }, 0)',
  '$.{"title": title, "author": user.login, "labels": $join(labels.name, ", "), "age": $round(($millis() - $toMillis(created_at)) / 86400000)}',
  '($open := $[state = "open"]; $byAuthor := $open{user.login: $count($)}; $each($byAuthor, function($n, $who) { {"who": $who, "n": $n} })^(>n))',
];

/** Expressions of every kind. */
export const EXPRESSIONS: readonly string[] = [...new Set([...OWN, ...suiteExpressions()])];
