import { SETTING_LIMITS } from '@datadeck/contract';
import { samplesOf } from './pattern-samples.ts';
import { PatternError, type PatternNode, readPattern } from './pattern-syntax.ts';

/** Steps after which a pattern counts as too intricate to be judged: about 100 ms. */
const MAX_STEPS = 1_000_000;
/** Most positions of a pattern whose repetitions are written out. */
const MAX_POSITIONS = 2000;
/** Repetitions up to this often can be written out; longer ones count as those without an end. */
const MAX_COPIES = 256;
/** Most ways that matching tries for each character: five million for the longest value, about 50 ms. */
const MAX_WAYS = 5_000_000 / SETTING_LIMITS.value;

const INTRICATE = 'The pattern is too intricate. Write a shorter one.';
const SLOW = 'Matching the pattern may take very long, because';

/** By position, in how many ways it is reached. */
type Ways = Map<number, number>;

/** By source of a character, class or escape, the kinds of characters that it takes; kinds are numbers below `count`. */
interface CharacterKinds {
  kinds: ReadonlyMap<string, ReadonlySet<number>>;
  count: number;
}

/** A part of a pattern: in how many ways it takes nothing, and where it begins and ends. */
interface Part {
  empty: number;
  first: Ways;
  last: Ways;
}

function add(to: Ways, from: Ways, factor: number): void {
  if (factor > 0) for (const [one, ways] of from) to.set(one, (to.get(one) ?? 0) + ways * factor);
}

function sumOf(ways: Ways): number {
  return [...ways.values()].reduce((sum, one) => sum + one, 0);
}

function canBeEmpty(node: PatternNode): boolean {
  switch (node.kind) {
    case 'one':
      return false;
    case 'all':
      return node.nodes.every(canBeEmpty);
    case 'any':
      return node.nodes.some(canBeEmpty);
    case 'many':
      return node.least === 0 || canBeEmpty(node.node);
  }
}

/**
 * Counts the ways in which a backtracking engine reads a text by a pattern: each is a sequence of positions, one for each
 * character (Glushkov's automaton, whose transitions are counted, with bounded repetitions written out).
 */
class PatternWays {
  /** Kinds of characters that each position takes. */
  readonly #takes: ReadonlySet<number>[] = [];
  readonly #follows: Ways[] = [];
  readonly #kinds: ReadonlyMap<string, ReadonlySet<number>>;
  readonly #kindCount: number;
  readonly #root: Part;
  readonly #maxCopies: number;
  #stepsLeft = MAX_STEPS;

  /**
   * @param maxCopies repetitions up to this often are written out; others count as those without an end, which have more ways
   * @throws PatternError for a pattern that is too intricate, or that repeats what can be empty
   */
  constructor(root: PatternNode, { kinds, count }: CharacterKinds, maxCopies: number) {
    this.#kinds = kinds;
    this.#kindCount = count;
    this.#maxCopies = maxCopies;
    this.#root = this.#build(root);
  }

  /** Returns whether for each text and each of its characters there are few ways. @throws PatternError */
  areFew(): boolean {
    const { first, last, empty } = this.#root;
    if (empty + sumOf(first) > MAX_WAYS) return false;
    const tries = this.#follows.map((follows, at) => 1 + (last.get(at) ?? 0) + sumOf(follows));
    const seen = new Set<string>();
    const open: Ways[] = [];
    const reach = (follows: Iterable<[Ways, number]>): boolean => {
      const parts = [...follows];
      for (let kind = 0; kind < this.#kindCount; kind++) {
        const reached: Ways = new Map();
        for (const [next, factor] of parts)
          for (const [position, ways] of next) {
            this.#step();
            if (this.#takes[position]?.has(kind))
              reached.set(position, (reached.get(position) ?? 0) + ways * factor);
          }
        const tried = [...reached].reduce((sum, [at, ways]) => sum + ways * (tries[at] ?? 1), 0);
        if (tried > MAX_WAYS) return false;
        const name = [...reached].sort(([a], [b]) => a - b).join(' ');
        if (!seen.has(name)) open.push(reached);
        seen.add(name);
      }
      return true;
    };
    if (!reach([[first, 1]])) return false;
    for (let state = open.pop(); state; state = open.pop()) {
      const followed = [...state].map(([at, ways]): [Ways, number] => [this.#follows[at] as Ways, ways]);
      if (!reach(followed)) return false;
    }
    return true;
  }

  #step(): void {
    if (--this.#stepsLeft < 0) throw new PatternError(INTRICATE);
  }

  #connect(from: Ways, to: Ways): void {
    for (const [one, ways] of from) {
      this.#stepsLeft -= to.size;
      this.#step();
      add(this.#follows[one] as Ways, to, ways);
    }
  }

  #concat(a: Part, b: Part): Part {
    this.#connect(a.last, b.first);
    const [first, last] = [new Map(a.first), new Map(b.last)];
    add(first, b.first, a.empty);
    add(last, a.last, b.empty);
    return { empty: a.empty * b.empty, first, last };
  }

  #build(node: PatternNode): Part {
    switch (node.kind) {
      case 'one': {
        const position = this.#takes.push(this.#kinds.get(node.source) ?? new Set()) - 1;
        if (position >= MAX_POSITIONS) throw new PatternError(INTRICATE);
        this.#follows.push(new Map());
        return { empty: 0, first: new Map([[position, 1]]), last: new Map([[position, 1]]) };
      }
      case 'any': {
        const whole: Part = { empty: 0, first: new Map(), last: new Map() };
        for (const part of node.nodes.map((one) => this.#build(one))) {
          whole.empty += part.empty;
          add(whole.first, part.first, 1);
          add(whole.last, part.last, 1);
        }
        return whole;
      }
      case 'all':
        return node.nodes.reduce<Part>((before, one) => this.#concat(before, this.#build(one)), nothing());
      case 'many':
        return this.#repeat(node);
    }
  }

  #repeat({ node, least, most }: PatternNode & { kind: 'many' }): Part {
    if (most === 0) return nothing();
    if (most > 1 && canBeEmpty(node))
      throw new PatternError(
        `${SLOW} it repeats a part that may be empty. Let each repetition take a character: a* instead of (a?)*.`,
      );
    const isEndless = most > this.#maxCopies;
    const needed = Math.min(least, this.#maxCopies);
    let whole = nothing();
    for (let count = 1; count < needed; count++) whole = this.#concat(whole, this.#build(node));
    const last = this.#build(node);
    if (isEndless) this.#connect(last.last, last.first);
    let rest = last;
    // Each further one is tried only after the one before: x(x(x)?)?
    for (let count = Math.max(needed, 1); !isEndless && count < most; count++)
      rest = this.#concat(this.#build(node), { ...rest, empty: rest.empty + 1 });
    return this.#concat(whole, least === 0 ? { ...rest, empty: rest.empty + 1 } : rest);
  }
}

const nothing = (): Part => ({ empty: 1, first: new Map(), last: new Map() });

function sourcesOf(node: PatternNode): string[] {
  if (node.kind === 'one') return [node.source];
  return node.kind === 'many' ? sourcesOf(node.node) : node.nodes.flatMap(sourcesOf);
}

/**
 * Groups characters by the parts of a pattern that take them, and returns the groups that each part takes. A group is left out
 * if all parts that take it also take another group: a text of the other one is read in at least as many ways.
 */
function characterKinds(root: PatternNode, samples: readonly string[]): CharacterKinds {
  const sources = [...new Set(sourcesOf(root))];
  const patterns = sources.map((source) => new RegExp(`^${source}$`, 'u'));
  const groups = new Map<string, number[]>();
  for (const sample of samples) {
    const takers = patterns.flatMap((pattern, index) => (pattern.test(sample) ? [index] : []));
    groups.set(takers.join(), takers);
  }
  const all = [...groups.values()].map((takers) => new Set(takers)).sort((a, b) => b.size - a.size);
  const greatest: Set<number>[] = [];
  for (const takers of all)
    if (!greatest.some((one) => [...takers].every((taker) => one.has(taker)))) greatest.push(takers);
  const kinds = sources.map((source, index): [string, Set<number>] => [
    source,
    new Set(greatest.flatMap((takers, kind) => (takers.has(index) ? [kind] : []))),
  ]);
  return { kinds: new Map(kinds), count: greatest.length };
}

/**
 * Returns why a pattern of a form's field cannot be used, as a sentence: it is not well formed, or matching may take more
 * time than in proportion to the text. Undefined if it can. Runs in the builder's thread.
 * @param pattern source of a regular expression with the flag `u` that is compared with the whole value
 */
export function patternProblem(pattern: string): string | undefined {
  try {
    // Not run before it is judged. By itself, too: a bracket could otherwise end the group around the pattern.
    for (const source of [pattern, `^(?:${pattern})$`]) new RegExp(source, 'u');
  } catch {
    return 'The pattern is no regular expression. Escape signs such as / - . with a backslash, and close all brackets.';
  }
  try {
    const root = readPattern(pattern);
    const kinds = characterKinds(root, samplesOf(pattern));
    // Most patterns are judged as if all repetitions had no end, which takes few steps.
    if ([1, MAX_COPIES].some((copies) => new PatternWays(root, kinds, copies).areFew())) return undefined;
    return `${SLOW} two of its parts can take the same characters. Leave one of them out, or give them different characters.`;
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
}
