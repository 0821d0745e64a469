import { type Callback, resultOf } from './infer-call.ts';
import { itemsOf, listOf, objectOf, type Shape, shapeOfKinds, unionOf } from './shape.ts';
import { isEmpty, type SyntaxNode } from './tree.ts';

/** A lexical scope. An undefined shape means that the variable is bound but its shape is unknown. */
export interface Scope {
  /** Shapes of the variables that this scope binds. */
  readonly bindings: Map<string, Shape | undefined>;
  readonly parent: Scope | null;
}

/** The inferred type of one node, with the context and scope in which it is evaluated. */
export interface InferredType {
  /** The shape of the context value, in which field names are looked up. */
  readonly context: Shape | undefined;
  readonly scope: Scope;
  /** The shape of the node's value; undefined when unknown. */
  readonly shape: Shape | undefined;
}

export type InferredTypes = ReadonlyMap<SyntaxNode, InferredType>;

/** The type environment of an expression: the shapes of the rows and of variables bound outside. */
export interface TypeEnvironment {
  /** The shape of the rows; undefined when there are none. */
  readonly root: Shape | undefined;
  /** Variables that are bound from outside. */
  readonly parameters?: ReadonlyMap<string, Shape | undefined>;
}

/** Returns the shape of a variable in scope; undefined when there is no such variable. */
export function lookUp(scope: Scope | null, name: string): { shape: Shape | undefined } | undefined {
  for (let current = scope; current; current = current.parent)
    if (current.bindings.has(name)) return { shape: current.bindings.get(name) };
  return undefined;
}

const BOOLEAN = shapeOfKinds(['boolean']);
const NUMBER = shapeOfKinds(['number']);
const TEXT = shapeOfKinds(['text']);
const BY_OPERATOR: Readonly<Record<string, Shape>> = {
  '+': NUMBER,
  '-': NUMBER,
  '*': NUMBER,
  '/': NUMBER,
  '%': NUMBER,
  '&': TEXT,
  '..': { ...NUMBER, isList: true },
  '=': BOOLEAN,
  '!=': BOOLEAN,
  '<': BOOLEAN,
  '>': BOOLEAN,
  '<=': BOOLEAN,
  '>=': BOOLEAN,
  and: BOOLEAN,
  or: BOOLEAN,
  in: BOOLEAN,
};

/** Infers the shape of every node's value without running the expression. */
class Inference {
  readonly types = new Map<SyntaxNode, InferredType>();
  readonly #root: Shape | undefined;

  constructor(root: Shape | undefined) {
    this.#root = root;
  }

  infer(node: SyntaxNode, context: Shape | undefined, scope: Scope): Shape | undefined {
    const shape = this.#shape(node, context, scope);
    this.types.set(node, { context, scope, shape });
    return shape;
  }

  #shape(node: SyntaxNode, context: Shape | undefined, scope: Scope): Shape | undefined {
    const { kind, text, children } = node;
    const [first] = children;
    switch (kind) {
      case 'name':
        return fieldOf(context, text);
      case 'string':
        return TEXT;
      case 'number':
        return NUMBER;
      case 'value':
        return text === 'null' ? shapeOfKinds(['null']) : BOOLEAN;
      case 'regex':
        return shapeOfKinds(['function']);
      case 'negation':
        if (first) this.infer(first, context, scope);
        return NUMBER;
      case 'variable':
        if (text === '') return context;
        return text === '$' ? this.#root : lookUp(scope, text)?.shape;
      case 'wildcard':
        return context && wildcardOf(context);
      case 'path':
      case 'focus':
      case 'position':
        return this.#step(node, context, scope);
      case 'filter':
        return this.#filter(node, context, scope);
      case 'group':
      case 'object':
        return this.#object(node, context, scope);
      case 'sort':
        return this.#sort(node, context, scope);
      case 'term':
        return first && this.infer(first, context, scope);
      case 'array':
        return this.#array(node, context, scope);
      case 'block':
        return this.#block(node, context, scope);
      case 'bind':
        return this.#bind(node, context, scope);
      case 'condition':
        return this.#condition(node, context, scope);
      case 'binary':
        return this.#binary(node, context, scope);
      case 'call':
        return this.#call(node, undefined, context, scope);
      case 'lambda':
        this.#body(node, [], context, scope);
        return shapeOfKinds(['function']);
      case 'transform':
        return this.#transform(node, context, scope);
      default:
        return undefined;
    }
  }

  /** Infers `a.b`, `a@$v` and `a#$i`: variables bound on the left are in scope on the right and after it. */
  #step(node: SyntaxNode, context: Shape | undefined, scope: Scope): Shape | undefined {
    const [first, second] = node.children;
    const left = first && this.infer(first, context, scope);
    if (!second) return left;
    if (node.kind !== 'path') {
      const shape = node.kind === 'focus' ? left && itemsOf(left) : NUMBER;
      scope.bindings.set(second.text, shape);
      this.types.set(second, { context, scope, shape });
      return node.kind === 'focus' ? context && listOf(context) : left;
    }
    const right = this.infer(second, left && itemsOf(left), scope);
    if (!right) return undefined;
    const isList = (left?.isList ?? true) || right.isList;
    return isList ? listOf(right) : right;
  }

  #filter(node: SyntaxNode, context: Shape | undefined, scope: Scope): Shape | undefined {
    const [first, predicate] = node.children;
    const left = first && this.infer(first, context, scope);
    const item = left && itemsOf(left);
    if (predicate) this.infer(predicate, item, scope);
    const isIndex = predicate?.kind === 'number' || predicate?.kind === 'negation';
    return isIndex ? item : left;
  }

  #sort(node: SyntaxNode, context: Shape | undefined, scope: Scope): Shape | undefined {
    const [first, ...terms] = node.children;
    const left = first && this.infer(first, context, scope);
    for (const term of terms) this.infer(term, left && itemsOf(left), scope);
    return left && listOf(left);
  }

  #array(node: SyntaxNode, context: Shape | undefined, scope: Scope): Shape | undefined {
    const items: (Shape | undefined)[] = [];
    for (const child of node.children) {
      const shape = this.infer(child, context, scope);
      if (!isEmpty(child)) items.push(shape);
    }
    const all = items.length === 0 ? undefined : items.reduce(unionOf);
    return all && listOf(all);
  }

  #bind(node: SyntaxNode, context: Shape | undefined, scope: Scope): Shape | undefined {
    const [variable, value] = node.children;
    const shape = value && this.infer(value, context, scope);
    if (variable) {
      scope.bindings.set(variable.text, shape);
      this.types.set(variable, { context, scope, shape });
    }
    return shape;
  }

  #condition(node: SyntaxNode, context: Shape | undefined, scope: Scope): Shape | undefined {
    const [, then, otherwise] = node.children.map((child) => this.infer(child, context, scope));
    return node.children[2] ? unionOf(then, otherwise) : then;
  }

  #binary(node: SyntaxNode, context: Shape | undefined, scope: Scope): Shape | undefined {
    if (node.text === '~>') return this.#apply(node, context, scope);
    const [left, right] = node.children.map((child) => this.infer(child, context, scope));
    return node.text === '?:' || node.text === '??' ? unionOf(left, right) : BY_OPERATOR[node.text];
  }

  #object(node: SyntaxNode, context: Shape | undefined, scope: Scope): Shape | undefined {
    const isGroup = node.kind === 'group';
    const [first] = node.children;
    const left = isGroup && first ? this.infer(first, context, scope) : context;
    const inner = isGroup && left ? itemsOf(left) : left;
    const pairs = isGroup ? node.children.slice(1) : node.children;
    const fields = new Map<string, Shape>();
    let isOpen = false;
    for (let at = 0; at < pairs.length; at += 2) {
      const [key, value] = [pairs[at], pairs[at + 1]];
      if (key) this.infer(key, inner, scope);
      // A group evaluates its value over all items with the same key: one item or a list.
      const shape = value && this.infer(value, inner, scope);
      if (key?.kind === 'string' && shape) fields.set(key.text.slice(1, -1), shape);
      else isOpen = true;
    }
    return objectOf(fields, isOpen);
  }

  #block(node: SyntaxNode, context: Shape | undefined, scope: Scope): Shape | undefined {
    const inner = node.text === 'loose' ? scope : { bindings: new Map(), parent: scope };
    let last: Shape | undefined;
    for (const child of node.children) last = this.infer(child, context, inner);
    return last;
  }

  /** Infers a function's body, given the shapes of its first parameters. */
  #body(
    lambda: SyntaxNode,
    shapes: readonly (Shape | undefined)[],
    context: Shape | undefined,
    scope: Scope,
  ): Shape | undefined {
    const parameters = lambda.children.slice(0, -1);
    const bindings = new Map(parameters.map((parameter, index) => [parameter.text, shapes[index]]));
    const inner = { bindings, parent: scope };
    for (const [index, parameter] of parameters.entries())
      this.types.set(parameter, { context, scope: inner, shape: shapes[index] });
    const body = lambda.children.at(-1);
    return body && this.infer(body, context, inner);
  }

  #apply(node: SyntaxNode, context: Shape | undefined, scope: Scope): Shape | undefined {
    const [left, right] = node.children;
    const piped = left && this.infer(left, context, scope);
    if (!right) return undefined;
    if (right.kind === 'call') {
      const shape = this.#call(right, { shape: piped }, context, scope);
      this.types.set(right, { context, scope, shape });
      return shape;
    }
    if (right.kind === 'lambda') return this.#body(right, [piped], context, scope);
    if (right.kind === 'transform') return this.#transform(right, piped, scope);
    this.infer(right, context, scope);
    return right.kind === 'variable' && !lookUp(scope, right.text)
      ? resultOf(right.text, [piped], () => undefined)
      : undefined;
  }

  /** Infers a function call. `piped` is the value on the left of `~>`, which is the first argument. */
  #call(
    node: SyntaxNode,
    piped: { shape: Shape | undefined } | undefined,
    context: Shape | undefined,
    scope: Scope,
  ): Shape | undefined {
    const [callee, ...args] = node.children;
    if (callee) this.infer(callee, context, scope);
    const callbacks: Callback[] = [];
    const shapes: (Shape | undefined)[] = piped ? [piped.shape] : [];
    for (const arg of args) {
      if (arg.kind === 'lambda') callbacks.push({ index: shapes.length, node: arg });
      // Infer a function's body later, when the shapes of its parameters are known.
      shapes.push(arg.kind === 'lambda' ? shapeOfKinds(['function']) : this.infer(arg, context, scope));
    }
    const isKnown = callee?.kind === 'variable' && !lookUp(scope, callee.text);
    const inferred = new Set<SyntaxNode>();
    const inferCallback = (index: number, parameters: readonly (Shape | undefined)[]) => {
      const lambda = callbacks.find((callback) => callback.index === index)?.node;
      if (!lambda) return undefined;
      inferred.add(lambda);
      this.types.set(lambda, { context, scope, shape: shapeOfKinds(['function']) });
      return this.#body(lambda, parameters, context, scope);
    };
    const isPartial = args.some(({ kind }) => kind === 'placeholder');
    const result = isKnown ? resultOf(callee.text, shapes, inferCallback) : undefined;
    for (const callback of callbacks)
      if (!inferred.has(callback.node)) this.infer(callback.node, context, scope);
    return isPartial ? shapeOfKinds(['function']) : result;
  }

  #transform(node: SyntaxNode, context: Shape | undefined, scope: Scope): Shape | undefined {
    const [pattern, ...rest] = node.children;
    const matched = pattern && this.infer(pattern, context, scope);
    for (const child of rest) this.infer(child, matched && itemsOf(matched), scope);
    return context && { ...context, isOpen: true };
  }
}

/** Returns the shape of a field by name; undefined when no object has it. */
function fieldOf(context: Shape | undefined, name: string): Shape | undefined {
  const field = context?.fields.get(name);
  return field && context?.isList ? listOf(field) : field;
}

function wildcardOf(context: Shape): Shape | undefined {
  const all = [...context.fields.values()];
  const merged =
    all.length === 0 || context.isOpen ? undefined : all.reduce<Shape | undefined>(unionOf, all[0]);
  return merged && listOf(merged);
}

/** Infers the value shapes of all nodes of an expression over rows of a shape. */
export function infer(root: SyntaxNode, environment: TypeEnvironment): InferredTypes {
  const inference = new Inference(environment.root);
  const scope: Scope = { bindings: new Map(environment.parameters), parent: null };
  inference.infer(root, environment.root, scope);
  return inference.types;
}
