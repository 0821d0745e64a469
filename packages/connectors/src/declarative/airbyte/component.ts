/** A component of a manifest, or any other mapping in it. */
export type Component = { [name: string]: unknown };

export function isComponent(value: unknown): value is Component {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a text, a number or a boolean. */
export const isPlain = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** Returns a member that is a mapping; undefined for any other value. */
export function componentOf(owner: Component | undefined, name: string): Component | undefined {
  const value = owner?.[name];
  return isComponent(value) ? value : undefined;
}

/** Returns the mappings of a member that is a list, or the member as the only one. */
export function componentsOf(owner: Component | undefined, name: string): Component[] {
  const value = owner?.[name];
  return (Array.isArray(value) ? value : [value]).filter(isComponent);
}

/** Returns a member that is a text; an empty one for any other value. */
export function textOf(owner: Component | undefined, name: string): string {
  const value = owner?.[name];
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** Returns the words of a name, joined: `joinWords('My list!', '-')` is `My-list`. */
export function joinWords(name: string, separator: string): string {
  return name
    .split(/[^A-Za-z0-9]/)
    .filter((word) => word !== '')
    .join(separator);
}

/** Returns the texts between the expressions of a template and, at odd places, the expressions with their braces. */
export function splitTemplate(template: string): string[] {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    const start = template.indexOf('{{', at);
    const end = start < 0 ? -1 : template.indexOf('}}', start);
    if (end < 0) return [...parts, template.slice(at)];
    parts.push(template.slice(at, start), template.slice(start, end + 2));
    at = end + 2;
  }
}

/** Line numbers of mappings, from 1. */
export type Lines = WeakMap<object, number>;
