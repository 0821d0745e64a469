import { type Code, call, code, eitherType, literal, MISSING, operand } from './code.ts';
import { FILTERS } from './filters.ts';
import { FUNCTIONS } from './functions.ts';
import { METHODS } from './methods.ts';
import { COMPARISONS, calculated, compared, joined, knownTruth, negated } from './operators.ts';
import type { JinjaNode } from './parse-template.ts';
import { UntranslatableError } from './untranslatable-error.ts';
import { type Arguments, fieldOf, innerTextOf, printable, textOf, truthOf } from './values.ts';

/** Returns the code of a variable, or of a path that begins with one: `['config', 'credentials', 'token']`; undefined if there is none. */
export type Variables = (path: readonly string[]) => Code | undefined;

const CONSTANTS: Readonly<Record<string, boolean | null>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
};
const TESTS: Readonly<Record<string, (tested: Code) => Code>> = {
  defined: ({ source }) => call(`$exists(${source})`, 'boolean'),
  undefined: ({ source }) => call(`$not($exists(${source}))`, 'boolean'),
  none: (tested) => code(`${operand(tested)} = null`, 'boolean'),
  true: (tested) => code(`${operand(tested)} = true`, 'boolean'),
  false: (tested) => code(`${operand(tested)} = false`, 'boolean'),
  string: ({ source }) => code(`$type(${source}) = "string"`, 'boolean'),
  number: ({ source }) => code(`$type(${source}) = "number"`, 'boolean'),
  boolean: ({ source }) => code(`$type(${source}) = "boolean"`, 'boolean'),
  mapping: ({ source }) => code(`$type(${source}) = "object"`, 'boolean'),
};

/** Methods of Python’s objects, which `object.items` reads even if the object has such a member. */
const DICT_METHODS: ReadonlySet<string> = new Set([
  'clear',
  'copy',
  'get',
  'items',
  'keys',
  'pop',
  'popitem',
  'setdefault',
  'update',
  'values',
]);

/** Translates expressions of a template. */
export class ExpressionTranslator {
  readonly #variables: Variables;
  /** Codes of the variables that a template sets. */
  readonly #locals: ReadonlyMap<string, Code>;

  constructor(variables: Variables, locals: ReadonlyMap<string, Code> = new Map()) {
    this.#variables = variables;
    this.#locals = locals;
  }

  /** Returns a translator that knows one variable more. */
  with(name: string, value: Code): ExpressionTranslator {
    return new ExpressionTranslator(this.#variables, new Map([...this.#locals, [name, value]]));
  }

  /** @throws UntranslatableError */
  translate(node: JinjaNode): Code {
    switch (node.type) {
      case 'Identifier':
        return this.#variable([String(node.value)]);
      case 'StringLiteral':
      case 'IntegerLiteral':
        return literal(node.value as string | number);
      case 'FloatLiteral':
        return { ...literal(node.value as number), type: 'float' };
      case 'ArrayLiteral':
      case 'TupleLiteral':
        return this.#list(node.value as JinjaNode[]);
      case 'ObjectLiteral':
        return this.#object(node.value as Map<JinjaNode, JinjaNode>);
      case 'MemberExpression':
        return this.#member(node);
      case 'CallExpression':
        return this.#call(node);
      case 'FilterExpression':
        return this.#filter(node);
      case 'BinaryExpression':
        return this.#binary(node);
      case 'UnaryExpression':
        return this.#unary(node);
      case 'TestExpression':
        return this.#test(node);
      case 'Ternary':
        return this.#choice(node.condition, node.trueExpr, this.translate(node.falseExpr as JinjaNode));
      case 'SelectExpression':
        return this.#choice(node.test, node.lhs, MISSING);
      default:
        throw new UntranslatableError(`the construct ${node.type}`);
    }
  }

  #variable(path: readonly string[]): Code {
    const [name = ''] = path;
    if (path.length === 1 && Object.hasOwn(CONSTANTS, name))
      return literal(CONSTANTS[name] as boolean | null);
    const local = path.length === 1 ? this.#locals.get(name) : undefined;
    const found = local ?? (this.#locals.has(name) ? undefined : this.#variables(path));
    if (found) return found;
    throw new UntranslatableError(`the variable ${path.join('.')}`);
  }

  #list(nodes: readonly JinjaNode[]): Code {
    const items = nodes.map((node) => this.translate(node));
    const texts = items.map((item) => operand(innerTextOf(item)));
    // A list would become several items.
    const sources = items.map(({ source, type }) =>
      type === 'any' || type === 'list' ? `$item(${source})` : source,
    );
    return {
      source: `[${sources.join(', ')}]`,
      type: 'list',
      items,
      isSimple: true,
      ...(items.length > 0 && { text: `"[" & ${texts.join(' & ", " & ')} & "]"` }),
    };
  }

  #object(entries: Map<JinjaNode, JinjaNode>): Code {
    const names = new Set<string>();
    const members: string[] = [];
    const texts: string[] = [];
    for (const [key, inner] of entries) {
      const name = this.translate(key);
      const value = this.translate(inner);
      if (name.type !== 'text') throw new UntranslatableError('a name of a member that is no text');
      if (names.has(name.source)) throw new UntranslatableError('an object with two members of one name');
      names.add(name.source);
      members.push(`${name.source}: ${value.source}`);
      texts.push(`$quoted(${name.source}) & ": " & ${operand(innerTextOf(value))}`);
    }
    return {
      source: `{${members.join(', ')}}`,
      type: 'object',
      isSimple: true,
      ...(texts.length > 0 && { text: `"{" & ${texts.join(' & ", " & ')} & "}"` }),
    };
  }

  /** Returns the names of a path of fields, if the expression is one: `config['a'].b`. */
  #pathOf(node: JinjaNode): string[] | undefined {
    if (node.type === 'Identifier') return [String(node.value)];
    if (node.type === 'CallExpression') return this.#pathOfGet(node);
    if (node.type !== 'MemberExpression') return undefined;
    const before = this.#pathOf(node.object as JinjaNode);
    const { type, value } = node.property as JinjaNode;
    if (!before) return undefined;
    if (!node.computed) return type === 'Identifier' ? [...before, String(value)] : undefined;
    const key = this.#constantKey(node.property as JinjaNode);
    return key === undefined ? undefined : [...before, key];
  }

  /** Returns the text of a key that is no variable: `'a'` or `'a' + 'b'`. */
  #constantKey(property: JinjaNode): string | undefined {
    if (property.type !== 'StringLiteral' && property.type !== 'BinaryExpression') return undefined;
    const { constant } = this.translate(property);
    return typeof constant === 'string' ? constant : undefined;
  }

  /** Returns the names of `config.get('a')`, which is the field unless it has another default than an object without fields. */
  #pathOfGet({ callee, args }: JinjaNode): string[] | undefined {
    const { type, computed, object, property } = callee as JinjaNode;
    const [key, otherwise, ...more] = args as JinjaNode[];
    const isGet = type === 'MemberExpression' && !computed && (property as JinjaNode).value === 'get';
    const isEmpty =
      otherwise === undefined ||
      (otherwise.type === 'ObjectLiteral' && (otherwise.value as ReadonlyMap<unknown, unknown>).size === 0);
    if (!isGet || !isEmpty || more.length > 0 || key?.type !== 'StringLiteral') return undefined;
    const before = this.#pathOf(object as JinjaNode);
    return before && [...before, String(key.value)];
  }

  #member(node: JinjaNode): Code {
    const { type, value: name } = node.property as JinjaNode;
    const isMethod = DICT_METHODS.has(String(name));
    if (!isMethod) return this.#memberOf(node);
    if (!node.computed) throw new UntranslatableError(`the method ${String(name)} as a value`);
    const found = this.#memberOf(node);
    // `object['items']` is the method, which is true, if the object has no such member.
    return type === 'StringLiteral'
      ? { ...found, truth: `$exists(${found.source}) ? ${truthOf(found).source} : true` }
      : found;
  }

  #memberOf(node: JinjaNode): Code {
    const path = this.#pathOf(node);
    const known = path && !this.#locals.has(path[0] ?? '') ? this.#variables(path) : undefined;
    if (known) return known;
    const object = this.translate(node.object as JinjaNode);
    const property = node.property as JinjaNode;
    if (property.type === 'SliceExpression') return this.#slice(object, property);
    if (!node.computed && property.type === 'Identifier') return fieldOf(object, String(property.value));
    const key = this.translate(property);
    if (typeof key.constant === 'string') return fieldOf(object, key.constant);
    if (key.type !== 'number') return call(`$field(${object.source}, ${key.source})`, 'any');
    if (object.type === 'text') return call(`$substring(${object.source}, ${key.source}, 1)`, 'text');
    return object.type === 'list'
      ? { source: `${operand(object)}[${key.source}]`, type: object.itemType ?? 'any', isSimple: true }
      : call(`$index(${object.source}, ${key.source})`, 'any');
  }

  #slice(object: Code, { start, stop, step }: JinjaNode): Code {
    if (step !== undefined) throw new UntranslatableError('a slice with a step');
    const from = start === undefined ? literal(0) : this.translate(start as JinjaNode);
    const to = stop === undefined ? literal(1e9) : this.translate(stop as JinjaNode);
    const type = object.type === 'text' || object.type === 'list' ? object.type : 'any';
    return call(`$slice(${object.source}, ${from.source}, ${to.source})`, type);
  }

  #arguments(nodes: readonly JinjaNode[]): Arguments {
    const given: Code[] = [];
    const named = new Map<string, Code>();
    for (const node of nodes) {
      if (node.type === 'SpreadExpression' || node.type === 'KeywordSpreadExpression')
        throw new UntranslatableError('unpacked arguments');
      if (node.type === 'KeywordArgumentExpression')
        named.set(String((node.key as JinjaNode).value), this.translate(node.value as JinjaNode));
      else given.push(this.translate(node));
    }
    return { given, named };
  }

  #call(node: JinjaNode): Code {
    const callee = node.callee as JinjaNode;
    const given = this.#arguments(node.args as JinjaNode[]);
    if (callee.type === 'Identifier') {
      const name = String(callee.value);
      const known = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
      if (!known) throw new UntranslatableError(`the function ${name}`);
      return known(given);
    }
    const property = callee.property as JinjaNode | undefined;
    if (callee.type !== 'MemberExpression' || callee.computed || property?.type !== 'Identifier')
      throw new UntranslatableError('a call of a value');
    const name = String(property.value);
    const known = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
    if (!known) throw new UntranslatableError(`the method ${name}`);
    // A path such as config.get('x') is one of a variable.
    const path = name === 'get' ? this.#pathOf(callee.object as JinjaNode) : undefined;
    const key = given.given[0]?.constant;
    const field =
      path && typeof key === 'string' && !this.#locals.has(path[0] ?? '')
        ? this.#variables([...path, key])
        : undefined;
    return known(field ? MISSING : this.translate(callee.object as JinjaNode), given, field);
  }

  #filter(node: JinjaNode): Code {
    const filter = node.filter as JinjaNode;
    const isCall = filter.type === 'CallExpression';
    const name = String(((isCall ? filter.callee : filter) as JinjaNode).value);
    const known = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
    if (!known) throw new UntranslatableError(`the filter ${name}`);
    return known(
      this.translate(node.operand as JinjaNode),
      this.#arguments(isCall ? (filter.args as JinjaNode[]) : []),
    );
  }

  #unary(node: JinjaNode): Code {
    const { value } = node.operator as { value: string };
    const argument = this.translate(node.argument as JinjaNode);
    if (value === 'not') return negated(argument);
    if (value === '+') return argument;
    return code(`-${operand(argument)}`, argument.type === 'float' ? 'float' : 'number');
  }

  #test(node: JinjaNode): Code {
    const name = String((node.test as JinjaNode).value);
    const lower = name.toLowerCase();
    const known = Object.hasOwn(TESTS, lower) ? TESTS[lower] : undefined;
    if (!known) throw new UntranslatableError(`the test “is ${name}”`);
    const tested = known(this.translate(node.operand as JinjaNode));
    return node.negate ? negated(tested) : tested;
  }

  #choice(condition: unknown, chosen: unknown, otherwise: Code): Code {
    const tested = this.translate(condition as JinjaNode);
    const known = knownTruth(tested);
    if (known !== undefined) return known ? this.translate(chosen as JinjaNode) : otherwise;
    const test = truthOf(tested);
    const value = this.translate(chosen as JinjaNode);
    const type = eitherType(value, otherwise);
    const [one, other] = type === 'any' ? [printable(value), printable(otherwise)] : [value, otherwise];
    const rest = other.type === 'missing' ? '' : ` : ${operand(other)}`;
    const chosenCode = code(`${operand(test)} ? ${operand(one)}${rest}`, type);
    if (value.text === undefined && otherwise.text === undefined) return chosenCode;
    const text = `${operand(test)} ? ${operand(textOf(value))} : ${operand(textOf(otherwise))}`;
    return { ...chosenCode, text };
  }

  /** Returns whether a variable of which only the fields are known has one: `'start' in config`. */
  #fieldIn({ left, right }: JinjaNode): Code | undefined {
    const { type, value: root } = right as JinjaNode;
    const name = this.#constantKey(left as JinjaNode);
    if (type !== 'Identifier' || name === undefined || this.#locals.has(String(root))) return undefined;
    if (this.#variables([String(root)])) return undefined;
    const field = this.#variables([String(root), name]);
    if (!field) return undefined;
    if (field.constant !== undefined || field.type === 'missing') return literal(field.type !== 'missing');
    return call(`$exists(${field.source})`, 'boolean');
  }

  #binary(node: JinjaNode): Code {
    const { value: operator } = node.operator as { value: string };
    const leftNode = node.left as JinjaNode;
    const field = operator === 'in' || operator === 'not in' ? this.#fieldIn(node) : undefined;
    if (field) return operator === 'in' ? field : negated(field);
    const right = this.translate(node.right as JinjaNode);
    const chained =
      leftNode.type === 'BinaryExpression' ? (leftNode.operator as { value: string }).value : '';
    if (COMPARISONS.includes(operator) && COMPARISONS.includes(chained)) {
      const middle = this.translate(leftNode.right as JinjaNode);
      return code(
        `${operand(this.translate(leftNode))} and ${operand(compared(operator, middle, right))}`,
        'boolean',
      );
    }
    const left = this.translate(leftNode);
    if (COMPARISONS.includes(operator)) return compared(operator, left, right);
    return operator === 'and' || operator === 'or'
      ? joined(operator, left, right)
      : calculated(operator, left, right);
  }
}
