import { type Definition, resultOf } from './infer-call.ts';
import { either, itemsOf, listOf, objectOf, type Shape, simple } from './shape.ts';
import { isEmpty, type SyntaxNode } from './tree.ts';

/** Variables in scope. An undefined shape means that the variable is bound but its shape is unknown. */
export interface Variables {
  readonly own: Map<string, Shape | undefined>;
  readonly outer: Variables | null;
}

/** The inferred information about one node. */
export interface Fact {
  /** The context in which a name is looked up. */
  readonly context: Shape | undefined;
  readonly variables: Variables;
  /** The shape of the node's value; undefined when unknown. */
  readonly shape: Shape | undefined;
}

export type Facts = ReadonlyMap<SyntaxNode, Fact>;

/** The known shapes that an expression starts with: those of the rows and of outer variables. */
export interface Given {
  /** The shape of the rows; undefined when there are none. */
  readonly root: Shape | undefined;
  /** Variables that are bound from outside. */
  readonly parameters?: ReadonlyMap<string, Shape | undefined>;
}

/** Returns the shape of a variable in scope; undefined when there is no such variable. */
export function lookUp(variables: Variables | null, name: string): { shape: Shape | undefined } | undefined {
  for (let scope = variables; scope; scope = scope.outer)
    if (scope.own.has(name)) return { shape: scope.own.get(name) };
  return undefined;
}

const BOOLEAN = simple(['boolean']);
const NUMBER = simple(['number']);
const TEXT = simple(['text']);
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
  readonly facts = new Map<SyntaxNode, Fact>();
  readonly #root: Shape | undefined;

  constructor(root: Shape | undefined) {
    this.#root = root;
  }

  infer(node: SyntaxNode, context: Shape | undefined, variables: Variables): Shape | undefined {
    const shape = this.#shape(node, context, variables);
    this.facts.set(node, { context, variables, shape });
    return shape;
  }

  #shape(node: SyntaxNode, context: Shape | undefined, variables: Variables): Shape | undefined {
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
        return text === 'null' ? simple(['null']) : BOOLEAN;
      case 'regex':
        return simple(['function']);
      case 'negation':
        if (first) this.infer(first, context, variables);
        return NUMBER;
      case 'variable':
        if (text === '') return context;
        return text === '$' ? this.#root : lookUp(variables, text)?.shape;
      case 'wildcard':
        return context && wildcardOf(context);
      case 'path':
      case 'focus':
      case 'position':
        return this.#step(node, context, variables);
      case 'filter':
        return this.#filter(node, context, variables);
      case 'group':
      case 'object':
        return this.#object(node, context, variables);
      case 'sort':
        return this.#sort(node, context, variables);
      case 'term':
        return first && this.infer(first, context, variables);
      case 'array':
        return this.#array(node, context, variables);
      case 'block':
        return this.#block(node, context, variables);
      case 'bind':
        return this.#bind(node, context, variables);
      case 'condition':
        return this.#condition(node, context, variables);
      case 'binary':
        return this.#binary(node, context, variables);
      case 'call':
        return this.#call(node, undefined, context, variables);
      case 'lambda':
        this.#body(node, [], context, variables);
        return simple(['function']);
      case 'transform':
        return this.#transform(node, context, variables);
      default:
        return undefined;
    }
  }

  /** Infers `a.b`, `a@$v` and `a#$i`: variables bound on the left are in scope on the right and after it. */
  #step(node: SyntaxNode, context: Shape | undefined, variables: Variables): Shape | undefined {
    const [first, second] = node.children;
    const left = first && this.infer(first, context, variables);
    if (!second) return left;
    if (node.kind !== 'path') {
      const shape = node.kind === 'focus' ? left && itemsOf(left) : NUMBER;
      variables.own.set(second.text, shape);
      this.facts.set(second, { context, variables, shape });
      return node.kind === 'focus' ? context && listOf(context) : left;
    }
    const right = this.infer(second, left && itemsOf(left), variables);
    if (!right) return undefined;
    const isList = (left?.isList ?? true) || right.isList;
    return isList ? listOf(right) : right;
  }

  #filter(node: SyntaxNode, context: Shape | undefined, variables: Variables): Shape | undefined {
    const [first, predicate] = node.children;
    const left = first && this.infer(first, context, variables);
    const item = left && itemsOf(left);
    if (predicate) this.infer(predicate, item, variables);
    const isIndex = predicate?.kind === 'number' || predicate?.kind === 'negation';
    return isIndex ? item : left;
  }

  #sort(node: SyntaxNode, context: Shape | undefined, variables: Variables): Shape | undefined {
    const [first, ...terms] = node.children;
    const left = first && this.infer(first, context, variables);
    for (const term of terms) this.infer(term, left && itemsOf(left), variables);
    return left && listOf(left);
  }

  #array(node: SyntaxNode, context: Shape | undefined, variables: Variables): Shape | undefined {
    const items: (Shape | undefined)[] = [];
    for (const child of node.children) {
      const shape = this.infer(child, context, variables);
      if (!isEmpty(child)) items.push(shape);
    }
    const all = items.length === 0 ? undefined : items.reduce(either);
    return all && listOf(all);
  }

  #bind(node: SyntaxNode, context: Shape | undefined, variables: Variables): Shape | undefined {
    const [variable, value] = node.children;
    const shape = value && this.infer(value, context, variables);
    if (variable) {
      variables.own.set(variable.text, shape);
      this.facts.set(variable, { context, variables, shape });
    }
    return shape;
  }

  #condition(node: SyntaxNode, context: Shape | undefined, variables: Variables): Shape | undefined {
    const [, then, otherwise] = node.children.map((child) => this.infer(child, context, variables));
    return node.children[2] ? either(then, otherwise) : then;
  }

  #binary(node: SyntaxNode, context: Shape | undefined, variables: Variables): Shape | undefined {
    if (node.text === '~>') return this.#apply(node, context, variables);
    const [left, right] = node.children.map((child) => this.infer(child, context, variables));
    return node.text === '?:' || node.text === '??' ? either(left, right) : BY_OPERATOR[node.text];
  }

  #object(node: SyntaxNode, context: Shape | undefined, variables: Variables): Shape | undefined {
    const isGroup = node.kind === 'group';
    const [first] = node.children;
    const left = isGroup && first ? this.infer(first, context, variables) : context;
    const inner = isGroup && left ? itemsOf(left) : left;
    const pairs = isGroup ? node.children.slice(1) : node.children;
    const fields = new Map<string, Shape>();
    let isOpen = false;
    for (let at = 0; at < pairs.length; at += 2) {
      const [key, value] = [pairs[at], pairs[at + 1]];
      if (key) this.infer(key, inner, variables);
      // A group evaluates its value over all items with the same key: one item or a list.
      const shape = value && this.infer(value, inner, variables);
      if (key?.kind === 'string' && shape) fields.set(key.text.slice(1, -1), shape);
      else isOpen = true;
    }
    return objectOf(fields, isOpen);
  }

  #block(node: SyntaxNode, context: Shape | undefined, variables: Variables): Shape | undefined {
    const scope = node.text === 'loose' ? variables : { own: new Map(), outer: variables };
    let last: Shape | undefined;
    for (const child of node.children) last = this.infer(child, context, scope);
    return last;
  }

  /** Infers a function's body, given the shapes of its first parameters. */
  #body(
    lambda: SyntaxNode,
    shapes: readonly (Shape | undefined)[],
    context: Shape | undefined,
    variables: Variables,
  ): Shape | undefined {
    const parameters = lambda.children.slice(0, -1);
    const own = new Map(parameters.map((parameter, at) => [parameter.text, shapes[at]]));
    const scope = { own, outer: variables };
    for (const [at, parameter] of parameters.entries())
      this.facts.set(parameter, { context, variables: scope, shape: shapes[at] });
    const body = lambda.children.at(-1);
    return body && this.infer(body, context, scope);
  }

  #apply(node: SyntaxNode, context: Shape | undefined, variables: Variables): Shape | undefined {
    const [left, right] = node.children;
    const given = left && this.infer(left, context, variables);
    if (!right) return undefined;
    if (right.kind === 'call') {
      const shape = this.#call(right, { shape: given }, context, variables);
      this.facts.set(right, { context, variables, shape });
      return shape;
    }
    if (right.kind === 'lambda') return this.#body(right, [given], context, variables);
    if (right.kind === 'transform') return this.#transform(right, given, variables);
    this.infer(right, context, variables);
    return right.kind === 'variable' && !lookUp(variables, right.text)
      ? resultOf(right.text, [given], () => undefined)
      : undefined;
  }

  /** Infers a function call. `piped` is the value on the left of `~>`, which is the first argument. */
  #call(
    node: SyntaxNode,
    piped: { shape: Shape | undefined } | undefined,
    context: Shape | undefined,
    variables: Variables,
  ): Shape | undefined {
    const [callee, ...args] = node.children;
    if (callee) this.infer(callee, context, variables);
    const lambdas: Definition[] = [];
    const shapes: (Shape | undefined)[] = piped ? [piped.shape] : [];
    for (const arg of args) {
      if (arg.kind === 'lambda') lambdas.push({ at: shapes.length, node: arg });
      // Infer a function's body later, when the shapes of its parameters are known.
      shapes.push(arg.kind === 'lambda' ? simple(['function']) : this.infer(arg, context, variables));
    }
    const isKnown = callee?.kind === 'variable' && !lookUp(variables, callee.text);
    const seen = new Set<SyntaxNode>();
    const run = (at: number, given: readonly (Shape | undefined)[]) => {
      const lambda = lambdas.find((entry) => entry.at === at)?.node;
      if (!lambda) return undefined;
      seen.add(lambda);
      this.facts.set(lambda, { context, variables, shape: simple(['function']) });
      return this.#body(lambda, given, context, variables);
    };
    const isPartial = args.some(({ kind }) => kind === 'placeholder');
    const result = isKnown ? resultOf(callee.text, shapes, run) : undefined;
    for (const { node } of lambdas) if (!seen.has(node)) this.infer(node, context, variables);
    return isPartial ? simple(['function']) : result;
  }

  #transform(node: SyntaxNode, context: Shape | undefined, variables: Variables): Shape | undefined {
    const [pattern, ...rest] = node.children;
    const matched = pattern && this.infer(pattern, context, variables);
    for (const child of rest) this.infer(child, matched && itemsOf(matched), variables);
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
    all.length === 0 || context.isOpen ? undefined : all.reduce<Shape | undefined>(either, all[0]);
  return merged && listOf(merged);
}

/** Infers the value shapes of all nodes of an expression over rows of a shape. */
export function infer(root: SyntaxNode, given: Given): Facts {
  const inference = new Inference(given.root);
  const variables: Variables = { own: new Map(given.parameters), outer: null };
  inference.infer(root, given.root, variables);
  return inference.facts;
}
