import { Callable, Native, type Site } from '../runtime/callable.ts';
import { JsonataError } from '../runtime/errors.ts';
import type { Code } from '../runtime/frame.ts';
import type { Budget } from '../runtime/limits.ts';
import { compilePattern, type Pattern } from './pattern.ts';
import type { TextMatch } from './text-match.ts';

export type { TextMatch } from './text-match.ts';

/** A regular expression as a value: a function from a text to its first match. */
export class RegexMatcher extends Callable {
  readonly #pattern: Pattern;
  readonly #position: number | undefined;

  constructor(pattern: Pattern, position: number | undefined) {
    super();
    this.#pattern = pattern;
    this.#position = position;
  }

  get arity(): number {
    return 2;
  }

  override call([text, from]: unknown[], site: Site): unknown {
    const { budget } = site.frame.run;
    const start = typeof from === 'number' ? from : 0;
    return this.#describe(String(text), this.#pattern.exec(String(text), start, budget), budget);
  }

  /** Whether the expression matches anywhere. */
  test(text: string, budget: Budget): boolean {
    return this.#pattern.test(text, budget);
  }

  /** The first match. */
  first(text: string, budget: Budget): TextMatch | undefined {
    return this.#pattern.exec(text, 0, budget);
  }

  /** The match after another one. Error: D1004, an empty match, which would never advance. */
  after(text: string, previous: TextMatch, budget: Budget): TextMatch | undefined {
    if (previous.end >= text.length) return undefined;
    const next = this.#pattern.exec(text, previous.end, budget);
    if (next?.match === '') {
      throw new JsonataError('D1004', { position: this.#position, value: this.#pattern.source });
    }
    return next;
  }

  #describe(text: string, found: TextMatch | undefined, budget: Budget): unknown {
    if (found === undefined) return undefined;
    const next = new Native(0, undefined, () =>
      this.#describe(text, this.after(text, found, budget), budget),
    );
    return { ...found, next };
  }
}

/** `/.../` in an expression. */
export function compileRegex(value: unknown, position: number | undefined): Code {
  const pattern = compilePattern(value instanceof RegExp ? value : /\[object Object\]/g, position);
  return () => new RegexMatcher(pattern, position);
}
