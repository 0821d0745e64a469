import { apply, type Callable, PassedFunction, type Site } from '../runtime/callable.ts';
import { JsonataError } from '../runtime/errors.ts';
import { SLOW } from '../runtime/fields.ts';
import { RegexMatcher, type TextMatch } from '../runtime/regex.ts';
import { markSequence } from '../runtime/sequence.ts';
import { isFunction, isObject } from '../runtime/values.ts';
import { type Builtin, unlessMissing } from './builtin.ts';

/** Iterates over the matches of a regular expression or matcher function in a text. */
class Matches {
  readonly #site: Site;
  readonly #matcher: unknown;
  readonly #text: string;
  #next: unknown;
  #previous: TextMatch | undefined;

  constructor(matcher: unknown, text: string, site: Site) {
    this.#matcher = matcher instanceof PassedFunction ? matcher.callee : matcher;
    this.#text = text;
    this.#site = site;
  }

  next(): TextMatch | undefined {
    const { budget } = this.#site.frame.run;
    budget.spend(1);
    if (this.#matcher instanceof RegexMatcher) {
      const previous = this.#previous;
      this.#previous =
        previous === undefined
          ? this.#matcher.first(this.#text, budget)
          : this.#matcher.after(this.#text, previous, budget);
      return this.#previous;
    }
    const isFirst = this.#previous === undefined;
    const found = apply(isFirst ? this.#matcher : this.#next, isFirst ? [this.#text] : [], this.#site);
    if (found === undefined) return undefined;
    if (!isMatch(found)) {
      if (found) throw new JsonataError('T1010');
      return undefined;
    }
    this.#next = found.next;
    this.#previous = found;
    return found;
  }
}

function isMatch(value: unknown): value is TextMatch & { next: unknown } {
  if (!isObject(value)) return false;
  return typeof value.start === 'number' || Array.isArray(value.groups) || isFunction(value.next);
}

/** Checks an optional limit. @throws JsonataError with the given code */
function checkLimit(limit: unknown, code: string, index: number): number {
  if (limit === undefined) return Number.POSITIVE_INFINITY;
  if ((limit as number) < 0) throw new JsonataError(code, { value: limit, index });
  return limit as number;
}

function contains(text: string, pattern: unknown, site: Site): boolean | undefined {
  if (pattern === undefined) return undefined;
  if (typeof pattern === 'string') return text.includes(pattern);
  const matcher = pattern instanceof PassedFunction ? pattern.callee : pattern;
  if (matcher instanceof RegexMatcher) return matcher.test(text, site.frame.run.budget);
  return new Matches(pattern, text, site).next() !== undefined;
}

function match(text: string, [, pattern, limit]: unknown[], site: Site): unknown {
  const most = checkLimit(limit, 'D3040', 3);
  const found: unknown[] = [];
  const matches = new Matches(pattern, text, site);
  while (found.length < most) {
    const next = matches.next();
    if (next === undefined) break;
    found.push({ match: next.match, index: next.start, groups: next.groups });
  }
  return markSequence(found);
}

function split(text: string, [, separator, limit]: unknown[], site: Site): unknown {
  const most = checkLimit(limit, 'D3020', 3);
  if (typeof separator === 'string') {
    site.frame.run.budget.spend(text.length);
    return text.split(separator, limit === undefined ? undefined : most);
  }
  const parts: string[] = [];
  const matches = new Matches(separator, text, site);
  let start = 0;
  while (parts.length < most) {
    const next = matches.next();
    if (next === undefined) {
      parts.push(text.slice(start));
      break;
    }
    parts.push(text.slice(start, next.start));
    start = next.end;
  }
  return parts;
}

function replace(text: string, [, pattern, replacement, limit]: unknown[], site: Site): string {
  if (pattern === '') throw new JsonataError('D3010', { value: pattern, index: 2 });
  const most = checkLimit(limit, 'D3011', 4);
  const { budget } = site.frame.run;
  const parts: string[] = [];
  let length = 0;
  const add = (part: string): void => {
    parts.push(part);
    length += part.length;
    if (length > budget.limits.stringLength) budget.spendText(length);
  };
  let at = 0;
  if (typeof pattern === 'string') {
    // The reference converts a function that replaces a plain string into this text.
    const substitute = typeof replacement === 'string' ? replacement : '[object Object]';
    for (let n = 0; n < most; n++) {
      const found = text.indexOf(pattern, at);
      if (found < 0) break;
      budget.spend(1);
      add(text.slice(at, found));
      add(substitute);
      at = found + pattern.length;
    }
  } else {
    const substitute = substitution(replacement, site);
    const matches = new Matches(pattern, text, site);
    for (let n = 0; n < most; n++) {
      const next = matches.next();
      if (next === undefined) break;
      add(text.slice(at, next.start));
      add(substitute(next));
      at = next.start + next.match.length;
    }
  }
  add(text.slice(at));
  budget.spendText(length);
  return parts.join('');
}

/** Returns the replacement of a match. @throws JsonataError D3012 if a function does not return a string */
function substitution(replacement: unknown, site: Site): (found: TextMatch) => string {
  if (typeof replacement === 'string') return (found) => expand(replacement, found);
  return (found) => {
    const text = apply(replacement as Callable, [found], site);
    if (typeof text !== 'string') throw new JsonataError('D3012', { value: text });
    return text;
  };
}

/** Replaces `$$`, `$0` and `$n`, where n has at most as many digits as the number of groups. */
function expand(template: string, { match: whole, groups }: TextMatch): string {
  const digits = groups.length === 0 ? 1 : Math.floor(Math.log10(groups.length)) + 1;
  let text = '';
  let at = 0;
  for (let dollar = template.indexOf('$'); dollar >= 0; dollar = template.indexOf('$', at)) {
    text += template.slice(at, dollar);
    at = dollar + 1;
    const next = template.charAt(at);
    if (next === '$' || next === '0') {
      text += next === '$' ? '$' : whole;
      at++;
      continue;
    }
    let index = Number.parseInt(template.slice(at, at + digits), 10);
    if (digits > 1 && index > groups.length) index = Number.parseInt(template.slice(at, at + digits - 1), 10);
    if (Number.isNaN(index)) {
      text += '$';
    } else {
      text += groups[index - 1] ?? '';
      at += String(index).length;
    }
  }
  return text + template.slice(at);
}

export const matching: readonly Builtin[] = [
  {
    name: 'contains',
    signature: '<s-(sf):b>',
    summary: 'Returns whether a string contains another string or a match of a regular expression.',
    arity: 2,
    body: unlessMissing<string>((text, [, pattern], site) => contains(text, pattern, site)),
    quick: {
      arity: 2,
      call: (text, pattern) =>
        typeof text === 'string' && typeof pattern === 'string' && text.length < 4096
          ? text.includes(pattern)
          : SLOW,
    },
  },
  {
    name: 'match',
    signature: '<s-f<s:o>n?:a<o>>',
    summary: 'Returns the matches of a regular expression, each with match, index and groups.',
    arity: 3,
    body: unlessMissing<string>(match),
  },
  {
    name: 'replace',
    signature: '<s-(sf)(sf)n?:s>',
    summary:
      'Replaces a string or the matches of a regular expression. $1 in the replacement refers to the first group.',
    arity: 4,
    body: unlessMissing<string>(replace),
  },
  {
    name: 'split',
    signature: '<s-(sf)n?:a<s>>',
    summary: 'Splits a string at a separator or at the matches of a regular expression.',
    arity: 3,
    body: unlessMissing<string>(split),
  },
];
