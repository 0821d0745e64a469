import { JsonataError } from '../runtime/errors.ts';
import { type Budget, LIMIT_CODES } from '../runtime/limits.ts';
import { waysToMatch } from './cost.ts';
import { Machine } from './machine.ts';
import { compileProgram } from './program.ts';
import { parsePattern, type Tree, Unsupported } from './syntax.ts';
import type { TextMatch } from './text-match.ts';

/** A compiled regular expression. */
export interface Pattern {
  readonly source: string;
  /** The first match at or after an offset. */
  exec(text: string, from: number, budget: Budget): TextMatch | undefined;
  test(text: string, budget: Budget): boolean;
}

/** The most attempts that the built-in engine may be given: a few dozen milliseconds. */
const NATIVE_ATTEMPTS = 5e6;

/**
 * Chooses by the text: the built-in engine where its work is bounded, else a machine that never repeats itself.
 * Error: L1004, lookaround, back-references and very large repetitions.
 */
export function compilePattern(regex: RegExp, position: number | undefined): Pattern {
  const { source, flags } = regex;
  const refused = (thrown: unknown): never => {
    if (!(thrown instanceof Unsupported)) throw thrown;
    throw new JsonataError(LIMIT_CODES.unsafePattern, { position, token: source, value: thrown.message });
  };
  let parsed: { tree: Tree; groups: number };
  try {
    parsed = parsePattern(source);
  } catch (thrown) {
    return refused(thrown);
  }
  const { tree, groups } = parsed;
  let machine: Machine | undefined;
  const slowly = (text: string, from: number, budget: Budget): number[] | undefined => {
    try {
      machine ??= new Machine(compileProgram(tree, flags), groups, flags.includes('m'));
    } catch (thrown) {
      return refused(thrown);
    }
    return machine.run(text, from, budget);
  };
  const isNative = (text: string, budget: Budget): boolean => {
    const attempts = (text.length + 1) * waysToMatch(tree, text.length);
    budget.spend((text.length >> 3) + 1);
    if (attempts > 1e5) budget.checkTime();
    return attempts <= NATIVE_ATTEMPTS;
  };
  return {
    source,
    exec(text, from, budget) {
      if (isNative(text, budget)) {
        regex.lastIndex = from;
        const found = regex.exec(text);
        if (found === null) return undefined;
        const [match, ...rest] = found;
        return { match, start: found.index, end: found.index + match.length, groups: rest };
      }
      const slots = slowly(text, from, budget);
      return slots && toMatch(text, slots);
    },
    test(text, budget) {
      if (!isNative(text, budget)) return slowly(text, 0, budget) !== undefined;
      regex.lastIndex = 0;
      return regex.test(text);
    },
  };
}

function toMatch(text: string, slots: readonly number[]): TextMatch {
  const [start = 0, end = 0] = slots;
  const groups: (string | undefined)[] = [];
  for (let slot = 2; slot < slots.length; slot += 2) {
    const [from, to] = [slots[slot] ?? -1, slots[slot + 1] ?? -1];
    groups.push(from < 0 || to < 0 ? undefined : text.slice(from, to));
  }
  return { match: text.slice(start, end), start, end, groups };
}
