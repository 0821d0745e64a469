import { type Component, componentOf, componentsOf, isPlain } from './component.ts';

/** Returns what a connection specification says of a path, in each of its alternatives. */
export function propertiesAt(schema: Component, [name = '', ...rest]: readonly string[]): Component[] {
  const found = componentOf(componentOf(schema, 'properties'), name);
  if (found) return rest.length === 0 ? [found] : propertiesAt(found, rest);
  const branches = [...componentsOf(schema, 'oneOf'), ...componentsOf(schema, 'anyOf')];
  return branches.flatMap((branch) => propertiesAt(branch, [name, ...rest]));
}

/** Most values of a choice. */
const MAX_CHOICES = 50;

/** Returns the values among which a specification lets people choose, as texts; none for a free one. */
export function choicesOf(properties: readonly Component[]): string[] {
  const values = properties.flatMap(({ enum: listed, const: only, type }) => {
    if (Array.isArray(listed)) return listed;
    if (only !== undefined) return [only];
    return type === 'boolean' ? [true, false] : [];
  });
  return [...new Set(values.filter(isPlain).map(String))].slice(0, MAX_CHOICES);
}

/** Returns a text without the tags of HTML. */
export function withoutTags(text: string): string {
  const [first = '', ...others] = text.split('<');
  return first + others.map((part) => part.slice(part.indexOf('>') + 1)).join('');
}
