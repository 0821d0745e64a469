import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml';
import { type Component, isComponent, type Lines } from './component.ts';
import { CUSTOM_TYPES, DEFAULT_TYPES } from './default-types.ts';

/** Longest manifest, UTF-16 units, and most values of one with its references replaced. */
const MAX_LENGTH = 2_000_000;
const MAX_VALUES = 2_000_000;
const REFERENCE = '$ref';
const PARAMETERS = '$parameters';

/** Says why a text is no manifest that can be read. */
export class ManifestError extends Error {
  override name = 'ManifestError';
}

/** A manifest with its references replaced and its parameters handed down. */
export interface Manifest {
  root: Component;
  /** Where its mappings begin in the text. */
  lines: Lines;
}

/** Reads a manifest: replaces references, then adds to each component the parameters of its owners. */
class ManifestReader {
  readonly lines: Lines = new WeakMap();
  readonly #counter = new LineCounter();
  #left = MAX_VALUES;

  read(text: string): Component {
    if (text.length > MAX_LENGTH) throw new ManifestError('The manifest is longer than 2 MB.');
    const document = parseDocument(text, { merge: true, lineCounter: this.#counter, logLevel: 'silent' });
    const [fault] = document.errors;
    if (fault) throw new ManifestError(`The manifest is not YAML: ${fault.message}`);
    const targets = aliasTargets(document);
    const plain = this.#plain(document.contents as Node | null, (node) =>
      isAlias(node) ? targets.get(node) : node,
    );
    if (!isComponent(plain)) throw new ManifestError('The manifest is no mapping.');
    const resolved = this.#resolve(plain, plain, new Set());
    if (!isComponent(resolved)) throw new ManifestError('The manifest is no mapping.');
    return this.#handDown('', { type: 'DeclarativeSource', ...resolved }, {});
  }

  #count(): void {
    if (--this.#left < 0) throw new ManifestError('The manifest has too many references.');
  }

  /** Returns the value of a node, and notes the lines of mappings. */
  #plain(given: Node | null | undefined, target: (node: Node) => Node | undefined): unknown {
    this.#count();
    const node = given && target(given);
    if (isScalar(node)) return node.value;
    if (isSeq(node)) return node.items.map((item) => this.#plain(item as Node, target));
    if (!isMap(node)) return null;
    const value: Component = {};
    for (const { key, value: inner } of node.items) {
      const name = isScalar(key) ? String(key.value) : '';
      const plain = this.#plain(inner as Node, target);
      // The parser has a symbol for the key of a merge.
      if (name === '<<' || name === 'Symbol(<<)')
        for (const base of [plain].flat()) Object.assign(value, { ...(isComponent(base) && base), ...value });
      else if (name !== '__proto__') value[name] = plain;
    }
    const [at] = node.range ?? [];
    if (at !== undefined) this.lines.set(value, this.#counter.linePos(at).line);
    return value;
  }

  /** Replaces the references of a value. @throws ManifestError for one to nothing, or to itself */
  #resolve(value: unknown, root: Component, open: ReadonlySet<string>): unknown {
    this.#count();
    if (typeof value === 'string' && value.startsWith('#/')) {
      if (open.has(value)) throw new ManifestError(`The reference ${value} leads to itself.`);
      return this.#resolve(referred(value, root), root, new Set([...open, value]));
    }
    if (Array.isArray(value)) return value.map((item) => this.#resolve(item, root, open));
    if (!isComponent(value)) return value;
    const own = Object.entries(value).filter(([name]) => name !== REFERENCE);
    const members = Object.fromEntries(own.map(([name, inner]) => [name, this.#resolve(inner, root, open)]));
    const line = this.lines.get(value);
    if (!Object.hasOwn(value, REFERENCE)) return this.#at(members, line);
    const base = this.#resolve(value[REFERENCE], root, open);
    return isComponent(base) ? this.#at({ ...base, ...members }, this.lines.get(base) ?? line) : base;
  }

  #at(value: Component, line: number | undefined): Component {
    if (line !== undefined) this.lines.set(value, line);
    return value;
  }

  /** Adds to a component the type that it may leave out, and as members that it lacks the parameters of its owners. */
  #handDown(place: string, given: Component, inherited: Component): Component {
    this.#count();
    const { [PARAMETERS]: own, ...members } = given;
    const parameters = { ...inherited, ...(isComponent(own) && own) };
    const value: Component = this.#at(members, this.lines.get(given));
    const type = value.type ?? ('class_name' in value ? CUSTOM_TYPES[place] : DEFAULT_TYPES[place]);
    if (type !== undefined) value.type = type;
    // A schema, or a mapping that is no component.
    if (type === 'object' || (Array.isArray(type) && type.includes('object'))) return value;
    if (type === undefined) {
      for (const [name, inner] of Object.entries(value))
        if (isComponent(inner) && inner.type) value[name] = this.#handDown(place, inner, parameters);
      return value;
    }
    for (const [name, parameter] of Object.entries(parameters)) value[name] ||= parameter;
    for (const [name, inner] of Object.entries(value)) {
      const { [name]: _, ...others } = parameters;
      const down = (one: unknown) =>
        isComponent(one) ? this.#handDown(`${String(type)}.${name}`, one, others) : one;
      value[name] = Array.isArray(inner) ? inner.map(down) : down(inner);
    }
    if (Object.keys(parameters).length > 0) value[PARAMETERS] = parameters;
    return value;
  }
}

/** Returns the nodes that aliases name, found in one pass: each alias would search the document for itself. */
function aliasTargets(document: Document.Parsed): Map<Node, Node> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Node, Node>();
  visit(document, {
    Node: (_, node) => {
      const target = isAlias(node) ? anchors.get(node.source) : undefined;
      if (target) targets.set(node, target);
      else if (!isAlias(node) && node.anchor) anchors.set(node.anchor, node);
    },
  });
  return targets;
}

/** Returns what a reference names. Names may contain slashes: the longest one is tried first. */
function referred(reference: string, root: Component): unknown {
  let value: unknown = root;
  let rest = reference.slice(2);
  while (rest !== '') {
    if (isComponent(value) && Object.hasOwn(value, rest)) return value[rest];
    const [head = '', ...others] = rest.split('/');
    const next: unknown = Array.isArray(value)
      ? value[Number(head)]
      : isComponent(value) && Object.hasOwn(value, head)
        ? value[head]
        : undefined;
    if (next === undefined) throw new ManifestError(`The reference ${reference} names nothing.`);
    value = next;
    rest = others.join('/');
  }
  return value;
}

/** Reads the text of a manifest (YAML or JSON). @throws ManifestError */
export function readManifest(text: string): Manifest {
  const reader = new ManifestReader();
  try {
    return { root: reader.read(text), lines: reader.lines };
  } catch (error) {
    // The stack overflows where an alias names the list that it is in.
    if (error instanceof RangeError) throw new ManifestError('The manifest is nested too deeply.');
    throw error;
  }
}
