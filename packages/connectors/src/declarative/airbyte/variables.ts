import { type Component, componentOf, isPlain } from './component.ts';
import { type Code, call, literal, MISSING, stepOf } from './jinja/code.ts';
import type { Variables } from './jinja/translate-expression.ts';
import { UntranslatableError } from './jinja/untranslatable-error.ts';

/** Names by which templates read the part of a stream that a request is for. */
const SLICES = new Set(['stream_slice', 'stream_partition', 'stream_interval']);

/** What people enter, as templates read it. */
export interface Configuration {
  /** Returns what the specification says of a path. */
  property(path: readonly string[]): Component | undefined;
  /** Returns the code of a path. @throws UntranslatableError */
  code(path: readonly string[]): Code;
}

/** What the templates of a stream may read. */
export interface TemplateScope {
  config: Configuration;
  parameters: Component;
  /** Codes of the members of a slice, by name: of parents, and of times. */
  slice: ReadonlyMap<string, Code>;
  /** Further variables: `record`, `response`, … */
  roots?: Readonly<Record<string, Code>>;
}

/** Returns the scope of a component: its own parameters, if it has some. */
export function scopeAt(component: Component | undefined, scope: TemplateScope): TemplateScope {
  const parameters = componentOf(component, '$parameters');
  return parameters ? { ...scope, parameters } : scope;
}

function constantAt(parameters: Component, path: readonly string[]): Code | undefined {
  let value: unknown = parameters;
  for (const name of path)
    value = typeof value === 'object' && value !== null ? (value as Component)[name] : undefined;
  if (value === undefined) return undefined;
  if (value === null || isPlain(value)) return literal(value);
  return { source: JSON.stringify(value), type: Array.isArray(value) ? 'list' : 'object', isSimple: true };
}

/** Returns a member of a slice, or a field of one: `account.id` of the member `account`. */
function memberOf(slice: TemplateScope['slice'], path: readonly string[]): Code | undefined {
  const length = path.findLastIndex((_, index) => slice.has(path.slice(0, index + 1).join('.'))) + 1;
  const found = slice.get(path.slice(0, length).join('.'));
  const rest = path.slice(length);
  if (!found || rest.length === 0) return found;
  return call([found.source, ...rest.map(stepOf)].join('.'), 'any');
}

/** Returns the variables of the templates of a stream. */
export function variablesOf({ config, parameters, slice, roots = {} }: TemplateScope): Variables {
  return ([root = '', ...path]) => {
    if (root === 'config' && path.length > 0) {
      // An object of the form has no value of its own; its members have.
      return config.property(path)?.type === 'object' ? undefined : config.code(path);
    }
    if (root === 'parameters' && path.length > 0) return constantAt(parameters, path) ?? MISSING;
    const own = SLICES.has(root) ? memberOf(slice, path) : undefined;
    if (own) return own;
    if (SLICES.has(root) && path.length > 0 && path[0] !== 'extra_fields' && path[0] !== 'cursor_slice')
      throw new UntranslatableError(`the part ${path.join('.')} of the stream`);
    const found = Object.hasOwn(roots, root) ? roots[root] : undefined;
    if (!found) return undefined;
    if (path.length === 0) return found;
    const steps = path.map(stepOf).join('.');
    return call(`${found.source}.${steps}`, 'any');
  };
}
