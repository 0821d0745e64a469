import type { CallNode, Node, Stage } from '../compiler/ast.ts';
import { FUNCTIONS } from '../functions/library.ts';
import { takesContext } from '../functions/takes-context.ts';

/** The fields of the input's rows that an expression reads. */
export interface RowFields {
  /** Paths of names from a row; empty when the expression only counts the rows. */
  paths: readonly (readonly string[])[];
  /** Whether each path is read as it is: its last name has no predicate of its own. */
  arePlain: boolean;
}

/** Thrown when the expression may need whole rows. */
class NeedsWholeRows extends Error {}

/** Where the rows are in an expression. */
export interface RowSource {
  /** Whether they are the input: `$` and `$$`. */
  isInput: boolean;
  /** Names of the variables that hold them. */
  variables: readonly string[];
}

/** What a value is made of: rows of the input as they are, or anything else. */
type Origin = 'rows' | 'other';

/** Where a node is evaluated: what its context value is, and what variables of the expression hold. */
interface Place {
  context: Origin;
  variables: ReadonlyMap<string, Origin>;
}

const SIGNATURES: ReadonlyMap<string, string> = new Map(
  FUNCTIONS.map(({ name, signature }) => [name, signature]),
);
/** Functions that only count rows. */
const COUNTING: ReadonlySet<string> = new Set(['count', 'exists']);
/** Functions that return some of the rows of their arguments. */
const SELECTING: ReadonlySet<string> = new Set(['reverse', 'append', 'shuffle']);
/** Functions that call a function for each row: whether they return rows, or what the function returns. */
const ITERATING: ReadonlyMap<string, 'rows' | 'results'> = new Map([
  ['filter', 'rows'],
  ['sort', 'rows'],
  ['single', 'rows'],
  ['map', 'results'],
]);

const join = (origins: readonly Origin[]): Origin => (origins.includes('rows') ? 'rows' : 'other');

/** Returns the names with which a path begins: fields of fields. */
function leadingNames(steps: readonly Node[]): { names: string[]; isPlain: boolean } {
  const names: string[] = [];
  for (const step of steps) {
    if (step.type !== 'name') break;
    const hasStages = step.predicate !== undefined || step.stages !== undefined || step.group !== undefined;
    if (hasStages && names.length > 0) break;
    names.push(step.value);
    if (hasStages) return { names, isPlain: false };
  }
  return { names, isPlain: true };
}

/** Follows rows through an expression and collects the fields that it reads of them. */
class Reader {
  readonly paths: (readonly string[])[] = [];
  arePlain = true;
  readonly #bindings: ReadonlySet<string>;
  readonly #source: RowSource;

  constructor(bindings: ReadonlySet<string>, source: RowSource) {
    this.#bindings = bindings;
    this.#source = source;
  }

  /** Returns the origin of a node's value. @throws NeedsWholeRows */
  read(node: Node, place: Place): Origin {
    if (node.tuple || node.focus || node.index || node.ancestor) throw new NeedsWholeRows();
    if (node.type === 'name') return this.#readPath([node], place);
    // The variables of a step with `@` are those of its path alone, so its grouping is not followed.
    if (node.type === 'path' && node.group && node.steps.some(({ focus }) => focus !== undefined))
      throw new NeedsWholeRows();
    const origin = this.#readOwn(node, place);
    this.#readStages([...(node.predicate ?? []), ...(node.stages ?? [])], { ...place, context: origin });
    return node.group ? this.#readPairs(node.group.lhs, { ...place, context: origin }) : origin;
  }

  #readOwn(node: Node, place: Place): Origin {
    switch (node.type) {
      case 'string':
      case 'number':
      case 'value':
      case 'regex':
        return 'other';
      case 'variable':
        return this.#readVariable(node.value, place);
      case 'path':
        return this.#readPath(node.steps, place);
      case 'wildcard':
      case 'descendant':
        if (place.context === 'rows') throw new NeedsWholeRows();
        return 'other';
      case 'sort':
        for (const { expression } of node.terms) this.#readValue(expression, place);
        return place.context;
      case 'unary':
        if (node.value === '-') return this.#readValue(node.expression, place);
        if (node.value === '{') return this.#readPairs(node.lhs, place);
        return join(node.expressions.map((each) => this.read(each, place)));
      case 'binary':
        this.#readValue(node.lhs, place);
        return this.#readValue(node.rhs, place);
      case 'condition':
        this.#readValue(node.condition, place);
        return join([node.then, ...(node.else ? [node.else] : [])].map((each) => this.read(each, place)));
      case 'block':
        return this.#readBlock(node.expressions, place);
      case 'lambda':
        if (node.thunk) return this.read(node.body, place);
        // A function may be called anywhere.
        if (this.#readLambda(node, place, 'other') === 'rows') throw new NeedsWholeRows();
        return 'other';
      case 'function':
        return this.#readCall(node, place);
      case 'apply':
        return this.#readApply(node, place);
      default:
        throw new NeedsWholeRows();
    }
  }

  /** Reads a node whose value is used as a whole, e.g. compared. @throws NeedsWholeRows when it contains rows */
  #readValue(node: Node, place: Place): Origin {
    if (this.read(node, place) === 'rows') throw new NeedsWholeRows();
    return 'other';
  }

  #readVariable(name: string, { context, variables }: Place): Origin {
    if (name === '') return context;
    if (name === '$') return this.#source.isInput ? 'rows' : 'other';
    if (name === 'eval') throw new NeedsWholeRows();
    return variables.get(name) ?? (this.#source.variables.includes(name) ? 'rows' : 'other');
  }

  /** Reads a step `list@$item[condition]`: it binds the variable and keeps the context. */
  #readFocus(step: Node, focus: string, place: Place): Map<string, Origin> {
    const { focus: _focus, tuple: _tuple, index, stages = [], ...own } = step;
    const variables = new Map(place.variables).set(focus, this.read(own as Node, place));
    if (index !== undefined) variables.set(index, 'other');
    this.#readStages(stages, { ...place, variables });
    return variables;
  }

  #readPath(steps: readonly Node[], outer: Place): Origin {
    let place = outer;
    let { context } = place;
    for (let at = 0; at < steps.length; ) {
      const step = steps[at] as Node;
      if (step.focus !== undefined && step.ancestor === undefined) {
        place = { ...place, variables: this.#readFocus(step, step.focus, { ...place, context }) };
        at++;
        continue;
      }
      const { names, isPlain } = leadingNames(steps.slice(at));
      if (names.length === 0) {
        context = this.read(steps[at++] as Node, { ...place, context });
        continue;
      }
      if (context === 'rows') {
        this.paths.push(names);
        this.arePlain &&= isPlain;
      }
      context = 'other';
      for (const named of steps.slice(at, at + names.length)) {
        if (named.tuple || named.focus || named.index || named.ancestor) throw new NeedsWholeRows();
        this.#readStages([...(named.predicate ?? []), ...(named.stages ?? [])], { ...place, context });
        if (named.group) context = this.#readPairs(named.group.lhs, { ...place, context });
      }
      at += names.length;
    }
    return context;
  }

  #readStages(stages: readonly Stage[], place: Place): void {
    for (const stage of stages) {
      if (stage.type !== 'filter') throw new NeedsWholeRows();
      this.#readValue(stage.expr, place);
    }
  }

  #readPairs(pairs: readonly (readonly [Node, Node])[], place: Place): Origin {
    // A path into an object begins with its own names, not with those of the rows in it.
    for (const node of pairs.flat()) this.#readValue(node, place);
    return 'other';
  }

  /** Only a block's own expressions may bind variables; a binding anywhere else is not followed. */
  #readBlock(expressions: readonly Node[], place: Place): Origin {
    const variables = new Map(place.variables);
    let last: Origin = 'other';
    for (const each of expressions) {
      last = this.read(each.type === 'bind' ? each.rhs : each, { ...place, variables });
      if (each.type === 'bind') variables.set(each.lhs.value, last);
    }
    return last;
  }

  /** Reads the body of a function whose parameters may all be rows, or none. @returns the origin of its result */
  #readLambda(node: Node & { type: 'lambda' }, place: Place, parameters: Origin): Origin {
    if (node.signature?.definition.includes('-')) throw new NeedsWholeRows();
    const variables = new Map(place.variables);
    for (const { value } of node.arguments) variables.set(value, parameters);
    return this.read(node.body, { ...place, variables });
  }

  #readApply(node: Node & { type: 'apply' }, place: Place): Origin {
    const { lhs, rhs } = node;
    if (rhs.type !== 'function') throw new NeedsWholeRows();
    return this.#readCall({ ...rhs, arguments: [lhs, ...rhs.arguments] }, place);
  }

  #readCall(node: CallNode, place: Place): Origin {
    const { procedure, arguments: args } = node;
    if (procedure.type !== 'variable' || procedure.predicate || procedure.group) throw new NeedsWholeRows();
    const name = procedure.value;
    const isOwn = place.variables.has(name) || this.#bindings.has(name);
    if (name === 'eval') throw new NeedsWholeRows();
    if (isOwn || !SIGNATURES.has(name)) return this.#readUnknownCall(args, place);
    if (place.context === 'rows' && takesContext(name, args.length)) throw new NeedsWholeRows();
    const [first, second] = args;
    const iterating = ITERATING.get(name);
    if (iterating !== undefined && first !== undefined && second?.type === 'lambda') {
      const rows = this.read(first, place);
      const result = this.#readLambda(second, place, rows);
      if (iterating === 'results') return result;
      if (result === 'rows') throw new NeedsWholeRows();
      return rows;
    }
    if (COUNTING.has(name) && first !== undefined && args.length === 1) {
      this.read(first, place);
      return 'other';
    }
    if (SELECTING.has(name)) return join(args.map((each) => this.read(each, place)));
    return this.#readUnknownCall(args, place);
  }

  /** Reads the arguments of a function that may do anything with them, but cannot return rows that it does not get. */
  #readUnknownCall(args: readonly Node[], place: Place): Origin {
    for (const each of args) this.#readValue(each, place);
    return 'other';
  }
}

/**
 * Returns the fields of the rows that an expression over an array of rows reads; undefined when it may need whole rows. Rows
 * that keep these fields alone give the same result.
 * @param bindings names of the variables that the caller binds
 * @param source where the rows are; by default they are the input
 */
export function rowFields(
  ast: Node,
  bindings: Iterable<string> = [],
  source: RowSource = { isInput: true, variables: [] },
): RowFields | undefined {
  const reader = new Reader(new Set([...bindings, ...source.variables]), source);
  try {
    const context = source.isInput ? 'rows' : 'other';
    if (reader.read(ast, { context, variables: new Map() }) === 'rows') return undefined;
    return { paths: reader.paths, arePlain: reader.arePlain };
  } catch (error) {
    if (error instanceof NeedsWholeRows) return undefined;
    throw error;
  }
}
