import { isAmongFields, SLOW } from '../runtime/fields.ts';
import type { Code, Frame } from '../runtime/frame.ts';
import type { BinaryNode } from './ast.ts';
import { type CompileContext, compileIn } from './compile-context.ts';
import { namesBelow, namesOf } from './path.ts';

/** Length of a list from which a set of its items is kept. */
const MIN_KEPT = 16;

/** The list in which an operator has searched last. */
interface SearchedList {
  readonly list: readonly unknown[];
  members: ReadonlySet<unknown> | undefined;
}

/** Compiles `item in list`. Fields of a list of objects are compared without collecting them first. */
export function compileMembership(
  node: BinaryNode,
  { left, right }: { left: Code; right: Code },
  context: CompileContext,
): Code {
  const list = compileList(node, right, context);
  const [first, second, ...rest] = (node.rhs.type === 'path' && namesOf(node.rhs)) || [];
  if (first === undefined || second === undefined || rest.length > 0)
    return (input, frame) => isIn(node, [left(input, frame), list(input, frame)], frame);
  const names = [first, second] as const;
  return (input, frame) => {
    const item = left(input, frame);
    if (typeof item === 'string' || typeof item === 'number') {
      const found = isAmongFields(item, input, names);
      if (found !== SLOW) {
        frame.run.budget.spend(1);
        return found;
      }
    }
    return isIn(node, [item, list(input, frame)], frame);
  };
}

/** Compiles the list. `$others.a.b` is collected once for the same `$others`. */
function compileList({ rhs }: BinaryNode, right: Code, context: CompileContext): Code {
  const [start] = rhs.type === 'path' ? rhs.steps : [];
  if (start?.type !== 'variable' || start.value === '' || context.unit.dynamic) return right;
  const names = namesBelow(rhs, start.value);
  if (names === undefined || names.length === 0) return right;
  const variable = compileIn(context, start);
  return (input, frame) => {
    const from = variable(input, frame);
    if (!Array.isArray(from) || from.length < MIN_KEPT) return right(input, frame);
    const { memory, budget } = frame.run;
    const known = memory.get(start) as { from: unknown; list: unknown } | undefined;
    if (known?.from === from) {
      budget.spend(1);
      return known.list;
    }
    const list = right(input, frame);
    memory.set(start, { from, list });
    return list;
  };
}

function isIn(node: BinaryNode, [item, list]: [unknown, unknown], { run }: Frame): boolean {
  if (item === undefined || list === undefined) return false;
  if (!Array.isArray(list)) return list === item;
  if (list.length >= MIN_KEPT) {
    const known = run.memory.get(node) as SearchedList | undefined;
    if (known?.list === list) {
      run.budget.spend(1);
      if (known.members === undefined) {
        run.budget.spend(list.length);
        known.members = new Set(list);
      }
      // A set finds NaN, which equals nothing.
      return known.members.has(item) && !Number.isNaN(item);
    }
    run.memory.set(node, { list, members: undefined } satisfies SearchedList);
  }
  run.budget.spend(list.length >> 2);
  return list.indexOf(item) >= 0;
}
