import type { Random } from './random.ts';
import { NAMES } from './random-document.ts';

const REGEXES = ['/a/', '/[a-c]+/', '/(\\w)(,)?/', '/b/i', '/x*/', '/^.|\\s/m', '/(a)|(b)/'];

type Call = () => string;

/** Writers of arguments: of any type, texts, numbers and lists; and one regular expression. */
interface Arguments {
  x: Call;
  s: Call;
  n: Call;
  l: Call;
  regex: string;
}

/**
 * Writes random expressions. The reference evaluates constructor members concurrently, so with two errors it may report
 * either one; therefore members after the first cannot fail.
 */
export class ExpressionWriter {
  readonly #random: Random;
  readonly #variables: string[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  write(depth = 4): string {
    const random = this.#random;
    if (depth <= 0) return this.#leaf();
    return random.pick<(depth: number) => string>([
      (d) => this.#path(d),
      (d) => this.#path(d),
      (d) => this.#path(d),
      (d) => this.#call(d),
      (d) => this.#call(d),
      (d) => this.#operator(d),
      (d) => this.#operator(d),
      (d) => this.#array(d),
      (d) => `{${this.#pairs(d)}}`,
      (d) => this.#block(d),
      (d) => this.#condition(d),
      (d) => this.#higherOrder(d),
      (d) => this.#chain(d),
      (d) => this.#special(d),
    ])(depth - 1);
  }

  /** Returns an expression that cannot fail and binds nothing. */
  #safe(): string {
    const path = this.#plainPath();
    return this.#random.pick([
      path,
      path,
      this.#literal(),
      `$count(${path})`,
      `$exists(${path})`,
      `$type(${path})`,
      `${path} = ${this.#literal()}`,
      `(${path} & "")`,
      `[${path}]`,
    ]);
  }

  #name(): string {
    return this.#random.pick(NAMES);
  }

  #literal(): string {
    return this.#random.pick([
      '0',
      '1',
      '2',
      '-1',
      '2.5',
      '"x"',
      '"open"',
      '"a"',
      '""',
      'true',
      'false',
      'null',
      '10',
    ]);
  }

  #variable(): string {
    return this.#variables.length > 0 && this.#random.chance(0.8) ? this.#random.pick(this.#variables) : '$';
  }

  #leaf(): string {
    return this.#random.pick([this.#literal(), this.#name(), this.#plainPath(), this.#variable(), '$', '$$']);
  }

  #plainPath(): string {
    return this.#random.many(1, 3, () => this.#name()).join('.');
  }

  #step(depth: number): string {
    const random = this.#random;
    const name = random.pick([this.#name(), this.#name(), this.#name(), this.#name(), '*', '**', '`name`']);
    const kind = random.below(24);
    if (kind < 12) return name;
    if (kind < 15) return `${name}[${random.pick(['0', '1', '-1', '0.5', '5'])}]`;
    if (kind < 18) return `${name}[${this.write(Math.min(depth, 2))}]`;
    if (kind === 18) return `${name}[]`;
    if (kind === 19) return `(${this.write(Math.min(depth, 2))})`;
    if (kind === 20) return `{${this.#pairs(1)}}`;
    if (kind === 21) return `[${this.#safe()}]`;
    if (kind === 22) return `$${random.pick(['string', 'count', 'type', 'keys', 'boolean'])}(${name})`;
    return `${name}[${this.#name()} ${random.pick(['=', '!=', '<', '>='])} ${this.#literal()}]`;
  }

  #path(depth: number): string {
    const random = this.#random;
    const start = random.pick([
      '',
      '',
      '',
      '',
      '$.',
      '$$.',
      this.#variables.length > 0 ? `${this.#variable()}.` : '',
    ]);
    let path = start + random.many(1, 3, () => this.#step(depth)).join('.');
    if (random.chance(0.12)) path += `^(${random.pick(['', '<', '>'])}${this.#key()})`;
    if (random.chance(0.04)) path += `^(${this.#key()}, >${this.#key()})`;
    if (random.chance(0.1)) path += `{${this.#pairs(depth)}}`;
    return path;
  }

  #key(): string {
    return this.#random.pick(['n', 'name', 'a', '$', '$string($)', 'b.c', '$count(list)']);
  }

  #pairs(depth: number): string {
    const random = this.#random;
    return random
      .many(1, 3, () => random.pick(['"k"', '"m"', '"z"', '"1"', 'name', 'a', '$string(n)']))
      .filter((key, i, all) => all.indexOf(key) === i)
      .map(
        (key, i) =>
          `${i > 0 && key !== '"m"' ? `"s${i}"` : key}: ${i === 0 ? this.write(Math.min(depth, 2)) : this.#safe()}`,
      )
      .join(', ');
  }

  #array(depth: number): string {
    if (this.#random.chance(0.25))
      return `[${this.#random.pick(['1..3', '0..n', '-1..1', '1..list', '3..1', '2..2'])}]`;
    const rest = this.#random.many(0, 2, () => this.#safe());
    return `[${[this.write(depth), ...rest].join(', ')}]${this.#random.chance(0.2) ? '[0]' : ''}`;
  }

  #operator(depth: number): string {
    const operator = this.#random.pick('+ - * / % = != < <= > >= and or in & & = ?: ??'.split(' '));
    // The reference loses regular expressions on the left of these operators and may then loop forever.
    const left = operator === '?:' || operator === '??' ? this.#safe() : this.write(depth);
    return `(${left} ${operator} ${this.write(depth)})`;
  }

  #block(depth: number): string {
    const known = this.#variables.length;
    const statements = this.#random.many(0, 2, () => {
      const name = `$${this.#random.pick(['u', 'v', 'w'])}`;
      const statement = `${name} := ${this.write(depth)}`;
      this.#variables.push(name);
      return statement;
    });
    const block = `(${[...statements, this.write(depth)].join('; ')})`;
    this.#variables.length = known;
    return block + this.#random.pick(['', '', '', '', '[0]', '[]', `.${this.#name()}`]);
  }

  #condition(depth: number): string {
    const test = this.write(depth);
    return `(${test} ? ${this.write(depth)}${this.#random.chance(0.8) ? ` : ${this.write(depth)}` : ''})`;
  }

  /** Returns a call of any function with mostly fitting arguments. */
  #call(depth: number): string {
    const x = (): string => this.write(Math.min(depth, 2));
    const values: Arguments = {
      x,
      s: () => this.#random.pick(['name', 'a', '"abc def"', '"a,b,c"', '"-12.5"', x()]),
      n: () => this.#random.pick(['n', '2', '-1', '1234.567', '0', x()]),
      l: () => this.#random.pick(['list', 'rows', 'rows.n', '[3,1,2]', '["b","a","b"]', x()]),
      regex: this.#random.pick(REGEXES),
    };
    return this.#random.pick([
      ...this.#aggregateCalls(values),
      ...this.#textCalls(values),
      ...this.#numberCalls(values),
      ...this.#valueCalls(values),
      ...this.#otherCalls(values),
    ])();
  }

  /** Returns calls of functions that aggregate lists. */
  #aggregateCalls({ l }: Arguments): Call[] {
    return [
      () => `$sum(${l()})`,
      () => `$count(${l()})`,
      () => `$max(${l()})`,
      () => `$min(${l()})`,
      () => `$average(${l()})`,
    ];
  }

  /** Returns calls of functions of texts. */
  #textCalls({ x, s, n, l, regex }: Arguments): Call[] {
    return [
      () => `$string(${x()})`,
      () => `$string(${l()}, true)`,
      () => `$substring(${s()}, ${n()})`,
      () => `$substring(${s()}, ${n()}, ${n()})`,
      () => `$substringBefore(${s()}, ",")`,
      () => `$substringAfter(${s()}, " ")`,
      () => `$lowercase(${s()})`,
      () => `$uppercase(${s()})`,
      () => `$length(${s()})`,
      () => `$trim(" " & ${s()} & "  x ")`,
      () =>
        `$pad(${s()}, ${this.#random.pick(['5', '-8', '0', '2.7'])}, ${this.#random.pick(['"#"', '"ab"', '""'])})`,
      () => `$contains(${s()}, ${this.#random.pick([regex, '"a"', '""'])})`,
      () => `$split(${s()}, ${this.#random.pick([regex, '","', '""'])})`,
      () => `$split(${s()}, ",", ${this.#random.pick(['1', '0', '-1', '2.5'])})`,
      () => `$match(${s()}, ${regex})`,
      () =>
        `$replace(${s()}, ${this.#random.pick([regex, '"a"', '","'])}, ${this.#random.pick(['"$1-$$"', '"[$0]"', '""'])})`,
      () => `$replace(${s()}, /[a-c]/, function($m){ $uppercase($m.match) })`,
      () => `$join(${l()}, "-")`,
      () => `$number(${s()})`,
    ];
  }

  /** Returns calls of functions of numbers and dates. */
  #numberCalls({ n }: Arguments): Call[] {
    return [
      () => `$floor(${n()})`,
      () => `$round(${n()}, ${this.#random.pick(['0', '1', '-2', '2'])})`,
      () => `$power(${n()}, 2)`,
      () => `$sqrt(${n()})`,
      () =>
        `$formatNumber(${n()}, ${this.#random.pick(['"#,##0.00"', '"00.0e0"', '"#0%"', '"(#)"', '"0;-#0.0"', '"a#b"'])})`,
      () => `$formatBase(${n()}, ${this.#random.pick(['2', '16', '37'])})`,
      () =>
        `$formatInteger(${n()}, ${this.#random.pick(['"#,##0"', '"w"', '"Ww;o"', '"I"', '"A"', '"000"', '"1;o"', '"x"'])})`,
      () =>
        `$parseInteger(${this.#random.pick(['"1,234"', '"XIV"', '"forty-two"', 'name'])}, ${this.#random.pick(['"#,##0"', '"I"', '"w"', '"0"'])})`,
      () =>
        `$fromMillis(${this.#random.pick(['0', '1521801216617', 'n'])}, ${this.#random.pick(['"[Y]-[M01]"', '"[FNn], [D1o] [MNn,*-3] [Y0001]"', '"[H#1]:[m]:[s].[f001][Z]"', '"[W]/[w] [X] [x] [d] [h][P]"', '"[q]"'])}, ${this.#random.pick(['"+0100"', '"-0530"'])})`,
      () =>
        `$toMillis(${this.#random.pick(['"2018-03-23"', '"23/3/2018"', 'name'])}, ${this.#random.pick(['"[Y]-[M]-[D]"', '"[D]/[M]/[Y]"', '"[Y][M01]"'])})`,
    ];
  }

  /** Returns calls of functions of any values, objects and lists. */
  #valueCalls({ x, l }: Arguments): Call[] {
    return [
      () => `$boolean(${x()})`,
      () => `$not(${x()})`,
      () => `$exists(${x()})`,
      () => `$keys(${x()})`,
      () => `$lookup(${x()}, "${this.#name()}")`,
      () => `$append(${x()}, ${x()})`,
      () => `$spread(${x()})`,
      () => `$merge(${l()})`,
      () => `$reverse(${l()})`,
      () => `$sort(${l()})`,
      () => `$distinct(${l()})`,
      () => `$zip(${l()}, ${l()})`,
      () => `$type(${x()})`,
      () => `$clone(${x()})`,
    ];
  }

  /** Returns calls of other functions, of methods, and with wrong arguments. */
  #otherCalls({ x, s }: Arguments): Call[] {
    return [
      () => `$base64encode(${s()})`,
      () => `$encodeUrlComponent(${s()})`,
      () => `$assert(${x()}, "no")`,
      () => `$eval(${this.#random.pick(['"1+1"', '"a.b"', 'name', '"["', '"$sum(list)"'])})`,
      () =>
        `${this.#name()}.${this.#random.pick(['$string()', '$uppercase()', '$length()', '$keys()', '$number()'])}`,
      () =>
        `$${this.#random.pick(['nosuch', 'sum', 'string', 'append'])}(${this.#random.many(0, 3, x).join(', ')})`,
    ];
  }

  #higherOrder(depth: number): string {
    const list = this.#random.pick(['list', 'rows', 'rows.n', '[1,2,3]', this.write(depth)]);
    const known = this.#variables.length;
    this.#variables.push('$i', '$j');
    const body = this.write(Math.min(depth, 2));
    this.#variables.length = known;
    return this.#random.pick([
      `$map(${list}, function($i, $j){ ${body} })`,
      `$map(${list}, $string)`,
      `$map(${list}, $keys)`,
      `$filter(${list}, function($i, $j){ ${body} })`,
      `$single(${list}, function($i, $j){ ${body} })`,
      `$reduce(${list}, function($i, $j){ ${body} })`,
      `$reduce(${list}, function($i, $j){ $i & $j }, "s")`,
      `$each($, function($i, $j){ ${body} })`,
      `$sift($, function($i, $j){ ${body} })`,
      `$sort(${list}, function($i, $j){ $i.n > $j.n })`,
      `$sort(${list}, function($i, $j){ $i > $j })`,
      `(function($i, $j){ ${body} })(${list}, 1)`,
      `(λ($i)<n:n>{ $i + 1 })(${list})`,
      `(λ($i, $j)<a<n>s?:s>{ $sum($i) & $j })(${list})`,
      `($f := function($i){ $i <= 0 ? "end" : $f($i - 1) }; $f(3))`,
      `($f := $substring(?, 0, 2); $f($string(${list})))`,
      `($f := function($i, $j){ [$i, $j] }(?, 5); $f(${list}))`,
    ]);
  }

  #chain(depth: number): string {
    const value = this.write(depth);
    return this.#random.pick([
      `(${value} ~> $string)`,
      `(${value} ~> $count())`,
      `(${value} ~> $append(1))`,
      `(${value} ~> ($string ~> $length))`,
      `(${value} ~> function($i){ $i.n })`,
      `(${value} ~> ${this.#name()})`,
    ]);
  }

  #special(depth: number): string {
    return this.#random.pick([
      `rows@$r.b.{"n": $r.n, "c": c}`,
      `rows#$p[$p > 0].{"p": $p, "n": n}`,
      `rows@$r.list@$l[$l != ""].{"r": $r.n, "l": $l}`,
      `rows.b.d.{"n": n, "up": %.c, "upup": %.%.name}`,
      `rows.b.d[n > %.c].n`,
      `rows.b^(%.n).c`,
      `rows.list#$p.{"p": $p}`,
      `rows@$r#$p{$r.a: $sum($p)}`,
      `rows[a = "p"]@$r.b{$r.name: c}`,
      `list#$p^($string($)).[$, $p]`,
      `(rows.b.d)[n > %.c].n`,
      `$ ~> |rows|{"n": n + 1, "z": ${this.#safe()}}, ["a", "b"]|`,
      `$ ~> |**|{"q": 1}|`,
      `rows{a: $sum(n), "all": $count($)}`,
      `rows{a: {"names": name[], "max": $max(n)}}`,
      `rows.(n * 2)[]`,
      `-(${this.write(depth)})`,
      `rows[-1].n`,
      `rows[[0..1]].n`,
      `(rows.n)[$ > 1]`,
      `**.n`,
      `*.list[0]`,
      `$$.rows.name ~> $join("+")`,
    ]);
  }
}
