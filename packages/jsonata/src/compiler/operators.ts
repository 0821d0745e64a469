import { JsonataError } from '../runtime/errors.ts';
import type { Code, Frame } from '../runtime/frame.ts';
import { markSequence } from '../runtime/sequence.ts';
import { toText } from '../runtime/text.ts';
import { isDeepEqual, isNumeric, isTruthy } from '../runtime/values.ts';
import type { BinaryNode, Node } from './ast.ts';
import { type CompileContext, compileIn } from './compile-context.ts';
import { compileMembership } from './membership.ts';

type Operands = (input: unknown, frame: Frame) => unknown;

/** Compiles a binary operator. */
export function compileBinary(node: BinaryNode, context: CompileContext): Code {
  const left = compileIn(context, node.lhs);
  const right = compileIn(context, node.rhs);
  switch (node.value) {
    case 'and':
    case 'or':
      return compileLogic(node, left, right);
    case '=':
      return compileEquality(node.rhs, left, right);
    case '!=':
      return (input, frame) => {
        const a = left(input, frame);
        const b = right(input, frame);
        return a !== undefined && b !== undefined && !isDeepEqual(a, b, frame.run.budget);
      };
    case '<':
    case '<=':
    case '>':
    case '>=':
      return compileComparison(node, left, right);
    case '&':
      return compileConcatenation(node, left, right);
    case '..':
      return compileRange(node, left, right);
    case 'in':
      return compileMembership(node, { left, right }, context);
    default:
      return compileArithmetic(node, left, right);
  }
}

/** Runs an operation and adds the operator's position to its errors. */
function located<T>(node: BinaryNode, operate: () => T): T {
  try {
    return operate();
  } catch (thrown) {
    throw relocated(node, thrown);
  }
}

function relocated(node: BinaryNode, thrown: unknown): unknown {
  if (thrown instanceof JsonataError) {
    thrown.position = node.position;
    thrown.token = node.value;
  }
  return thrown;
}

function compileLogic(node: BinaryNode, left: Operands, right: Operands): Code {
  const isAnd = node.value === 'and';
  const slow = (a: unknown, input: unknown, frame: Frame): boolean =>
    located(node, () => (isTruthy(a) === isAnd ? isTruthy(right(input, frame)) : !isAnd));
  return (input, frame) => {
    const a = left(input, frame);
    if (a === !isAnd) return a;
    if (a !== isAnd) return slow(a, input, frame);
    let b: unknown;
    try {
      b = right(input, frame);
    } catch (thrown) {
      throw relocated(node, thrown);
    }
    return typeof b === 'boolean' ? b : located(node, () => isTruthy(b));
  };
}

function compileEquality(rhs: Node, left: Operands, right: Operands): Code {
  if (rhs.type === 'string' || rhs.type === 'number' || rhs.type === 'value') {
    const constant = rhs.value;
    return (input, frame) => left(input, frame) === constant;
  }
  return (input, frame) => {
    const a = left(input, frame);
    const b = right(input, frame);
    return a !== undefined && b !== undefined && isDeepEqual(a, b, frame.run.budget);
  };
}

function compileComparison(node: BinaryNode, left: Operands, right: Operands): Code {
  const check = (a: unknown, b: unknown): boolean | undefined => {
    const at = { position: node.position, token: node.value };
    const isOrdered = (value: unknown): boolean =>
      value === undefined || typeof value === 'string' || typeof value === 'number';
    if (!isOrdered(a) || !isOrdered(b)) {
      const value = typeof a === 'string' || typeof a === 'number' ? b : a;
      throw new JsonataError('T2010', { ...at, value });
    }
    if (a === undefined || b === undefined) return undefined;
    throw new JsonataError('T2009', { ...at, value: a, value2: b });
  };
  switch (node.value) {
    case '<':
      return (input, frame) => {
        const a = left(input, frame);
        const b = right(input, frame);
        if (typeof a === 'number' && typeof b === 'number') return a < b;
        return typeof a === 'string' && typeof b === 'string' ? a < b : check(a, b);
      };
    case '<=':
      return (input, frame) => {
        const a = left(input, frame);
        const b = right(input, frame);
        if (typeof a === 'number' && typeof b === 'number') return a <= b;
        return typeof a === 'string' && typeof b === 'string' ? a <= b : check(a, b);
      };
    case '>':
      return (input, frame) => {
        const a = left(input, frame);
        const b = right(input, frame);
        if (typeof a === 'number' && typeof b === 'number') return a > b;
        return typeof a === 'string' && typeof b === 'string' ? a > b : check(a, b);
      };
    default:
      return (input, frame) => {
        const a = left(input, frame);
        const b = right(input, frame);
        if (typeof a === 'number' && typeof b === 'number') return a >= b;
        return typeof a === 'string' && typeof b === 'string' ? a >= b : check(a, b);
      };
  }
}

function compileArithmetic(node: BinaryNode, left: Operands, right: Operands): Code {
  const operate = ARITHMETIC[node.value] as (a: number, b: number) => number;
  const slow = (a: unknown, b: unknown): number | undefined =>
    located(node, () => {
      if (a !== undefined && !isNumeric(a)) throw new JsonataError('T2001', { value: a });
      if (b !== undefined && !isNumeric(b)) throw new JsonataError('T2002', { value: b });
      return a === undefined || b === undefined ? undefined : operate(a, b);
    });
  const areFinite = (a: unknown, b: unknown): boolean =>
    typeof a === 'number' && typeof b === 'number' && Number.isFinite(a) && Number.isFinite(b);
  switch (node.value) {
    case '+':
      return (input, frame) => {
        const a = left(input, frame);
        const b = right(input, frame);
        return areFinite(a, b) ? (a as number) + (b as number) : slow(a, b);
      };
    case '-':
      return (input, frame) => {
        const a = left(input, frame);
        const b = right(input, frame);
        return areFinite(a, b) ? (a as number) - (b as number) : slow(a, b);
      };
    default:
      return (input, frame) => {
        const a = left(input, frame);
        const b = right(input, frame);
        return areFinite(a, b) ? operate(a as number, b as number) : slow(a, b);
      };
  }
}

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
};

function compileConcatenation(node: BinaryNode, left: Operands, right: Operands): Code {
  return (input, frame) => {
    const a = left(input, frame);
    const b = right(input, frame);
    const { budget } = frame.run;
    const text =
      typeof a === 'string' && typeof b === 'string'
        ? a + b
        : located(
            node,
            () => (a === undefined ? '' : toText(a, budget)) + (b === undefined ? '' : toText(b, budget)),
          );
    if (text.length > 256) budget.spendText(text.length);
    return text;
  };
}

/** Maximum length of a range, items. */
const MAX_RANGE_LENGTH = 1e7;

function compileRange(node: BinaryNode, left: Operands, right: Operands): Code {
  return (input, frame) => {
    const from = left(input, frame);
    const to = right(input, frame);
    return located(node, () => {
      if (from !== undefined && !Number.isInteger(from)) throw new JsonataError('T2003', { value: from });
      if (to !== undefined && !Number.isInteger(to)) throw new JsonataError('T2004', { value: to });
      if (typeof from !== 'number' || typeof to !== 'number' || from > to) return undefined;
      const length = to - from + 1;
      if (length > MAX_RANGE_LENGTH) throw new JsonataError('D2014', { value: length });
      frame.run.budget.spendItems(length);
      const numbers: number[] = [];
      for (let i = 0; i < length; i++) numbers.push(from + i);
      return length === 1 ? from : markSequence(numbers);
    });
  };
}
