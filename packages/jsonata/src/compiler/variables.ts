import { builtin } from '../functions/library.ts';
import { type Code, Frame, NOTHING, Scope } from '../runtime/frame.ts';
import { collapse, unwrapInput } from '../runtime/sequence.ts';
import { directBinds, type Node } from './ast.ts';
import { type CompileContext, compileIn, within } from './compile-context.ts';

/** Compiles the variable `$name`. The name is empty for `$` (the context) and `$` for `$$` (the input). */
export function compileVariable(name: string, context: CompileContext): Code {
  if (name === '') return unwrapInput;
  return context.unit.dynamic ? lookUpByName(name) : lookUpBySlot(name, context.scope);
}

/** Returns whether the name can only refer to the caller's bindings or a built-in function. */
export function isGlobal(name: string, context: CompileContext): boolean {
  if (context.unit.dynamic) return false;
  for (let scope: Scope | null = context.scope; scope !== null; scope = scope.parent) {
    if (scope.slotOf(name) >= 0) return false;
  }
  return true;
}

/** Looks up the caller's binding, else the input (for `$$`) or the built-in function; undefined if there is none. */
function lookUpGlobal(name: string): Code {
  const found = builtin(name);
  return (_, { run }) => {
    if (run.bindings.size > 0 && run.bindings.has(name)) return run.bindings.get(name);
    return name === '$' ? run.input : found;
  };
}

/** Looks up the innermost variable that is bound so far: skips undefined slots, but returns undefined for NOTHING. */
function lookUpBySlot(name: string, innermost: Scope): Code {
  const hopsAndSlots: [hops: number, slot: number][] = [];
  let hops = 0;
  for (let scope: Scope | null = innermost; scope !== null; scope = scope.parent, hops++) {
    const slot = scope.slotOf(name);
    if (slot < 0) continue;
    const parameter = slot < scope.parameters;
    if (parameter && hopsAndSlots.length === 0) return readParameter(hops, slot);
    hopsAndSlots.push([hops, slot]);
    if (parameter) break;
  }
  const otherwise = lookUpGlobal(name);
  if (hopsAndSlots.length === 0) return otherwise;
  return (input, frame) => {
    for (const [up, slot] of hopsAndSlots) {
      const owner = ancestor(frame, up);
      const value = owner.slots[slot];
      if (value === NOTHING) return undefined;
      if (value !== undefined || slot < owner.scope.parameters) return value;
    }
    return otherwise(input, frame);
  };
}

/** Reads a parameter, which is always bound. @param hops frames between the innermost one and the parameter's */
function readParameter(hops: number, slot: number): Code {
  if (hops === 0) return (_, frame) => frame.slots[slot];
  if (hops === 1) return (_, frame) => (frame.parent as Frame).slots[slot];
  return (_, frame) => ancestor(frame, hops).slots[slot];
}

function ancestor(frame: Frame, hops: number): Frame {
  let found = frame;
  for (let i = 0; i < hops; i++) found = found.parent as Frame;
  return found;
}

/** Looks up a variable at run time, because `$eval` may have added variables since the compilation. */
function lookUpByName(name: string): Code {
  const otherwise = lookUpGlobal(name);
  return (input, innermost) => {
    for (let frame: Frame | null = innermost; frame !== null; frame = frame.parent) {
      const slot = frame.scope.slotOf(name);
      if (slot < 0) continue;
      const value = frame.slots[slot];
      if (value === NOTHING) return undefined;
      if (value !== undefined || slot < frame.scope.parameters) return value;
    }
    return otherwise(input, innermost);
  };
}

/** Compiles `$name := value`, which binds the name in the innermost frame and returns the value. */
export function compileBind(node: Node & { type: 'bind' }, context: CompileContext): Code {
  const slot = context.scope.declare(node.lhs.value);
  const isParameter = slot < context.scope.parameters;
  const value = compileIn(context, node.rhs);
  return (input, frame) => {
    const bound = value(input, frame);
    frame.slots[slot] = bound === undefined && !isParameter ? NOTHING : bound;
    return collapse(bound);
  };
}

/** Compiles expressions that may bind variables, in a frame of their own if they do or if `$eval` could. */
export function inOwnFrame(
  nodes: readonly Node[],
  context: CompileContext,
  compile: (inner: CompileContext) => Code,
): Code {
  const names = directBinds(nodes);
  if (names.length === 0 && !context.unit.dynamic) return compile(context);
  const scope = new Scope(context.scope);
  for (const name of names) scope.declare(name);
  const code = compile(within(context, scope));
  return (input, frame) => code(input, new Frame(frame.run, frame, scope, [], frame.depth));
}
