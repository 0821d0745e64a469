const PLAIN = /^[\p{L}_][\p{L}\p{N}_]*$/u;
const RESERVED = new Set(['and', 'or', 'in', 'true', 'false', 'null', 'function', 'λ']);

/** Returns whether an expression can contain a field name: JSONata has no escape for a back-tick. */
export function canBeQuoted(name: string): boolean {
  return !name.includes('`');
}

/** Writes a field name as it appears in an expression, in back-ticks if needed. It must not contain a back-tick. */
export function quoteName(name: string): string {
  return PLAIN.test(name) && !RESERVED.has(name) ? name : `\`${name}\``;
}

/** Writes a field name after a period: as a text if it is empty or has a back-tick. */
export function stepTo(name: string): string {
  return name !== '' && canBeQuoted(name) ? quoteName(name) : JSON.stringify(name);
}

/** Writes a field of the context of an expression; `$` for an empty path. */
export function fieldBelow(path: readonly string[]): string {
  const text = path.map(stepTo).join('.');
  // A text at the beginning would be a value.
  return path.length === 0 ? '$' : text.startsWith('"') ? `$.${text}` : text;
}
