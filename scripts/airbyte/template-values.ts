import {
  type JinjaNode,
  parseTemplate,
} from '../../packages/connectors/src/declarative/airbyte/jinja/parse-template.ts';
import type { SeededRandom } from './drawn-manifests.ts';

/** The variables of templates. */
export const ROOTS = [
  'config',
  'response',
  'record',
  'headers',
  'stream_slice',
  'stream_partition',
  'stream_interval',
  'stream_state',
  'next_page_token',
  'parameters',
  'last_record',
  'last_page_size',
  'components_values',
  'raw_schema',
];

type Kind = 'text' | 'date' | 'number' | 'integer' | 'list' | 'objects' | 'any';
/** The kinds of values that a template reads, by the path as JSON: `["config","start_date"]`. */
type Kinds = Map<string, Kind>;

const TEXTS = [
  '',
  'abc',
  'A b c',
  "it's",
  'say "x"',
  'ünï',
  '12',
  '-3',
  '4.5',
  'a,b,c',
  'a/b?c=d&e',
  'a:b',
  'x\\y',
  '<https://x.example/p?page=2>; rel="next"',
  '2024-02-29T12:30:45Z',
];
const DATES = [
  '2024-02-29',
  '2023-01-05T10:20:30Z',
  '2022-12-31T23:59:59+02:00',
  '2021-06-01T00:00:00',
  '2020-05-05T05:05:05.123Z',
];
const METHOD_OBJECTS: Readonly<Record<string, Kind>> = {
  split: 'text',
  strip: 'text',
  rstrip: 'text',
  replace: 'text',
  lower: 'text',
  upper: 'text',
  startswith: 'text',
};
const FILTER_OPERANDS: Readonly<Record<string, Kind>> = {
  int: 'integer',
  float: 'number',
  length: 'list',
  join: 'list',
  urlencode: 'text',
  base64encode: 'text',
  regex_search: 'text',
  lower: 'text',
  hash: 'text',
  replace: 'text',
  selectattr: 'objects',
};

const nodesOf = (value: unknown) => value as JinjaNode[];

/** Returns the names of a path of fields: `config['a'].get('b')`. */
function pathOf(node: JinjaNode): string[] | undefined {
  if (node.type === 'Identifier') return [String(node.value)];
  if (node.type === 'CallExpression') {
    const callee = node.callee as JinjaNode;
    const [key] = nodesOf(node.args);
    if (callee.type !== 'MemberExpression' || callee.computed) return undefined;
    if ((callee.property as JinjaNode).value !== 'get' || key?.type !== 'StringLiteral') return undefined;
    const before = pathOf(callee.object as JinjaNode);
    return before && [...before, String(key.value)];
  }
  if (node.type !== 'MemberExpression') return undefined;
  const before = pathOf(node.object as JinjaNode);
  const property = node.property as JinjaNode;
  const isName = property.type === (node.computed ? 'StringLiteral' : 'Identifier');
  return before && isName ? [...before, String(property.value)] : undefined;
}

/** Whether a node has another one of a type, or a name, within it. */
function mentions(node: unknown, word: string): boolean {
  return JSON.stringify(node, (_, value) => (value instanceof Map ? [...value] : value)).includes(word);
}

/** Guesses from the syntax of a template which kinds of values it reads where, so that most values have a rendering. */
class KindGuesser {
  readonly kinds: Kinds = new Map();
  readonly #random: SeededRandom;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  visit(value: unknown, kind: Kind = 'any'): void {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value) || value instanceof Map) {
      for (const inner of value) this.visit(inner);
      return;
    }
    const node = value as JinjaNode;
    const path = pathOf(node);
    if (path) this.#note(path, node, kind);
    else this.#visitNode(node, kind);
  }

  #note(path: readonly string[], node: JinjaNode, kind: Kind): void {
    const key = JSON.stringify(path);
    if ((this.kinds.get(key) ?? 'any') === 'any') this.kinds.set(key, kind);
    if (node.type !== 'CallExpression') return;
    for (const otherwise of nodesOf(node.args).slice(1)) this.visit(otherwise, kind);
  }

  #visitNode(node: JinjaNode, kind: Kind): void {
    switch (node.type) {
      case 'CallExpression':
        this.#visitCall(node, kind);
        return;
      case 'FilterExpression': {
        const filter = node.filter as JinjaNode;
        const name = String(
          filter.type === 'CallExpression' ? (filter.callee as JinjaNode).value : filter.value,
        );
        this.visit(node.operand, name === 'default' ? kind : FILTER_OPERANDS[name]);
        for (const given of filter.type === 'CallExpression' ? nodesOf(filter.args) : [])
          this.visit(given, kind);
        return;
      }
      case 'BinaryExpression':
        this.#visitBinary(node, kind);
        return;
      case 'MemberExpression': {
        const { type } = node.property as JinjaNode;
        this.visit(
          node.object,
          type === 'SliceExpression' ? 'text' : type === 'IntegerLiteral' ? 'list' : 'any',
        );
        this.visit(node.property, 'number');
        return;
      }
      case 'Ternary':
        this.visit(node.condition);
        this.visit(node.trueExpr, kind);
        this.visit(node.falseExpr, kind);
        return;
      case 'For':
        this.visit(node.iterable, 'objects');
        this.visit(node.body);
        return;
      default:
        for (const [name, inner] of Object.entries(node))
          if (name !== 'type' && name !== 'operator') this.visit(inner);
    }
  }

  #visitCall(node: JinjaNode, kind: Kind): void {
    const callee = node.callee as JinjaNode;
    const given = nodesOf(node.args);
    if (callee.type === 'MemberExpression') {
      const name = String((callee.property as JinjaNode).value);
      this.visit(callee.object, METHOD_OBJECTS[name]);
      for (const one of given) this.visit(one, name === 'join' ? 'list' : 'any');
      return;
    }
    const name = String(callee.value);
    const isDate = kind === 'date' || mentions(node, 'strftime') || mentions(given, 'day_delta');
    const ofExtreme = isDate ? 'date' : 'number';
    for (const one of given)
      this.visit(one, /datetime|timestamp/.test(name) ? 'date' : /max|min/.test(name) ? ofExtreme : 'any');
  }

  #visitBinary(node: JinjaNode, kind: Kind): void {
    const { value: operator } = node.operator as { value: string };
    const isText = operator === '~' || (operator === '+' && mentions(node, 'StringLiteral'));
    const isNumber = /^(?:[-+*/%]|\/\/|[<>]=?)$/.test(operator);
    const own: Kind = isText
      ? 'text'
      : isNumber
        ? 'number'
        : operator === 'and' || operator === 'or'
          ? kind
          : 'any';
    this.visit(node.left, own);
    const isMember = operator === 'in' || operator === 'not in';
    this.visit(node.right, isMember ? this.#random.pick(['text', 'list', 'any'] as const) : own);
  }
}

/** Generates values that templates read. */
export class ValueGenerator {
  readonly #random: SeededRandom;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  /** Returns generated values of the variables of a template. */
  contexts(template: string, count: number): Record<string, unknown>[] {
    const guesser = new KindGuesser(this.#random);
    guesser.visit(parseTemplate(template));
    return Array.from({ length: count }, () => this.#context(guesser.kinds));
  }

  #context(kinds: Kinds): Record<string, unknown> {
    const context: Record<string, unknown> = Object.fromEntries(ROOTS.map((root) => [root, {}]));
    context.last_page_size = this.#random.below(200);
    const paths = [...kinds]
      .map(([key, kind]) => ({ path: JSON.parse(key) as string[], kind }))
      .sort((one, other) => one.path.length - other.path.length);
    for (const { path, kind } of paths) {
      const owner = ownerOf(context, path);
      if (!owner || path.length === 1 || this.#random.next() < 0.2) continue;
      const isOwner = paths.some(
        ({ path: other }) => other.length > path.length && path.every((name, index) => other[index] === name),
      );
      const value = isOwner ? (this.#random.next() < 0.9 ? {} : null) : this.#value(kind);
      owner[path.at(-1) as string] = value;
    }
    return context;
  }

  #value(kind: Kind): unknown {
    const random = this.#random;
    switch (kind) {
      case 'text':
        return random.pick(TEXTS);
      case 'date':
        return random.pick(DATES);
      case 'number':
        return random.pick([0, 1, 7, -3, 250, 4.5, 1700000000]);
      case 'integer':
        return random.pick([0, 1, 7, 250, '12', '5']);
      case 'list':
        return Array.from({ length: random.below(4) }, () => random.pick(TEXTS));
      case 'objects':
        return Array.from({ length: random.below(3) }, () => ({
          id: random.pick([1, 'x', 'y z']),
          name: random.pick(TEXTS),
          rel: random.pick(['next', 'prev']),
          path_with_namespace: 'a/b',
        }));
      default:
        return random.pick([
          random.pick(TEXTS),
          random.pick([0, 1, 5, 2.5]),
          null,
          random.next() < 0.5,
          [],
          ['a', 'b'],
          {},
          { k: 'v', n: 1 },
        ]);
    }
  }
}

/** Returns the object that has the last field of a path, and makes those on the way. */
function ownerOf(
  context: Record<string, unknown>,
  path: readonly string[],
): Record<string, unknown> | undefined {
  let owner = context;
  for (const name of path.slice(0, -1)) {
    owner[name] ??= owner[name] === null ? null : {};
    const next = owner[name];
    if (typeof next !== 'object' || next === null || Array.isArray(next)) return undefined;
    owner = next as Record<string, unknown>;
  }
  return owner;
}
