import { matchesPattern } from '@datadeck/contract';
import { PatternError, type PatternNode, readPattern } from './pattern-syntax.ts';

/** Steps after which a pattern counts as too intricate to be judged: about 50 ms. */
const MAX_STEPS = 2_000_000;
/** Characters beyond ASCII and Latin that stand for the rest. */
const SAMPLES = ['Ā', 'я', 'א', '中', '\u2028', '\ufeff', '😀', '٣', 'ſ', 'K'];
/** Repetitions of one character up to this often cost a fixed time. */
const FEW = 100;

/** The positions of a pattern, each of which takes one character, and which may follow which (Glushkov's automaton). */
interface Automaton {
  /** Numbers of the sample characters that each position takes. */
  takes: ReadonlySet<number>[];
  follows: Set<number>[];
  /** Whether two repetitions, one in the other, lead to the same position: `(a+)+`. */
  isRepeatedTwice: boolean;
}

interface Part {
  isEmpty: boolean;
  first: number[];
  last: number[];
}

function samplesOf(source: string): string[] {
  const ascii = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));
  const named = [...source].flatMap((character) => {
    const code = character.codePointAt(0) ?? 0;
    return [code - 1, code, code + 1]
      .filter((one) => one >= 0 && one <= 0x10ffff)
      .map((one) => String.fromCodePoint(one));
  });
  return [...new Set([...ascii, ...SAMPLES, ...named])];
}

/** Builds the automaton of a pattern. @param isLoop whether a repetition counts as one without an end */
function automatonOf(
  root: PatternNode,
  samples: readonly string[],
  isLoop: (node: PatternNode & { kind: 'many' }) => boolean,
): Automaton {
  const takes: Set<number>[] = [];
  const follows: Set<number>[] = [];
  let isRepeatedTwice = false;
  const connect = (from: readonly number[], to: readonly number[]) => {
    for (const one of from)
      for (const next of to) {
        isRepeatedTwice ||= follows[one]?.has(next) === true;
        follows[one]?.add(next);
      }
  };
  const known = new Map<string, Set<number>>();
  const taken = (source: string) => {
    const found = known.get(source);
    if (found) return found;
    const pattern = new RegExp(`^${source}$`, 'u');
    const set = new Set(samples.flatMap((sample, index) => (pattern.test(sample) ? [index] : [])));
    known.set(source, set);
    return set;
  };
  const build = (node: PatternNode): Part => {
    switch (node.kind) {
      case 'one': {
        const position = takes.push(taken(node.source)) - 1;
        follows.push(new Set());
        return { isEmpty: false, first: [position], last: [position] };
      }
      case 'any': {
        const parts = node.nodes.map(build);
        return {
          isEmpty: parts.some(({ isEmpty }) => isEmpty),
          first: parts.flatMap(({ first }) => first),
          last: parts.flatMap(({ last }) => last),
        };
      }
      case 'all':
        return node.nodes.map(build).reduce<Part>(
          (before, part) => {
            connect(before.last, part.first);
            return {
              isEmpty: before.isEmpty && part.isEmpty,
              first: before.isEmpty ? [...before.first, ...part.first] : before.first,
              last: part.isEmpty ? [...before.last, ...part.last] : part.last,
            };
          },
          { isEmpty: true, first: [], last: [] },
        );
      case 'many': {
        const part = build(node.node);
        if (node.most > 1 && isLoop(node)) connect(part.last, part.first);
        return { ...part, isEmpty: part.isEmpty || node.isOptional };
      }
    }
  };
  build(root);
  return { takes, follows, isRepeatedTwice };
}

/** Counts the steps of a check. */
class Steps {
  #left = MAX_STEPS;

  /** @throws PatternError when the pattern is too intricate */
  take(): void {
    if (--this.#left < 0) throw new PatternError('The pattern is too intricate. Write a shorter one.');
  }
}

function common(some: ReadonlySet<number>, others: ReadonlySet<number>): ReadonlySet<number> {
  return new Set([...some].filter((one) => others.has(one)));
}

/** Returns for each tuple of positions the tuples to which one character leads. */
function successors({ takes, follows }: Automaton, tuple: readonly number[], steps: Steps): number[][] {
  let found: { positions: number[]; characters: ReadonlySet<number> | undefined }[] = [
    { positions: [], characters: undefined },
  ];
  for (const position of tuple) {
    const longer: typeof found = [];
    for (const { positions, characters } of found)
      for (const next of follows[position] ?? []) {
        steps.take();
        const taken = takes[next] as ReadonlySet<number>;
        const both = characters === undefined ? taken : common(taken, characters);
        if (both.size > 0) longer.push({ positions: [...positions, next], characters: both });
      }
    found = longer;
  }
  return found.map(({ positions }) => positions);
}

/** Returns whether one word leads from each position of a tuple to the same one of another tuple. */
function leadsTo(
  automaton: Automaton,
  from: readonly number[],
  to: readonly number[],
  steps: Steps,
  via = false,
): boolean {
  const goal = to.join();
  const seen = new Set<string>();
  const open: { tuple: number[]; hasParted: boolean }[] = [{ tuple: [...from], hasParted: !via }];
  for (let state = open.pop(); state; state = open.pop()) {
    for (const tuple of successors(automaton, state.tuple, steps)) {
      const hasParted = state.hasParted || new Set(tuple).size > 1;
      const name = tuple.join();
      if (hasParted && name === goal) return true;
      const key = `${hasParted}${name}`;
      if (seen.has(key)) continue;
      seen.add(key);
      open.push({ tuple, hasParted });
    }
  }
  return false;
}

/** Returns the positions from which a way leads back to themselves. */
function loopsOf(automaton: Automaton, steps: Steps): number[] {
  return automaton.takes.flatMap((_, position) =>
    leadsTo(automaton, [position], [position], steps) ? [position] : [],
  );
}

const isFew = (node: PatternNode & { kind: 'many' }) => node.node.kind === 'one' && node.most <= FEW;

/** Returns whether some text can be read in two ways within one repetition: time then doubles with each character. */
function isExponential(root: PatternNode, samples: readonly string[], steps: Steps): boolean {
  const automaton = automatonOf(root, samples, () => true);
  if (automaton.isRepeatedTwice) return true;
  return loopsOf(automaton, steps).some((position) =>
    leadsTo(automaton, [position, position], [position, position], steps, true),
  );
}

/** Returns whether two repetitions, one after the other, can share a text: time then grows with its square. */
function isQuadratic(root: PatternNode, samples: readonly string[], steps: Steps): boolean {
  const automaton = automatonOf(root, samples, (node) => !isFew(node));
  const loops = loopsOf(automaton, steps);
  return loops.some((one) =>
    loops.some((other) => one !== other && leadsTo(automaton, [one, one, other], [one, other, other], steps)),
  );
}

/** Longest value of a field. */
const LONGEST = 1000;
/** Characters that are tried. */
const MAX_TRIED = 300;

/**
 * Matches a pattern with long values of one character. Bounded repetitions, such as fifty times `a?`, are no loops of the automaton
 * and may still take very long: the thread then reaches its limit.
 */
function tryPattern(pattern: string, samples: readonly string[]): void {
  for (const sample of samples.slice(0, MAX_TRIED)) {
    matchesPattern(sample.repeat(LONGEST), pattern);
    matchesPattern(`${sample.repeat(LONGEST - 1)}\u0001`, pattern);
  }
}

/**
 * Returns why a pattern of a form's field cannot be used, as a sentence: it is not well formed, or matching may take more
 * time than in proportion to the text. Undefined if it can. Runs in the builder's thread.
 * @param pattern source of a regular expression with the flag `u` that is compared with the whole value
 */
export function patternProblem(pattern: string): string | undefined {
  try {
    matchesPattern('', pattern);
    // A bracket could otherwise end the group around the pattern.
    new RegExp(pattern, 'u');
  } catch {
    return 'The pattern is no regular expression. Escape signs such as / - . with a backslash, and close all brackets.';
  }
  try {
    const root = readPattern(pattern);
    const [samples, steps] = [samplesOf(pattern), new Steps()];
    if (!isExponential(root, samples, steps) && !isQuadratic(root, samples, steps)) {
      tryPattern(pattern, samples);
      return undefined;
    }
    return 'Matching the pattern may take very long, because two of its repetitions can take the same characters. Leave one of them out, or give them different characters.';
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
}
