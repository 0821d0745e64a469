import { builtin } from '../functions/library.ts';
import {
  apply,
  Callable,
  HOLE,
  Lambda,
  type LambdaCode,
  Native,
  PartialCall,
  PassedFunction,
  TailCall,
} from '../runtime/callable.ts';
import { asJsonataError, JsonataError } from '../runtime/errors.ts';
import { SLOW } from '../runtime/fields.ts';
import { type Code, type Frame, Scope } from '../runtime/frame.ts';
import { collapse } from '../runtime/sequence.ts';
import { compileSignature } from '../runtime/signature.ts';
import { isFunction } from '../runtime/values.ts';
import { type CallNode, directBinds, type LambdaNode, type Node } from './ast.ts';
import { type CompileContext, compileIn } from './compile-context.ts';
import { keyOrder } from './key-order.ts';
import { compileVariable, isGlobal } from './variables.ts';

/** Compiles `$f(...)`; with `first`, `... ~> $f(...)`. */
export function compileCall(node: CallNode, context: CompileContext, first?: Code): Code {
  const codes = node.arguments.map((arg) => compileIn(context, arg));
  const all = first === undefined ? codes : [first, ...codes];
  const general = compileGeneralCall(node, context, { first, codes });
  return compileQuickCall(node, context, { codes: all, general }) ?? general;
}

/** Compiles a call of a built-in function that has a fast path for this number of arguments. */
function compileQuickCall(
  node: CallNode,
  context: CompileContext,
  { codes, general }: { codes: readonly Code[]; general: GeneralCall },
): Code | undefined {
  const name = globalName(node, context);
  const quick = name === undefined ? undefined : builtin(name)?.quick;
  if (name === undefined || quick === undefined || codes.length !== quick.arity) return undefined;
  const { call } = quick;
  const [first = NOTHING, second = NOTHING, third = NOTHING] = codes;
  const isHidden = ({ run }: Frame): boolean => run.bindings.size > 0 && run.bindings.has(name);
  if (quick.arity === 1) {
    return (input, frame) => {
      if (isHidden(frame)) return general(input, frame);
      const a = first(input, frame);
      frame.run.budget.spend(1);
      const result = call(a, undefined, undefined, frame);
      return result === SLOW ? general(input, frame, [a]) : result;
    };
  }
  return (input, frame) => {
    if (isHidden(frame)) return general(input, frame);
    const a = first(input, frame);
    const b = second(input, frame);
    const c = third(input, frame);
    frame.run.budget.spend(1);
    const result = call(a, b, c, frame);
    return result === SLOW ? general(input, frame, quick.arity === 2 ? [a, b] : [a, b, c]) : result;
  };
}

const NOTHING: Code = () => undefined;

/** A call. `ready` contains the arguments if they are already evaluated. */
type GeneralCall = (input: unknown, frame: Frame, ready?: readonly unknown[]) => unknown;

function compileGeneralCall(
  node: CallNode,
  context: CompileContext,
  { first, codes }: { first: Code | undefined; codes: readonly Code[] },
): GeneralCall {
  const callee = compileCallee(node, context);
  const token = procedureName(node.procedure);
  const { position } = node;
  const { level } = context;

  return (input, frame, ready) => {
    const args: unknown[] = first === undefined ? [] : [ready === undefined ? first(input, frame) : ready[0]];
    const skip = args.length;
    const called = callee(input, frame);
    for (let i = 0; i < codes.length; i++) {
      const arg = ready === undefined ? (codes[i] as Code)(input, frame) : ready[i + skip];
      args.push(isFunction(arg) ? new PassedFunction(arg, frame) : arg);
    }
    frame.run.budget.spend(1);
    try {
      return apply(called, args, { input, frame, depth: frame.depth + level });
    } catch (thrown) {
      throw locate(asJsonataError(thrown), { called, token, position });
    }
  };
}

/** Adds the position of the call to an error, by the rules of the reference. */
function locate(
  error: JsonataError,
  at: { called: unknown; token: unknown; position: number | undefined },
): JsonataError {
  error.token ??= at.token;
  const isNamed = at.called instanceof Callable && !(at.called instanceof PassedFunction);
  if (isNamed) error.position = at.position || error.position;
  error.position ||= at.position;
  return error;
}

function procedureName(procedure: Node): unknown {
  if (procedure.type === 'path') return nameOf(procedure.steps[0]);
  return nameOf(procedure);
}

function nameOf(node: Node | undefined): unknown {
  return node !== undefined && 'value' in node ? node.value : undefined;
}

/** Returns the callee's name if it can only refer to the caller's bindings or a built-in function. */
function globalName({ procedure }: CallNode, context: CompileContext): string | undefined {
  if (procedure.type !== 'variable' || procedure.predicate || procedure.group) return undefined;
  return isGlobal(procedure.value, context) ? procedure.value : undefined;
}

/** Compiles the callee. A field with the name of a function gets an error that suggests the missing `$`. */
function compileCallee(node: CallNode, context: CompileContext): Code {
  const { procedure } = node;
  const global = globalName(node, context);
  if (global !== undefined) {
    const found = builtin(global);
    const name = global;
    return (_, { run }) => (run.bindings.size > 0 && run.bindings.has(name) ? run.bindings.get(name) : found);
  }
  const code = compileIn(context, procedure);
  if (procedure.type !== 'path') return code;
  const name = nameOf(procedure.steps[0]);
  const likely = compileVariable(typeof name === 'string' && name !== '' ? name : '\0', context);
  const hint = node.type === 'partial' ? 'T1007' : 'T1005';
  return (input, frame) => {
    const called = code(input, frame);
    if (called === undefined && likely(input, frame)) {
      throw new JsonataError(hint, { position: node.position, token: name });
    }
    return called;
  };
}

/** Compiles `function($a, $b)<signature>{ ... }`, or the tail call that the parser wraps in one. */
export function compileLambda(node: LambdaNode, context: CompileContext): Code {
  if (node.thunk === true) return compileTailCall(node.body as CallNode, context);
  const parameters = node.arguments.map((parameter) => parameter.value);
  const scope = new Scope(context.scope, parameters);
  for (const name of directBinds([node.body])) scope.declare(name);
  const code: LambdaCode = {
    scope,
    signature: node.signature && compileSignature(node.signature.definition),
    body: context.unit.compile(node.body, { unit: context.unit, scope, level: 1 }),
    hasTailCalls: context.unit.dynamic || endsInCall(node.body),
    order: keyOrder(node.body, parameters),
  };
  return (input, frame) => new Lambda(code, input, frame);
}

/** Returns whether the parser wrapped a call in tail position, looking through blocks and conditions. */
function endsInCall(body: Node): boolean {
  if (body.type === 'lambda') return body.thunk === true;
  if (body.type === 'condition')
    return endsInCall(body.then) || (body.else !== undefined && endsInCall(body.else));
  const last = body.type === 'block' ? body.expressions.at(-1) : undefined;
  return last !== undefined && endsInCall(last);
}

function compileTailCall(node: CallNode, context: CompileContext): Code {
  const callee = compileIn(context, node.procedure);
  const codes = node.arguments.map((arg) => compileIn(context, arg));
  const token = node.procedure.type === 'variable' ? node.procedure.value : undefined;
  const at = { token, position: node.procedure.position };
  return (input, frame) => {
    const called = callee(input, frame);
    const args: unknown[] = [];
    for (let i = 0; i < codes.length; i++) args.push((codes[i] as Code)(input, frame));
    return new TailCall(called, args, at);
  };
}

/** Compiles a partial call: `$f(?, 1)`. */
export function compilePartial(node: CallNode, context: CompileContext): Code {
  const codes = node.arguments.map((arg) => (arg.type === 'operator' ? undefined : compileIn(context, arg)));
  const callee = compileCallee(node, context);
  return (input, frame) => {
    const args = codes.map((code) => (code === undefined ? HOLE : code(input, frame)));
    const called = callee(input, frame);
    if (called instanceof Callable) {
      return new PartialCall(called, called instanceof Lambda ? args.slice(0, called.arity) : args);
    }
    if (typeof called === 'function') return new PartialCall(called as (...args: unknown[]) => unknown, args);
    throw new JsonataError('T1008', { position: node.position, token: procedureName(node.procedure) });
  };
}

/** Compiles `value ~> $f(...)`, `value ~> $f` and `$f ~> $g`. */
export function compileApply(node: Node & { type: 'apply' }, context: CompileContext): Code {
  const left = compileIn(context, node.lhs);
  if (node.rhs.type === 'function') {
    return compileCall(node.rhs, context, left);
  }
  const right = compileIn(context, node.rhs);
  return (input, frame) => {
    const value = left(input, frame);
    const called = right(input, frame);
    if (!isFunction(called)) throw new JsonataError('T2006', { position: node.position, value: called });
    frame.run.budget.spend(1);
    if (isFunction(value)) return compose(value, called, frame);
    return apply(called, [value], { input: null, frame, depth: frame.depth + context.level });
  };
}

/** Returns the composition of two functions: `second` applied to the result of `first`. */
function compose(first: unknown, second: unknown, frame: Frame): Callable {
  return new Native(1, undefined, (args, site) => {
    frame.run.budget.checkDepth(site.depth + 1);
    const inner = { input: null, frame, depth: site.depth + 2 };
    const value = collapse(apply(first, args.slice(0, 1), inner));
    return new TailCall(second, [value], { token: undefined, position: undefined });
  });
}
