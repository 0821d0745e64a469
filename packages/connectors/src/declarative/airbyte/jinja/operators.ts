import { type Code, call, code, eitherType, joinedLiteral, operand } from './code.ts';
import { moved } from './dates.ts';
import { UntranslatableError } from './untranslatable-error.ts';
import { printable, textOf, truthOf } from './values.ts';

/** The operators that compare two values. */
export const COMPARISONS = ['==', '!=', '<', '>', '<=', '>=', 'in', 'not in'];

/** Returns the opposite of a value’s truth. */
export function negated(value: Code): Code {
  return call(`$not(${truthOf(value).source})`, 'boolean');
}

/** Returns the comparison of two values by an operator of `COMPARISONS`. */
export function compared(operator: string, left: Code, right: Code): Code {
  switch (operator) {
    case '==':
      return equal(left, right);
    case '!=':
      return negated(equal(left, right));
    case 'in':
    case 'not in': {
      const found = contained(left, right);
      return operator === 'in' ? found : negated(found);
    }
    default:
      return ordered(operator, left, right);
  }
}

/** Returns `<`, `>`, `<=` or `>=`. Two instants, and numbers with a decimal point, are numbers, and so may be truths. */
function ordered(operator: string, left: Code, right: Code): Code {
  const isPlain = (value: Code) => value.type === 'float' || (isTime(left) && isTime(right));
  const isCounted = [left, right].every(({ type }) => COUNTED.includes(type));
  const [one, other] = [left, right].map((value) => {
    if (isCounted && !NUMBERS.includes(value.type)) return `$counted(${value.source})`;
    return operand(isPlain(value) ? value : printable(value));
  });
  return code(`${one} ${operator} ${other}`, 'boolean');
}

const NUMBERS: readonly string[] = ['number', 'float'];
/** Types of values that may be compared with a truth. */
const COUNTED: readonly string[] = [...NUMBERS, 'boolean', 'any'];
const isTime = ({ type }: Code) => type === 'instant' || type === 'day';

/** Python’s `==`: 1 equals true, and 0 false. */
function equal(left: Code, right: Code): Code {
  for (const [one, other] of [
    [left, right],
    [right, left],
  ] as const)
    if (typeof one.constant === 'boolean' || (isTruthNumber(one) && other.type === 'any'))
      return code(`${operand(other)} in [${Boolean(one.constant)}, ${Number(one.constant)}]`, 'boolean');
  const isKnown = [left, right].some(({ type, constant }) => constant !== undefined || KNOWN.includes(type));
  return isKnown
    ? code(`${operand(left)} = ${operand(right)}`, 'boolean')
    : call(`$same(${left.source}, ${right.source})`, 'boolean');
}

/** Types of which no value equals one of another type. */
const KNOWN: readonly string[] = ['text', 'null', 'list', 'object', 'instant', 'day'];
const isTruthNumber = ({ constant }: Code) => constant === 0 || constant === 1;

function contained(item: Code, container: Code): Code {
  if (container.type === 'list') return code(`${operand(item)} in ${operand(container)}`, 'boolean');
  if (container.type === 'text') return call(`$contains(${container.source}, ${item.source})`, 'boolean');
  return call(`$has(${container.source}, ${item.source})`, 'boolean');
}

/** Longest source that is written twice rather than kept in a variable. */
const MAX_REPEATED = 80;

/** Returns the truth of a value that the template itself has; undefined for a computed one. */
export function knownTruth({ constant, type }: Code): boolean | undefined {
  return constant === undefined ? (type === 'missing' ? false : undefined) : Boolean(constant);
}

/** Returns `left and right`, or `left or right`: one of the two values, as in Python. */
export function joined(operator: 'and' | 'or', left: Code, right: Code): Code {
  const known = left.duration ? undefined : knownTruth(left);
  if (known !== undefined) return known === (operator === 'and') ? right : left;
  if (left.type === 'boolean' && right.type === 'boolean')
    return code(`${operand(left)} ${operator} ${operand(right)}`, 'boolean');
  const type = eitherType(left, right);
  const [one, other] = type === 'any' ? [printable(left), printable(right)] : [left, right];
  const name = one.isSimple && one.source.length < MAX_REPEATED ? one.source : '$either';
  const test = operand(truthOf({ ...one, source: name }));
  const [then, otherwise] = operator === 'and' ? [operand(other), name] : [name, operand(other)];
  const choice = `${test} ? ${then} : ${otherwise}`;
  const truth = `${operand(truthOf(left))} ${operator} ${operand(truthOf(right))}`;
  return name === '$either'
    ? { source: `($either := ${one.source}; ${choice})`, type, isSimple: true, truth }
    : { source: choice, type, truth };
}

const ARITHMETIC: Readonly<Record<string, string>> = { '+': '+', '-': '-', '*': '*', '/': '/', '%': '%' };

/** Returns the result of an operator of arithmetic, or of `~`. @throws UntranslatableError */
export function calculated(operator: string, left: Code, right: Code): Code {
  if (operator === '~') return code(`${operand(textOf(left))} & ${operand(textOf(right))}`, 'text');
  if (isTime(left) && right.duration && (operator === '+' || operator === '-'))
    return moved(left, right.duration, operator === '+' ? 1 : -1);
  if (operator === '+' && typeof left.constant === 'string' && typeof right.constant === 'string')
    return joinedLiteral([left.constant, right.constant]);
  if (operator === '+' && (left.type === 'text' || right.type === 'text'))
    return code(`${operand(printable(left))} & ${operand(printable(right))}`, 'text');
  if (operator === '%' && typeof left.constant === 'string') return formattedText(left.constant, right);
  const hasTime = isTime(left) || isTime(right) || right.duration || left.duration;
  if (hasTime) throw new UntranslatableError('a calculation with dates');
  if (operator === '+' && !(NUMBERS.includes(left.type) && NUMBERS.includes(right.type)))
    return call(`$add(${left.source}, ${right.source})`, left.type === right.type ? left.type : 'any');
  const isFloat = operator === '/' || left.type === 'float' || right.type === 'float';
  const type = isFloat ? 'float' : 'number';
  if (operator === '//') return call(`$floor(${operand(left)} / ${operand(right)})`, type);
  const known = ARITHMETIC[operator];
  if (known === undefined) throw new UntranslatableError(`the operator ${operator}`);
  return code(`${operand(left)} ${known} ${operand(right)}`, type);
}

/** `'a %s b' % value`. */
function formattedText(format: string, value: Code): Code {
  const parts = format.split('%s');
  if (parts.length !== 2 || parts.some((part) => part.includes('%')) || value.type === 'list')
    throw new UntranslatableError('a format with %');
  const [before = '', after = ''] = parts;
  return code(`${JSON.stringify(before)} & ${operand(textOf(value))} & ${JSON.stringify(after)}`, 'text');
}
