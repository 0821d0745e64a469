import { fieldBelow } from '../field-name.ts';

/** Longest condition that is written, UTF-16 units; a longer one would not fit in a saved expression. */
const MAX_CONDITION = 1000;

/**
 * Returns the condition that a field has a value, e.g. `user.login = "ada"`; undefined for lists, objects and texts that are
 * too long. A missing field has no value, not even null.
 */
export function conditionOf(path: readonly string[], value: unknown): string | undefined {
  if (typeof value === 'object' && value !== null) return undefined;
  const field = fieldBelow(path);
  const condition = value === undefined ? `$not($exists(${field}))` : `${field} = ${JSON.stringify(value)}`;
  return condition.length > MAX_CONDITION ? undefined : condition;
}

/** Returns where a quoted text or name ends; the length of the expression if it does not. */
function endOfQuoted(expression: string, from: number): number {
  const quote = expression[from];
  for (let at = from + 1; at < expression.length; at++) {
    if (expression[at] === '\\' && quote !== '`') at++;
    else if (expression[at] === quote) return at;
  }
  return expression.length;
}

/** Returns whether an expression only selects rows, such as `$[state = "open"][draft = false]`, so that another condition may follow. */
export function isSelection(expression: string): boolean {
  const text = expression.trim();
  if (text === '') return true;
  if (!text.startsWith('$')) return false;
  let depth = 0;
  for (let at = 1; at < text.length; at++) {
    const char = text[at] ?? '';
    // It begins a regular expression or a comment, which may contain anything.
    if (char === '/') return false;
    if (char === '[') depth++;
    else if (depth === 0 && char.trim() !== '') return false;
    else if (char === ']') depth--;
    else if ('"\'`'.includes(char)) at = endOfQuoted(text, at);
  }
  return depth === 0;
}

/** Adds a condition to an expression: its result without the rows that do not fulfil it. */
export function withCondition(expression: string, condition: string): string {
  const text = expression.trim();
  if (isSelection(text)) return `${text || '$'}[${condition}]`;
  return `(${text})[${condition}]`;
}
