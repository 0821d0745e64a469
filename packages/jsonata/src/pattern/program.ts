import { type Tree, Unsupported } from './syntax.ts';

/** One instruction: the numbers are those of the instructions to go on with. */
export type Instruction =
  | { op: 'atom'; test: (unit: number) => boolean; next: number }
  | { op: 'assert'; name: '^' | '$' | '\\b' | '\\B'; next: number }
  | { op: 'split'; first: number; second: number }
  | { op: 'save'; slot: number; next: number }
  /** Forgets what groups have matched: each round of a repetition begins anew. */
  | { op: 'clear'; from: number; to: number; next: number }
  | { op: 'fail' }
  | { op: 'match' };

const LONGEST_PROGRAM = 20_000;

/**
 * Translates an expression for the machine in `machine.ts`; instruction 0 is the last one. As ECMAScript has it, each
 * round of a repetition forgets its groups, and a round beyond the least number that matches nothing is no match.
 */
export function compileProgram(tree: Tree, flags: string): { program: Instruction[]; start: number } {
  const program: Instruction[] = [{ op: 'match' }];
  const tests = new Map<string, (unit: number) => boolean>();

  const add = (instruction: Instruction): number => {
    if (program.length > LONGEST_PROGRAM) throw new Unsupported('too many repetitions');
    return program.push(instruction) - 1;
  };

  const testFor = (source: string): ((unit: number) => boolean) => {
    const known = tests.get(source);
    if (known !== undefined) return known;
    const test = characterTest(source, flags);
    tests.set(source, test);
    return test;
  };

  /** The entry of code that matches the tree and goes on at `next`. */
  const emit = (node: Tree, next: number): number => {
    switch (node.kind) {
      case 'atom':
        return add({ op: 'atom', test: testFor(node.source), next });
      case 'assertion':
        return add({ op: 'assert', name: node.name, next });
      case 'sequence':
        return node.items.reduceRight((after, item) => emit(item, after), next);
      case 'choice':
        return node.options
          .map((option) => emit(option, next))
          .reduceRight((second, first) => add({ op: 'split', first, second }));
      case 'group': {
        if (node.index === undefined) return emit(node.body, next);
        const end = add({ op: 'save', slot: node.index * 2 + 1, next });
        return add({ op: 'save', slot: node.index * 2, next: emit(node.body, end) });
      }
      default:
        return emitRepeat(node, next);
    }
  };

  /** The code of one round of a repetition that must not match nothing. */
  const emitRound = (body: Tree, next: number): number =>
    cleared(body, isNullable(body) ? emitProgress(body, add({ op: 'fail' }), next) : emit(body, next));

  const cleared = (body: Tree, next: number): number => {
    const groups = groupsIn(body);
    if (groups.length === 0) return next;
    return add({ op: 'clear', from: Math.min(...groups) * 2, to: Math.max(...groups) * 2 + 1, next });
  };

  /** As `emit`, going on at `idle` where nothing was consumed and at `next` where something was. */
  const emitProgress = (node: Tree, idle: number, next: number): number => {
    switch (node.kind) {
      case 'atom':
        return emit(node, next);
      case 'assertion':
        return emit(node, idle);
      case 'sequence': {
        const entries = node.items.reduceRight(
          (after, item) => ({
            idle: emitProgress(item, after.idle, after.next),
            next: emit(item, after.next),
          }),
          { idle, next },
        );
        return entries.idle;
      }
      case 'choice':
        return node.options
          .map((option) => emitProgress(option, idle, next))
          .reduceRight((second, first) => add({ op: 'split', first, second }));
      case 'group': {
        if (node.index === undefined) return emitProgress(node.body, idle, next);
        const slot = node.index * 2;
        const ends = [idle, next].map((after) => add({ op: 'save', slot: slot + 1, next: after }));
        return add({ op: 'save', slot, next: emitProgress(node.body, ends[0] as number, ends[1] as number) });
      }
      default: {
        const { body, least, most, lazy } = node;
        let entry = idle;
        if (most > least) {
          const rest = emitRepeat({ ...node, least: 0, most: most - least - 1 }, next);
          const round = cleared(body, emitProgress(body, add({ op: 'fail' }), rest));
          entry = lazy
            ? add({ op: 'split', first: idle, second: round })
            : add({ op: 'split', first: round, second: idle });
        }
        for (let done = least - 1; done >= 0; done--) {
          const after = emitRepeat({ ...node, least: least - done - 1, most: most - done - 1 }, next);
          entry = cleared(body, emitProgress(body, entry, after));
        }
        return entry;
      }
    }
  };

  const emitRepeat = (node: Tree & { kind: 'repeat' }, next: number): number => {
    const split = (body: number, after: number): Instruction =>
      node.lazy ? { op: 'split', first: after, second: body } : { op: 'split', first: body, second: after };
    let entry = next;
    if (Number.isFinite(node.most)) {
      for (let i = node.least; i < node.most; i++) entry = add(split(emitRound(node.body, entry), next));
    } else {
      const loop = add({ op: 'split', first: 0, second: 0 });
      program[loop] = split(emitRound(node.body, loop), next);
      entry = loop;
    }
    for (let i = 0; i < node.least; i++) entry = cleared(node.body, emit(node.body, entry));
    return entry;
  };

  const start = emit(tree, 0);
  return { program, start };
}

/** Whether the expression may match nothing. */
function isNullable(tree: Tree): boolean {
  switch (tree.kind) {
    case 'atom':
      return false;
    case 'assertion':
      return true;
    case 'group':
      return isNullable(tree.body);
    case 'sequence':
      return tree.items.every(isNullable);
    case 'choice':
      return tree.options.some(isNullable);
    default:
      return tree.least === 0 || isNullable(tree.body);
  }
}

/** The numbers of the groups in an expression. */
function groupsIn(tree: Tree): number[] {
  switch (tree.kind) {
    case 'group':
      return [...(tree.index === undefined ? [] : [tree.index]), ...groupsIn(tree.body)];
    case 'sequence':
      return tree.items.flatMap(groupsIn);
    case 'choice':
      return tree.options.flatMap(groupsIn);
    case 'repeat':
      return groupsIn(tree.body);
    default:
      return [];
  }
}

/** Tells whether one UTF-16 unit is what the source means, asking the built-in engine once per unit. */
function characterTest(source: string, flags: string): (unit: number) => boolean {
  const regex = new RegExp(`^${source}$`, flags.includes('i') ? 'i' : '');
  const answers = new Map<number, boolean>();
  return (unit) => {
    let answer = answers.get(unit);
    if (answer === undefined) {
      answer = regex.test(String.fromCharCode(unit));
      answers.set(unit, answer);
    }
    return answer;
  };
}
