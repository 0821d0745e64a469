import type { Random } from './random.ts';
import { randomDocument } from './random-document.ts';

/** Returns rows like those of records, with an unusual row now and then. */
export function randomRows(random: Random): unknown[] {
  const isOdd = random.chance(0.3);
  return random.many(0, 9, () =>
    isOdd && random.chance(0.3) ? randomDocument(random, 2) : randomRow(random),
  );
}

function randomRow(random: Random): unknown {
  const isMixed = random.chance(0.05);
  return {
    n: random.chance(0.1) ? undefined : random.pick([0, 1, 2, 3, -1, 2.5]),
    name: isMixed ? random.pick([1, null, true]) : random.pick(['x', 'y', 'open', 'closed']),
    a: random.chance(0.2) ? undefined : random.pick(['p', 'q', 'r']),
    list: random.many(0, 3, () => random.pick(['x', 'y', 'z'])),
    rows: random.many(0, 2, () => ({ n: random.pick([1, 2]), name: random.pick(['x', 'y']) })),
    b: random.chance(0.1)
      ? undefined
      : { c: random.pick([1, 2, 10]), d: random.pick([[], [1], [[1, 2]], 'd']) },
  };
}

/** Writes expressions of the kinds that can be streamed, both valid and invalid ones. */
export class StreamWriter {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  write(): string {
    const random = this.#random;
    const value = () => random.pick([() => this.#aggregate(), () => this.#group(), () => this.#slice()])();
    return random.pick([
      () => this.#list(),
      () => this.#list(),
      value,
      value,
      value,
      () => `{"k": ${value()}, "m": ${this.#aggregate()}}`,
      () => `[${value()}, ${value()}]`,
      () => `${this.#aggregate()} ${random.pick(['+', '/', '&', '=', '>'])} ${this.#aggregate()}`,
      () => `${this.#aggregate()} > 2 ? ${value()} : ${value()}`,
      () => `($v := ${value()}; $string($v))`,
      () => `$round(${this.#aggregate()}, 1)`,
      () => `$keys(${this.#group()})`,
      () => `$distinct(${this.#list()})^($)`,
      () => `(${this.#list()})[${random.pick(['0', '-1', '[0..2]', 'n = 1'])}]`,
    ])();
  }

  #field(): string {
    return this.#random.pick(['n', 'name', 'a', 'list', 'rows', 'b.c', 'b.d', 'rows.n', 'rows[0].name', 'z']);
  }

  #condition(): string {
    const random = this.#random;
    const compare = () =>
      `${this.#field()} ${random.pick(['=', '!=', '>', '<='])} ${random.pick(['1', '2', '"x"', 'n'])}`;
    return random.pick([
      compare,
      compare,
      () => `${compare()} and ${compare()}`,
      () => `"x" in ${this.#field()}`,
      () => `$exists(${this.#field()})`,
      () => `$not(${this.#field()})`,
      () => `$contains(name, "x")`,
      () => 'true',
    ])();
  }

  #source(): string {
    const random = this.#random;
    return random.pick([
      () => '$',
      () => `$[${this.#condition()}]`,
      () => `$[${this.#condition()}]`,
      () => `$[${this.#condition()}][${this.#condition()}]`,
      () => this.#field(),
      () => `rows[${this.#condition()}]`,
      () => `list[$ = "x"]`,
    ])();
  }

  #list(): string {
    const random = this.#random;
    const step = () =>
      random.pick([
        () => `.${this.#field()}`,
        () => `.${this.#field()}`,
        () => `.(n * 2)`,
        () => `.{"n": n, "t": ${this.#field()}}`,
        () => `.[n, ${this.#field()}]`,
        () => `.$uppercase(name)`,
        () => `.list[0]`,
        () => '.*',
        () => `.(n > 1 ? name)`,
        () => '.$',
      ])();
    return this.#source() + random.many(0, 2, step).join('') + (random.chance(0.1) ? '[]' : '');
  }

  #aggregate(): string {
    const name = this.#random.pick(['count', 'sum', 'max', 'min', 'average', 'distinct']);
    return this.#random.pick([
      () => `$${name}(${this.#list()})`,
      () => `$${name}(n)`,
      () => `(${this.#list()} ~> $${name}())`,
      () => `(${this.#list()} ~> $${name})`,
    ])();
  }

  #group(): string {
    const random = this.#random;
    const key = random.pick(['name', 'a', '$string(n)', '"all"', 'b.c']);
    const value = random.pick([
      () => this.#aggregate(),
      () => `{"c": $count($), "s": ${this.#aggregate()}}`,
      () => `$[n = 1].name`,
      () => `n`,
      () => `$^(n)[0].name`,
    ])();
    const more = random.chance(0.2) ? `, ${random.pick(['"k"', 'a'])}: $count($)` : '';
    return `${this.#source()}{${key}: ${value}${more}}`;
  }

  #slice(): string {
    const random = this.#random;
    const order = random.pick(['', '^(n)', '^(>n)', '^(name)', '^(>n, name)', '^(a, >n)', '^(b.d)']);
    const slice = random.pick(['[0]', '[-1]', '[[0..1]]', '[[-2..-1]]', '[[0, 2]]', '[1]', '']);
    const rest = random.pick(['', '', '.name', '.{"n": n}', '{name: n}', '.list']);
    return this.#source() + order + slice + rest;
  }
}
