/** Functions of JSONata that do what Python does, by name: each is defined in an expression that needs it. */
const HELPERS: Readonly<Record<string, string>> = {
  /** The truth of a value: a list is true unless it is empty. */
  truth: "function($v){ $type($v) = 'array' ? $count($v) > 0 : $boolean($v) = true }",
  /** `==`; what is missing on both sides is equal. */
  same: 'function($a, $b){ $exists($a) ? $counted($a) = $counted($b) : $not($exists($b)) }',
  /** A truth as the number that it equals. */
  counted: 'function($v){ $v = true ? 1 : $v = false ? 0 : $v }',
  /** A value as the item of a list, which does not take the items of another list as its own. */
  item: "function($v){ $type($v) = 'array' ? [[$v]] : $v }",
  /** `str`. */
  str: "function($v){ $type($v) = 'string' ? $v : $exists($v) ? $repr($v) : '' }",
  repr:
    "function($v){ $type($v) = 'string' ? $quoted($v) : $v = true ? 'True' : $v = false ? 'False' : $v = null ? 'None' : " +
    "$type($v) = 'array' ? '[' & $join($map($v, function($i){ $repr($i) }), ', ') & ']' : " +
    "$type($v) = 'object' ? '{' & $join($map($keys($v), function($k){ $quoted($k) & ': ' & $repr($lookup($v, $k)) }), ', ') & '}' : " +
    "$exists($v) ? $string($v) : 'Undefined' }",
  quoted:
    "function($t){ ($e := $replace($replace($replace($t, '\\\\', '\\\\\\\\'), '\\n', '\\\\n'), '\\r', '\\\\r'); " +
    '$contains($t, "\'") ? ($contains($t, \'"\') ? "\'" & $replace($e, "\'", "\\\\\'") & "\'" : \'"\' & $e & \'"\') : "\'" & $e & "\'") }',
  /** `str` of a number with a decimal point. */
  flt: "function($n){ $floor($n) = $n ? $string($n) & '.0' : $string($n) }",
  /** Text of JSON as Python writes it. */
  json:
    "function($v){ $type($v) = 'array' ? '[' & $join($map($v, function($i){ $json($i) }), ', ') & ']' : " +
    "$type($v) = 'object' ? '{' & $join($map($keys($v), function($k){ $jsonText($k) & ': ' & $json($lookup($v, $k)) }), ', ') & '}' : " +
    "$type($v) = 'string' ? $jsonText($v) : $string($v) }",
  jsonText: 'function($t){ ($j := $string([$t]); $substring($j, 1, $length($j) - 2)) }',
  /** A field of an object. */
  field:
    "function($v, $k){ $type($v) = 'object' ? ($type($k) = 'string' ? $lookup($v, $k)) : $type($v) = 'array' or $type($v) = 'string' ? $index($v, $k) }",
  /** An item of a list, or a character. */
  index:
    "function($v, $i){ $type($i) = 'number' ? ($type($v) = 'string' ? $substring($v, $i, 1) : $type($v) = 'array' ? $v[$i]) }",
  slice:
    "function($v, $from, $to){ $type($v) = 'string' ? $substring($v, $bound($from, $length($v)), $max([0, $bound($to, $length($v)) - $bound($from, $length($v))])) : " +
    '[$filter($v, function($i, $n){ $n >= $bound($from, $count($v)) and $n < $bound($to, $count($v)) })] }',
  bound: 'function($i, $n){ $i < 0 ? $max([0, $n + $i]) : $min([$i, $n]) }',
  has: "function($c, $v){ $type($c) = 'string' ? $contains($c, $v) : $type($c) = 'object' ? $v in $keys($c) : $type($c) = 'array' ? $v in $c : false }",
  add: "function($a, $b){ $type($a) = 'string' ? $a & $b : $type($a) = 'array' ? [$append($a, $b)] : $a + $b }",
  size: "function($v){ $type($v) = 'string' ? $length($v) : $type($v) = 'object' ? $count($keys($v)) : $count($v) }",
  int:
    "function($v){ $type($v) = 'number' ? $whole($v) : $v = true ? 1 : $type($v) = 'string' ? " +
    '($contains($v, /^\\s*[+-]?(\\d+\\.?\\d*|\\.\\d+)(e[+-]?\\d+)?\\s*$/i) ? $whole($decimal($v)) : 0) : 0 }',
  /** What `literal_eval` reads in a text: numbers and truths. An empty text is nothing. */
  literal:
    "function($v){ $type($v) = 'string' ? ($v = '' or $v = 'None' ? $nothing : $v = 'True' ? true : $v = 'False' ? false : " +
    '$contains($v, /^-?(0|[1-9]\\d{0,15})(\\.\\d+)?$/) ? $number($v) : $v) : $v = null ? $nothing : $v }',
  whole: 'function($n){ $n < 0 ? $ceil($n) : $floor($n) }',
  float:
    "function($v){ $type($v) = 'number' ? $v : $v = true ? 1 : $type($v) = 'string' ? " +
    '($contains($v, /^\\s*[+-]?(\\d+\\.?\\d*|\\.\\d+)(e[+-]?\\d+)?\\s*$/i) ? $decimal($v) : 0) : 0 }',
  decimal:
    "function($t){ $number($replace($replace($replace($replace($t, /\\s/, ''), /^\\+/, ''), /^(-?)\\./, '$10.'), /\\.(e|$)/i, '$1')) }",
  strip: "function($t){ $replace($replace($t, /^\\s+/, ''), /\\s+$/, '') }",
  greater: 'function($a, $b){ $b > $a ? $b : $a }',
  lesser: 'function($a, $b){ $b < $a ? $b : $a }',
  /** Milliseconds of an ISO text or of seconds since 1970; what has no zone is UTC. */
  ms:
    "function($t){ $type($t) = 'number' ? $t * 1000 : ($i := $replace($t, /^(\\d{4}-\\d\\d-\\d\\d)[ _]/, '$1T'); " +
    "$contains($i, /T\\d\\d:\\d\\d(Z|[+-]\\d\\d:?\\d\\d)?$/) ? $toMillis($replace($i, /(T\\d\\d:\\d\\d)/, '$1:00')) : $toMillis($i)) }",
  months:
    "function($ms, $n){ ($y := $number($fromMillis($ms, '[Y0001]')); $m := $number($fromMillis($ms, '[M01]')) - 1 + $n; " +
    '$year := $y + $floor($m / 12); $month := $m - 12 * $floor($m / 12) + 1; ' +
    "$last := $number($fromMillis($toMillis($string($month = 12 ? $year + 1 : $year) & '-' & $formatInteger($month = 12 ? 1 : $month + 1, '00') & '-01') - 86400000, '[D01]')); " +
    "$day := $min([$number($fromMillis($ms, '[D01]')), $last]); " +
    "$toMillis($string($year) & '-' & $formatInteger($month, '00') & '-' & $formatInteger($day, '00') & $fromMillis($ms, 'T[H01]:[m01]:[s01].[f001]Z'))) }",
  /** A text with a character for each byte of its UTF-8. */
  bytes:
    'function($t){ $contains($t, /[^ -~\\s]/) ? $replace($encodeUrlComponent($t), /%([0-9A-F][0-9A-F])/, ' +
    "function($m){ $eval('\"\\\\u00' & $m.groups[0] & '\"') }) : $t }",
  /** The message of an error in an answer, as `JsonErrorMessageParser` of Airbyte’s CDK finds it. */
  errorText:
    "function($v){ $type($v) = 'string' ? $v : $type($v) = 'array' ? $join($map($v, function($i){ $errorText($i) }), ', ') : " +
    "$type($v) = 'object' ? $errorText($lookup($v, ['message', 'messages', 'error', 'errors', 'failures', 'failure', 'detail', 'err', " +
    "'error_message', 'msg', 'reason', 'status_message'][$truth($lookup($v, $))][0])) }",
  /** An object with other names of its members. */
  keyed: 'function($o, $f){ $merge($append([{}], $each($o, function($v, $k){ {$f($k): $v} }))) }',
  /** The same, also of the objects in it, but not of those in lists. */
  deepKeys:
    "function($o, $f){ $merge($append([{}], $each($o, function($v, $k){ {$f($k): $type($v) = 'object' ? $deepKeys($v, $f) : $v} }))) }",
  /** `KeysToSnakeCaseTransformation` of Airbyte’s CDK; fails for letters that it would write in ASCII. */
  snakeCase:
    "function($k){ $contains($k, /[^ -~]/) ? $error('A name is not in ASCII.') : " +
    '($t := $match($k, /[A-Z]+[a-z]*|[a-z]+|[0-9]+|[^a-zA-Z0-9]+/).($contains(match, /^[a-zA-Z0-9]/) ? match : ""); $n := $count($t); ' +
    '$w := $filter($t, function($x, $i){ $i = 0 or $i = $n - 1 or $x != "" }); ' +
    '$lowercase($join($append($contains($t[0] ?? "", /^[0-9]/) ? [""] : [], $w), "_")) ?? "") }',
  /** The object in which a field is added. */
  owner: "function($v){ $exists($v) ? ($type($v) = 'object' ? $v : $error('A field is no object.')) : {} }",
  at: "function($v, $k){ $type($v) = 'object' ? $lookup($v, $k) }",
  /** What `literal_eval` reads in a text, if it is of a type. */
  typed:
    "function($t, $type){ $t = 'True' ? true : $t = 'False' ? false : " +
    "$type = 'integer' and $contains($t, /^-?(0|[1-9]\\d{0,15})$/) ? $number($t) : $t }",
  /** An element of XML as `xmltodict` has it: an empty one is null. */
  xmlValue:
    "function($v){ $v = '' ? null : $type($v) = 'array' ? [$map($v, function($i){ $xmlValue($i) })] : $type($v) = 'object' ? " +
    "$merge($append([{}], $each($v, function($x, $k){ {$k: $substring($k, 0, 1) = '@' ? $x : $xmlValue($x)} }))) : $v }",
  /** A record without the values that a function chooses. Within a list they are null, but the last one. */
  pruned:
    "function($v, $is){ $type($v) = 'object' ? $merge($append([{}], $each($v, function($x, $k){ $isPruned($x, $is) ? {} : {$k: $pruned($x, $is)} }))) : " +
    "$type($v) = 'array' ? ($n := $count($v); $end := $n > 0 and $isPruned($v[$n - 1], $is) ? $n - 1 : $n; $end = 0 ? [] : " +
    '$reduce([0..$end - 1], function($a, $i){ $append($a, [$isPruned($v[$i], $is) ? null : $item($pruned($v[$i], $is))]) }, [])) : $v }',
  isPruned: "function($x, $is){ $not($type($x) in ['object', 'array']) and $is($x) = true }",
  quote:
    "function($t){ $replace($replace($replace($replace($replace($replace($encodeUrlComponent($t), '%2F', '/'), '!', '%21'), \"'\", '%27'), '(', '%28'), ')', '%29'), '*', '%2A') }",
};

const USED = /\$([A-Za-z]+)\(/g;

/** Returns an expression with the helpers that it calls, in parentheses; the expression itself if it calls none. */
export function withHelpers(given: string): string {
  // Parts of the expression may define some already.
  const source = Object.entries(HELPERS).reduce(
    (text, [name, helper]) => text.replaceAll(`$${name} := ${helper}; `, ''),
    given,
  );
  const names = new Set<string>();
  const visit = (text: string) => {
    for (const [, name = ''] of text.matchAll(USED)) {
      const helper = Object.hasOwn(HELPERS, name) ? HELPERS[name] : undefined;
      if (helper === undefined || names.has(name)) continue;
      names.add(name);
      visit(helper);
    }
  };
  visit(source);
  if (names.size === 0) return source;
  const definitions = [...names].map((name) => `$${name} := ${HELPERS[name]}; `);
  return `(${definitions.join('')}${source})`;
}
