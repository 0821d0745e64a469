import { Callable, Native, type Site } from './callable.ts';
import { JsonataError } from './errors.ts';
import type { Code } from './frame.ts';
import { type Budget, LIMIT_CODES } from './limits.ts';

/** A match of a regular expression in a text. */
export interface TextMatch {
  readonly match: string;
  readonly start: number;
  readonly end: number;
  /** The text of each group; undefined for a group that did not match. */
  readonly groups: readonly (string | undefined)[];
}

/** A regular expression as a value: a function from a text to its first match. */
export class RegexMatcher extends Callable {
  readonly #regex: RegExp;
  readonly #position: number | undefined;

  constructor(regex: RegExp, position: number | undefined) {
    super();
    this.#regex = regex;
    this.#position = position;
  }

  get arity(): number {
    return 2;
  }

  override call([text, from]: unknown[], site: Site): unknown {
    const { budget } = site.frame.run;
    const start = typeof from === 'number' ? from : 0;
    return this.#describe(String(text), this.#exec(String(text), start, budget), budget);
  }

  /** Returns whether the expression matches anywhere in the text. */
  test(text: string, budget: Budget): boolean {
    return this.#exec(text, 0, budget) !== undefined;
  }

  /** Returns the first match. */
  first(text: string, budget: Budget): TextMatch | undefined {
    return this.#exec(text, 0, budget);
  }

  /** Returns the next match after another one. @throws JsonataError D1004 for an empty match, which would never advance */
  after(text: string, previous: TextMatch, budget: Budget): TextMatch | undefined {
    if (previous.end >= text.length) return undefined;
    const next = this.#exec(text, previous.end, budget);
    if (next?.match === '') {
      throw new JsonataError('D1004', { position: this.#position, value: this.#regex.source });
    }
    return next;
  }

  /** Finds the first match at or after an offset. Reading eight characters counts as one step. */
  #exec(text: string, from: number, budget: Budget): TextMatch | undefined {
    budget.spend((text.length >> 3) + 1);
    this.#regex.lastIndex = from;
    const found = this.#regex.exec(text);
    if (found === null) return undefined;
    const [match, ...groups] = found;
    return { match, start: found.index, end: found.index + match.length, groups };
  }

  #describe(text: string, found: TextMatch | undefined, budget: Budget): unknown {
    if (found === undefined) return undefined;
    const next = new Native(0, undefined, () =>
      this.#describe(text, this.after(text, found, budget), budget),
    );
    return { ...found, next };
  }
}

/** Compiles `/.../`. @throws JsonataError L1004 for lookaround and back-references, which have no linear-time match */
export function compileRegex(value: unknown, position: number | undefined): Code {
  const regex = value instanceof RegExp ? value : /\[object Object\]/g;
  if (hasLookaroundOrReference(regex.source)) {
    const reason = 'lookaround and back-references are not supported';
    throw new JsonataError(LIMIT_CODES.unsafePattern, { position, token: regex.source, value: reason });
  }
  return () => new RegexMatcher(regex, position);
}

/** Returns whether a pattern has lookaround or back-references outside of character classes. */
function hasLookaroundOrReference(source: string): boolean {
  let isInClass = false;
  for (let at = 0; at < source.length; at++) {
    const char = source[at];
    if (char === '\\') {
      at++;
      if (!isInClass && /[1-9k]/.test(source.charAt(at))) return true;
    } else if (char === '[') isInClass = true;
    else if (char === ']') isInClass = false;
    else if (char === '(' && !isInClass && /^\?<?[=!]/.test(source.slice(at + 1, at + 4))) return true;
  }
  return false;
}
