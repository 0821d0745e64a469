import { builtin } from '../functions/library.ts';
import { type Code, Frame, NOTHING, Scope } from '../runtime/frame.ts';
import { collapse, unwrapInput } from '../runtime/sequence.ts';
import { directBinds, type Node } from './ast.ts';
import { compileIn, type Place, within } from './place.ts';

/** `$name`, `$` (the context) or `$$` (the input). */
export function compileVariable(name: string, place: Place): Code {
  if (name === '') return unwrapInput;
  return place.unit.dynamic ? lookUpByName(name) : lookUpBySlot(name, place.scope);
}

/** Whether the name can mean only a binding of the caller or a built-in function. */
export function isGlobal(name: string, place: Place): boolean {
  if (place.unit.dynamic) return false;
  for (let scope: Scope | null = place.scope; scope !== null; scope = scope.parent) {
    if (scope.slotOf(name) >= 0) return false;
  }
  return true;
}

function lookUpGlobal(name: string): Code {
  const found = builtin(name);
  return (_, { run }) => {
    if (run.bindings.size > 0 && run.bindings.has(name)) return run.bindings.get(name);
    return name === '$' ? run.input : found;
  };
}

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

/** Finds a variable where `$eval` may have added some since compilation. */
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

/** `$name := value`, in the innermost frame. */
export function compileBind(node: Node & { type: 'bind' }, place: Place): Code {
  const slot = place.scope.declare(node.lhs.value);
  const isParameter = slot < place.scope.parameters;
  const value = compileIn(place, node.rhs);
  return (input, frame) => {
    const bound = value(input, frame);
    frame.slots[slot] = bound === undefined && !isParameter ? NOTHING : bound;
    return collapse(bound);
  };
}

/** Compiles expressions that may bind variables, in a frame of their own when they do. */
export function inOwnFrame(nodes: readonly Node[], place: Place, compile: (inner: Place) => Code): Code {
  const names = directBinds(nodes);
  if (names.length === 0 && !place.unit.dynamic) return compile(place);
  const scope = new Scope(place.scope);
  for (const name of names) scope.declare(name);
  const code = compile(within(place, scope));
  return (input, frame) => code(input, new Frame(frame.run, frame, scope, [], frame.depth));
}
