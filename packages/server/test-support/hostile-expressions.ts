/** Expressions that try to overload the server. */

const recursion = (body: string, start: string): string =>
  `($f := function($s, $n){ ${body} }; $f(${start}))`;
const doubling = (twice: string, start: string): string =>
  `$count(${recursion(`$n = 0 ? $s : $f(${twice}, $n - 1)`, `${start}, 60`)})`;
const a = (count: number): string => `$pad("", ${count}, "a")`;
/** A list of 200,000 records. */
const RECORDS = '[1..2e5].{"k": $ % 977, "t": "x" & $}';

const ENDLESS = [
  recursion('$f($s, $n)', '1, 1'),
  recursion('1 + $f($s, $n)', '1, 1'),
  recursion('[$f($s, $n)]', '1, 1'),
  recursion('{"a": $f($s, $n)}', '1, 1'),
  recursion('$map([1, 2], function($x){ $f($x, $n) })', '1, 1'),
  '($e := function(){ $o() }; $o := function(){ $e() }; $e())',
  '(λ($x){ $x($x) })(λ($x){ $x($x) })',
  '($f := function($n){ $f($n) + $f($n) }; $f(1))',
  '($f := function($n){ $n ~> $f }; $f(1))',
  '($f := function($n){ $n > 0 ? $f($n + 1) : $f($n - 1) }; $f(1))',
  '($f := function($n){ $reduce([1..10], function($x, $y){ $f($y) }) }; $f(1))',
  '($f := function(){ $sort([1, 2, 3], function($x, $y){ $f() }) }; $f())',
  '($f := function($s){ $replace($s, /a/, function($m){ $f($s) }) }; $f("aa"))',
  '($f := function($s){ $each({"a": 1, "b": 2}, $f) }; $f(1))',
  '($f := function($s){ $sift({"a": 1, "b": 2}, $f) }; $f(1))',
  '($f := function($s){ $filter([1, 2], $f) }; $f(1))',
  '($f := $f; $g := function(){ $h() }; $h := function(){ [$g(), $h()] }; $h())',
];

const LISTS = [
  '[1..1e4].([1..1e4])',
  '[1..1e5].([1..1e5].$)',
  '[1..1e8]',
  '[1..1e7].[1..1e7]',
  '[1..1e7].{"a": $, "b": [$, $, $]}',
  '$map([1..1e7], function($i){ $map([1..1e7], function($j){ $j }) })',
  '$count([1..1e6][$ in [1..1e6]])',
  '$count([1..5000].($x := $; [1..5000][$ = $x]))',
  doubling('$append($s, $s)', '[1]'),
  doubling('[$s, $s]', '[1]'),
  doubling('$zip($s, $s)', '[1, 2]'),
  '$reduce([1..1e6], function($s, $i){ $append($s, $i) })',
  '$reduce([1..1e5], function($s, $i){ $merge([$s, {$string($i): $s}]) }, {})',
  '$zip([1..1e7], [1..1e7], [1..1e7])',
  '$distinct([1..1e7])',
  '$reverse([1..1e7])',
  '$shuffle([1..1e7])',
  '$join([1..1e7].$string($))',
  '$spread([1..1e6].{"a": $, "b": $})',
  '[1..1e6]@$i.[1..1e6]@$j.{"i": $i, "j": $j}',
  '[1..1e5]#$i.[1..1e5]#$j[$i = $j]',
  '$count([1..3000].[1..3000].[1..3000])',
  '[[1..1e6], [1..1e6], [1..1e6], [1..1e6], [1..1e6], [1..1e6], [1..1e6], [1..1e6], [1..1e6], [1..1e6], [1..1e6]]',
];

const SORTS = [
  `$sort(${RECORDS}, function($l, $r){ $l.k > $r.k })`,
  `$sort(${RECORDS}, function($l, $r){ $length($l.t & $r.t) > 5 and $l.k > $r.k })`,
  `${RECORDS}^(k, >t)`,
  `${RECORDS}{$string(k): $count($)}`,
  '$sort([1..1e6], function($l, $r){ ($f := function($n){ $n = 0 ? $l < $r : $f($n - 1) }; $f(50)) })',
];

const TEXTS = [
  doubling('$s & $s', '"x"'),
  doubling('$join([$s, $s])', '"x"'),
  doubling('$replace($s, "x", "xx")', '"x"'),
  `($x := ${a(9e6)}; $x & $x & $x & $x & $x & $x & $x & $x & $x & $x & $x & $x & $x & $x & $x & $x & $x & $x & $x & $x)`,
  '$pad("x", 5e8)',
  '$pad("x", -5e8, "ab")',
  '$pad("x", 1e300)',
  `$replace(${a(1e5)}, "a", ${a(1e5)})`,
  `$replace(${a(3000)}, /a/, ${a(1e5)})`,
  `$replace(${a(1e6)}, /(a)/, "$1$1$1$1$1$1$1$1$1$1$1$1")`,
  `$join([1..1e5].(${a(1e3)}))`,
  `$split(${a(9e6)}, "")`,
  `$count($split(${a(5e6)}, /a/))`,
  `$match(${a(2e6)}, /a/)`,
  `$count([1..1e5].($uppercase(${a(1e6)})))`,
  `$count([1..1e5].($length(${a(1e6)})))`,
  `$count([1..1e5].($contains(${a(1e6)}, "b")))`,
  `$count([1..1e5].($trim(${a(1e6)})))`,
  `$count([1..1e5].($base64encode(${a(1e6)})))`,
  `$count([1..1e5].($encodeUrl(${a(1e6)})))`,
  `$count([1..1e5].($substringBefore(${a(1e6)}, "b")))`,
  '$encodeUrlComponent("\ud800")',
  '$string([1..1e7])',
  recursion('$n = 0 ? $string($s) : $f([[$s], [$s]], $n - 1)', '1, 60'),
];

const TREES = [
  recursion('$n = 0 ? $s : $f([[$s], [$s]], $n - 1)', '1, 60'),
  recursion('$n = 0 ? $s : $f({"l": $s, "r": $s}, $n - 1)', '1, 60'),
  recursion('$n = 0 ? $s = $clone($s) : $f([[$s], [$s]], $n - 1)', '1, 60'),
  recursion('$n = 0 ? $distinct([$s, $s]) : $f([[$s], [$s]], $n - 1)', '1, 60'),
  recursion('$n = 0 ? $count($s.**) : $f([[$s], [$s]], $n - 1)', '1, 60'),
  recursion('$n = 0 ? $s ~> |**|{"z": 1}| : $f({"l": $s, "r": $s}, $n - 1)', '1, 40'),
  recursion('$n = 0 ? $s : $f([$s], $n - 1)', '1, 5000'),
  recursion('$n = 0 ? $string($s) : $f([$s], $n - 1)', '1, 5000'),
  '$ ~> |**|{"copy": $$}|',
  '$$.**.**.**.**.**',
];

const PATTERNS = [
  `$contains(${a(40)} & "b", /^(a+)+$/)`,
  `$contains(${a(5000)}, /(a|aa)+b/)`,
  `$contains(${a(30)}, /(a?){30}a{30}b/)`,
  `$contains(${a(1e6)}, /a*a*a*a*b/)`,
  `$match(${a(3000)}, /(a*)*b/)`,
  `$replace(${a(40)} & "b", /(\\w+\\s?)+$/, "")`,
  `$split(${a(40)} & "!", /(a|a)*c/)`,
  `$contains(${a(1e5)} & "!", /^(([a-z])+.)+[A-Z]([a-z])+$/)`,
  `$contains(${a(3e4)}, /(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)[^a]/)`,
  `$contains(${a(1e6)}, /(x+x+)+y|a+$b/)`,
  `$replace($pad("", 9e5, " "), /\\s+$x/, "")`,
  `$contains("aa", /(a)\\1/)`,
  `$contains("aa", /(?=a)a/)`,
  `$contains("aa", /(a{1000}){1000}/)`,
];

const PICTURES = [
  `$toMillis(${a(500)}, "${'[MNn]'.repeat(40)}!")`,
  `$toMillis("${'one'.repeat(60)}", "${'[YW]'.repeat(20)}!")`,
  `$toMillis("${'1'.repeat(5000)}", "${'[Y]'.repeat(500)}")`,
  '$fromMillis(0, "[Y,9999999999]")',
  `$fromMillis(0, $pad("", 9e6, "[Y]"))`,
  `$formatNumber(5, "0." & ${a(0)} & $pad("", 5e6, "0"))`,
  '$formatNumber(1e308, "#,##0.00")',
  '$formatInteger(1e300, "I")',
  '$formatInteger(1e15, "w")',
  '$formatInteger(1, $pad("", 9e6, "0") & $pad("", 9e6, "0"))',
  '$formatBase(1e300, 2)',
  `$parseInteger(${a(1e6)}, "w")`,
  '$count([1..1e6].$formatNumber($, "#,##0.00"))',
  '$count([1..1e6].$fromMillis($, "[FNn], [D1o] [MNn] [YW]"))',
  '$count([1..1e6].$toMillis("2024-01-01T00:00:00Z"))',
  '$power(10, 1e6)',
];

const EVALS = [
  '($f := function(){ $eval("$f()") }; $f())',
  '($f := function($s){ $eval("$f($s)") + 1 }; $f(1))',
  '$eval("[1..1e4].([1..1e4])")',
  '$eval("$eval(\\"[1..1e4].([1..1e4])\\")")',
  '$eval($pad("", 1e6, "("))',
  '$eval($pad("", 2e5, "1+") & "1")',
  '$map([1..1e6], function($i){ $eval("1+1") })',
  '$eval("($x := " & $string([1..1e5]) & "; $x)")',
];

const NAMES = [
  '__proto__.polluted',
  'constructor.constructor("return process")()',
  '$lookup($, "__proto__")',
  '$merge([{"__proto__": {"polluted": 1}}]) ~> |$|{"constructor": 1}|',
  '$sum.constructor',
  '$each.call',
  '($ ~> |$|{"__proto__": {"x": 1}}|).x',
];

const LARGE = [
  '('.repeat(100_000),
  '['.repeat(100_000),
  `a${'.a'.repeat(100_000)}`,
  `1${'+1'.repeat(100_000)}`,
  `1${'+1'.repeat(400_000)}`,
  `"${'x'.repeat(900_000)}"`,
  `[${'1,'.repeat(100_000)}1]`,
  `${'('.repeat(40)}a${' ?: 1)'.repeat(40)}`,
  `${'['.repeat(40)}a${' ?? 1]'.repeat(40)}`,
  '/**/'.repeat(50_000),
  `${'-'.repeat(100_000)}1`,
  `{${'"a":1,'.repeat(50_000)}"b":1}`,
  `(λ($a)<${'s?'.repeat(25)}${'s'.repeat(25)}:s>{ 1 })(${Array(25).fill('"x"').join(',')})`,
  '(λ($a)<s+s+s+s+s+s+s+n:s>{ 1 })("a","a","a","a","a","a","a","a","a","a","a","a","a","a","a","a","a")',
  `$error($pad("", 9e6, "e"))`,
  `$number($pad("", 9e6, "1"))`,
];

export const HOSTILE_EXPRESSIONS: readonly string[] = [
  ...ENDLESS,
  ...LISTS,
  ...SORTS,
  ...TEXTS,
  ...TREES,
  ...PATTERNS,
  ...PICTURES,
  ...EVALS,
  ...NAMES,
  ...LARGE,
];
