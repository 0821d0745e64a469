import { type Tree, Unsupported } from './syntax.ts';

/** One instruction: the numbers are those of the instructions to go on with. */
export type Instruction =
  | { op: 'atom'; test: (unit: number) => boolean; next: number }
  | { op: 'assert'; name: '^' | '$' | '\\b' | '\\B'; next: number }
  | { op: 'split'; first: number; second: number }
  | { op: 'save'; slot: number; next: number }
  | { op: 'match' };

const LONGEST_PROGRAM = 20_000;

/** Translates an expression for the machine in `machine.ts`; instruction 0 is the last one. */
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

  const emitRepeat = (node: Tree & { kind: 'repeat' }, next: number): number => {
    const split = (body: number, after: number): Instruction =>
      node.lazy ? { op: 'split', first: after, second: body } : { op: 'split', first: body, second: after };
    let entry = next;
    if (Number.isFinite(node.most)) {
      for (let i = node.least; i < node.most; i++) entry = add(split(emit(node.body, entry), next));
    } else {
      const loop = add({ op: 'split', first: 0, second: 0 });
      program[loop] = split(emit(node.body, loop), next);
      entry = loop;
    }
    for (let i = 0; i < node.least; i++) entry = emit(node.body, entry);
    return entry;
  };

  const start = emit(tree, 0);
  return { program, start };
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
