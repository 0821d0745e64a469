import type { Budget } from '../runtime/limits.ts';
import type { TextMatch } from './matcher.ts';

/** A compiled regular expression. */
export interface Pattern {
  readonly source: string;
  /** The first match at or after an offset. */
  exec(text: string, from: number, budget: Budget): TextMatch | undefined;
  test(text: string, budget: Budget): boolean;
}

export function compilePattern(regex: RegExp, _position: number | undefined): Pattern {
  return {
    source: regex.source,
    exec(text, from) {
      regex.lastIndex = from;
      const found = regex.exec(text);
      if (found === null) return undefined;
      const [match, ...groups] = found;
      return { match, start: found.index, end: found.index + match.length, groups };
    },
    test(text) {
      regex.lastIndex = 0;
      return regex.test(text);
    },
  };
}
