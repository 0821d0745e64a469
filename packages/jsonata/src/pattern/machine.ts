import type { Budget } from '../runtime/limits.ts';
import type { Instruction } from './program.ts';

/**
 * Runs a program with backtracking that never tries the same instruction at the same place twice: time and memory are
 * at most instructions times text. Returns the bounds of the match and its groups, or undefined.
 */
export class Machine {
  readonly #program: readonly Instruction[];
  readonly #start: number;
  readonly #slots: number;
  readonly #multiline: boolean;

  constructor(code: { program: readonly Instruction[]; start: number }, groups: number, multiline: boolean) {
    this.#program = code.program;
    this.#start = code.start;
    this.#slots = groups * 2 + 2;
    this.#multiline = multiline;
  }

  run(text: string, from: number, budget: Budget): number[] | undefined {
    const width = text.length - from + 1;
    budget.spendItems(Math.ceil((this.#program.length * width) / 8));
    const tried = new Uint8Array(Math.ceil((this.#program.length * width) / 8));
    for (let at = from; at <= text.length; at++) {
      const slots = this.#attempt(text, at, { from, width, tried, budget });
      if (slots !== undefined) return slots;
    }
    return undefined;
  }

  #attempt(
    text: string,
    at: number,
    state: { from: number; width: number; tried: Uint8Array; budget: Budget },
  ): number[] | undefined {
    const { from, width, tried, budget } = state;
    const slots: number[] = new Array<number>(this.#slots).fill(-1);
    slots[0] = at;
    // Entries come in threes: an instruction and a position to try, or a slot (as -1 - slot) and its value to restore.
    const stack: number[] = [this.#start, at];
    while (stack.length > 0) {
      let position = stack.pop() as number;
      let pc = stack.pop() as number;
      if (pc < 0) {
        slots[-1 - pc] = position;
        continue;
      }
      for (;;) {
        budget.spend(1);
        const bit = pc * width + (position - from);
        const mask = 1 << (bit & 7);
        if ((tried[bit >> 3] as number) & mask) break;
        tried[bit >> 3] = (tried[bit >> 3] as number) | mask;
        const instruction = this.#program[pc] as Instruction;
        if (instruction.op === 'match') {
          slots[1] = position;
          return slots;
        }
        if (instruction.op === 'split') {
          stack.push(instruction.second, position);
          pc = instruction.first;
          continue;
        }
        if (instruction.op === 'save') {
          stack.push(-1 - instruction.slot, slots[instruction.slot] as number);
          slots[instruction.slot] = position;
        } else if (instruction.op === 'clear') {
          for (let slot = instruction.from; slot <= instruction.to; slot++) {
            stack.push(-1 - slot, slots[slot] as number);
            slots[slot] = -1;
          }
        } else if (instruction.op === 'fail') {
          break;
        } else if (instruction.op === 'atom') {
          if (position >= text.length || !instruction.test(text.charCodeAt(position))) break;
          position++;
        } else if (!this.#holds(instruction.name, text, position)) break;
        pc = instruction.next;
      }
    }
    return undefined;
  }

  #holds(name: string, text: string, at: number): boolean {
    if (name === '^') return at === 0 || (this.#multiline && isLineEnd(text, at - 1));
    if (name === '$') return at === text.length || (this.#multiline && isLineEnd(text, at));
    return (isWord(text, at - 1) !== isWord(text, at)) === (name === '\\b');
  }
}

function isLineEnd(text: string, at: number): boolean {
  return '\n\r\u2028\u2029'.includes(text.charAt(at));
}

function isWord(text: string, at: number): boolean {
  return /\w/.test(text.charAt(at));
}
