import { JsonataError } from '../runtime/errors.ts';
import { compileField } from '../runtime/fields.ts';
import type { Code, Scope } from '../runtime/frame.ts';
import { compileRegex } from '../runtime/regex.ts';
import { collapse, markConstructed, unwrapInput } from '../runtime/sequence.ts';
import { isNumeric, isTruthy } from '../runtime/values.ts';
import { conditionOf, directBinds, mentions, type Node, type UnaryNode } from './ast.ts';
import { compileApply, compileCall, compileLambda, compilePartial } from './calls.ts';
import { compilePredicate } from './filter.ts';
import { compileGroup } from './group.ts';
import { compileBinary } from './operators.ts';
import { compileNamePath, compilePath } from './path.ts';
import { compileIn, type Place, type Unit } from './place.ts';
import { compileTransform } from './transform.ts';
import { compileStreamPredicate } from './tuples.ts';
import { compileBind, compileVariable, inOwnFrame } from './variables.ts';
import { descendants, wildcard } from './wildcards.ts';

/** Compiles a whole expression, to be run in a frame of `scope`. */
export function compileExpression(ast: Node, scope: Scope, options: { dynamic: boolean }): Code {
  const unit: Unit = {
    dynamic: options.dynamic || mentions(ast, 'eval'),
    compile: compileNode,
    tupleScopes: new Map(),
    streamWanted: new Set(),
  };
  for (const name of directBinds([ast])) scope.declare(name);
  return compileNode(ast, { unit, scope, level: 1 });
}

/** Compiles a node with its predicates and its grouping. */
export function compileNode(node: Node, place: Place): Code {
  const names = compileNamePath(node, place);
  if (names !== undefined) return names;
  let code = compileCore(node, place);
  let plain = isNeverSequence(node);
  for (const stage of node.predicate ?? []) {
    if (stage.type === 'filter') {
      code =
        compileStreamPredicate(node, stage.expr, { value: code, place }) ??
        compilePredicate(stage.expr, code, place);
    }
    plain = false;
  }
  if (node.type !== 'path' && node.group !== undefined) {
    const value = code;
    const group = compileGroup(node.group, place);
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

/** Whether the value of a node, its predicates and grouping aside, is never a sequence that must be collapsed. */
function isNeverSequence(node: Node): boolean {
  if (node.type === 'block') {
    const last = node.expressions.at(-1);
    return last !== undefined && !last.predicate && !last.group && !last.keepArray && isNeverSequence(last);
  }
  return NEVER_SEQUENCES.has(node.type);
}

/** Kinds of node whose value is collapsed already, or is never a sequence. */
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

function compileCore(node: Node, place: Place): Code {
  switch (node.type) {
    case 'path':
      return compilePath(node, place);
    case 'name':
      return compileField(node.value);
    case 'string':
    case 'number':
    case 'value': {
      const { value } = node;
      return () => value;
    }
    case 'variable':
      return compileVariable(node.value, place);
    case 'parent':
      return compileVariable(node.slot.label, place);
    case 'wildcard':
      return (input, { run }) => wildcard(unwrapInput(input), run.budget);
    case 'descendant':
      return (input, { run }) => descendants(input, run.budget);
    case 'binary':
      return compileBinary(node, place);
    case 'unary':
      return compileUnary(node, place);
    case 'condition':
      return compileCondition(node, place);
    case 'block':
      return compileBlock(node.expressions, place);
    case 'bind':
      return compileBind(node, place);
    case 'regex':
      return compileRegex(node.value, node.position);
    case 'lambda':
      return compileLambda(node, place);
    case 'function':
      return compileCall(node, place);
    case 'partial':
      return compilePartial(node, place);
    case 'apply':
      return compileApply(node, place);
    case 'transform':
      return compileTransform(node, place);
    default:
      throw new JsonataError('S0206', { position: node.position, token: node.type });
  }
}

function compileCondition(node: Node & { type: 'condition' }, place: Place): Code {
  const condition = compileIn(place, conditionOf(node));
  const consequence = compileIn(place, node.then);
  const alternative = node.else === undefined ? () => undefined : compileIn(place, node.else);
  return (input, frame) => {
    const holds = condition(input, frame);
    return (holds === true || (holds !== false && isTruthy(holds)) ? consequence : alternative)(input, frame);
  };
}

/** `( ...; ... )`: the value of the last expression. */
function compileBlock(expressions: readonly Node[], place: Place): Code {
  return inOwnFrame(expressions, place, (inner) => {
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

function compileUnary(node: UnaryNode, place: Place): Code {
  switch (node.value) {
    case '[':
      return compileArray(node, place);
    case '{':
      return compileGroup({ lhs: node.lhs, position: node.position ?? 0 }, place);
    default: {
      const operand = compileIn(place, node.expression);
      return (input, frame) => {
        const value = operand(input, frame);
        if (value === undefined) return undefined;
        if (isNumeric(value)) return -value;
        throw new JsonataError('D1002', { position: node.position, token: node.value, value });
      };
    }
  }
}

/** `[ ... ]`: sequences inside are taken apart, arrays written inside are not. */
function compileArray(node: UnaryNode & { value: '[' }, place: Place): Code {
  const members = node.expressions.map((member) => ({
    code: compileIn(place, member),
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
