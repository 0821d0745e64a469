import { JsonataError } from '../runtime/errors.ts';
import { compileField } from '../runtime/fields.ts';
import type { Code, Scope } from '../runtime/frame.ts';
import { LIMIT_CODES } from '../runtime/limits.ts';
import { compileRegex } from '../runtime/regex.ts';
import { collapse, markConstructed, unwrapInput } from '../runtime/sequence.ts';
import { isNumeric, isTruthy } from '../runtime/values.ts';
import { conditionOf, directBinds, mentions, type Node, type UnaryNode } from './ast.ts';
import { compileApply, compileCall, compileLambda, compilePartial } from './calls.ts';
import { type CompileContext, compileIn, type Unit } from './compile-context.ts';
import { compilePredicate } from './filter.ts';
import { compileGroup } from './group.ts';
import { compileBinary } from './operators.ts';
import { compileNamePath, compilePath } from './path.ts';
import { compileTransform } from './transform.ts';
import { compileStreamPredicate } from './tuples.ts';
import { compileBind, compileVariable, inOwnFrame } from './variables.ts';
import { descendants, wildcard } from './wildcards.ts';

/** Compiles a whole expression that runs in a frame of `scope`. */
export function compileExpression(ast: Node, scope: Scope, options: { dynamic: boolean }): Code {
  const unit: Unit = {
    dynamic: options.dynamic || mentions(ast, 'eval'),
    compile: compileNode,
    tupleScopes: new Map(),
    streamWanted: new Set(),
    compiled: 0,
    indexedDepth: 0,
  };
  for (const name of directBinds([ast])) scope.declare(name);
  return compileNode(ast, { unit, scope, level: 1 });
}

/** Maximum number of nodes that are compiled: nested groups and predicates of tuples double them at each level. */
const MAX_COMPILED_NODES = 300_000;

/** Compiles a node with its predicates and its grouping. @throws JsonataError L1005 */
export function compileNode(node: Node, context: CompileContext): Code {
  if (++context.unit.compiled > MAX_COMPILED_NODES) throw new JsonataError(LIMIT_CODES.expressionSize);
  const names = compileNamePath(node, context);
  if (names !== undefined) return names;
  let code = compileCore(node, context);
  let plain = isNeverSequence(node);
  for (const stage of node.predicate ?? []) {
    if (stage.type === 'filter') {
      code =
        compileStreamPredicate(node, stage.expr, { value: code, context }) ??
        compilePredicate(stage.expr, code, context);
    }
    plain = false;
  }
  if (node.type !== 'path' && node.group !== undefined) {
    const value = code;
    const group = compileGroup(node.group, context);
    code = (input, frame) => group(value(input, frame), frame);
  }
  if (plain && !node.keepArray) return code;
  const value = code;
  const keepArray = node.keepArray === true;
  return (input, frame) => {
    const result = value(input, frame);
    return typeof result === 'object' ? collapse(result, keepArray) : result;
  };
}

/** Returns whether a node's value, without predicates and grouping, never needs collapsing. */
function isNeverSequence(node: Node): boolean {
  if (node.type === 'block') {
    const last = node.expressions.at(-1);
    return last !== undefined && !last.predicate && !last.group && !last.keepArray && isNeverSequence(last);
  }
  return NEVER_SEQUENCES.has(node.type);
}

/** Node types whose value is already collapsed or is never a sequence. */
const NEVER_SEQUENCES: ReadonlySet<string> = new Set([
  'string',
  'number',
  'value',
  'binary',
  'lambda',
  'partial',
  'transform',
  'regex',
  'unary',
]);

function compileCore(node: Node, context: CompileContext): Code {
  switch (node.type) {
    case 'path':
      return compilePath(node, context);
    case 'name':
      return compileField(node.value);
    case 'string':
    case 'number':
    case 'value': {
      const { value } = node;
      return () => value;
    }
    case 'variable':
      return compileVariable(node.value, context);
    case 'parent':
      return compileVariable(node.slot.label, context);
    case 'wildcard':
      return (input, { run }) => wildcard(unwrapInput(input), run.budget);
    case 'descendant':
      return (input, { run }) => descendants(input, run.budget);
    case 'binary':
      return compileBinary(node, context);
    case 'unary':
      return compileUnary(node, context);
    case 'condition':
      return compileCondition(node, context);
    case 'block':
      return compileBlock(node.expressions, context);
    case 'bind':
      return compileBind(node, context);
    case 'regex':
      return compileRegex(node.value, node.position);
    case 'lambda':
      return compileLambda(node, context);
    case 'function':
      return compileCall(node, context);
    case 'partial':
      return compilePartial(node, context);
    case 'apply':
      return compileApply(node, context);
    case 'transform':
      return compileTransform(node, context);
    default:
      throw new JsonataError('S0206', { position: node.position, token: node.type });
  }
}

function compileCondition(node: Node & { type: 'condition' }, context: CompileContext): Code {
  const condition = compileIn(context, conditionOf(node));
  const consequence = compileIn(context, node.then);
  const alternative = node.else === undefined ? () => undefined : compileIn(context, node.else);
  return (input, frame) => {
    const holds = condition(input, frame);
    return (holds === true || (holds !== false && isTruthy(holds)) ? consequence : alternative)(input, frame);
  };
}

/** Compiles a block, `( ...; ... )`; its value is that of the last expression. */
function compileBlock(expressions: readonly Node[], context: CompileContext): Code {
  return inOwnFrame(expressions, context, (inner) => {
    const codes = expressions.map((each) => compileIn(inner, each));
    const [only] = codes;
    if (only !== undefined && codes.length === 1) return only;
    return (input, frame) => {
      let value: unknown;
      for (const code of codes) value = code(input, frame);
      return value;
    };
  });
}

function compileUnary(node: UnaryNode, context: CompileContext): Code {
  switch (node.value) {
    case '[':
      return compileArray(node, context);
    case '{':
      return compileGroup({ lhs: node.lhs, position: node.position ?? 0 }, context);
    default: {
      const operand = compileIn(context, node.expression);
      return (input, frame) => {
        const value = operand(input, frame);
        if (value === undefined) return undefined;
        if (isNumeric(value)) return -value;
        throw new JsonataError('D1002', { position: node.position, token: node.value, value });
      };
    }
  }
}

/** Compiles `[ ... ]`: sequences inside are flattened, nested array constructors are not. */
function compileArray(node: UnaryNode & { value: '[' }, context: CompileContext): Code {
  const members = node.expressions.map((member) => ({
    code: compileIn(context, member),
    nested: member.type === 'unary' && member.value === '[',
  }));
  const isStep = node.consarray === true;
  return (input, frame) => {
    const { run } = frame;
    const items: unknown[] = [];
    for (const { code, nested } of members) {
      const value = code(input, frame);
      if (value === undefined) continue;
      if (nested || !Array.isArray(value)) {
        items.push(run.keep(value));
      } else {
        run.budget.spendItems(items.length + value.length);
        for (let i = 0; i < value.length; i++) items.push(value[i]);
      }
    }
    run.budget.spend(members.length);
    return isStep ? run.keep(markConstructed(items)) : items;
  };
}
