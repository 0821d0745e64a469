import { canBeQuoted, quoteName } from '../../../ui/field-name.ts';
import type { InferredTypes } from './infer.ts';
import { describeShape, type Kind, type Shape } from './shape.ts';
import { type Syntax, type SyntaxNode, textOf } from './tree.ts';

/** Fields that usually identify an object, best first. */
const IDENTIFYING_FIELDS = [
  'name',
  'title',
  'login',
  'subject',
  'label',
  'email',
  'key',
  'value',
  'id',
  'number',
];

/** Returns the field that best identifies the objects and has one of the kinds. */
export function identifyingField(shape: Shape, kinds: readonly Kind[]): string | undefined {
  const fits = [...shape.fields].filter(([, field]) => kinds.some((kind) => field.kinds.has(kind)));
  const names = fits.map(([name]) => name).filter(canBeQuoted);
  return IDENTIFYING_FIELDS.find((name) => names.includes(name)) ?? names[0];
}

const ORDER = ['<', '>', '<=', '>='];
const ARITHMETIC = ['+', '-', '*', '/', '%'];

/** Describes an operand in words: `labels is a list here`. */
export function describeOperand(text: string, shape: Shape): string {
  const what = describeShape(shape);
  return `${text} is ${/^[aeiou]/.test(what) ? 'an' : 'a'} ${what} here`;
}

function scalarKinds(shape: Shape | undefined): Kind[] {
  return [...(shape?.kinds ?? [])].filter((kind) => kind !== 'null');
}

/** Returns the problem of one side of an operator; undefined when there is none or the shape is unknown. */
export function operandProblem(
  operator: string,
  side: SyntaxNode,
  other: SyntaxNode | undefined,
  syntax: Syntax,
  types: InferredTypes,
): string | undefined {
  const shape = types.get(side)?.shape;
  const kinds = scalarKinds(shape);
  if (!shape || kinds.length === 0 || side.kind === 'string' || side.kind === 'number') return undefined;
  const text = textOf(syntax, side);
  const otherKinds = scalarKinds(other && types.get(other)?.shape);
  if (ARITHMETIC.includes(operator)) return arithmeticProblem(operator, text, shape, kinds);
  const isComparison = operator === '=' || operator === '!=' || ORDER.includes(operator);
  if (!isComparison || otherKinds.length === 0) return undefined;
  const otherShape = other && types.get(other)?.shape;
  const isOtherSingle = otherShape !== undefined && !otherShape.isList && !otherKinds.includes('object');
  if (!isOtherSingle) return undefined;
  if (shape.isList && ORDER.includes(operator) && otherKinds.includes('number') && !kinds.includes('number'))
    return `${text} is a list here; did you mean $count(${text})?`;
  if (kinds.every((kind) => kind === 'object')) {
    const field = identifyingField(shape, otherKinds);
    const hint =
      field === undefined ? '' : `; did you mean ${suggestedPath(text, field, shape, other, syntax)}?`;
    return `${shape.isList ? `${text} is a list here` : describeOperand(text, shape)}${hint}`;
  }
  if (shape.isList && (operator === '=' || operator === '!=') && other)
    return `${text} is a list here; did you mean ${textOf(syntax, other)} in ${text}?`;
  if (shape.isList) return `${text} is a list here; did you mean $count(${text})?`;
  if (ORDER.includes(operator) && !kinds.some((kind) => otherKinds.includes(kind)))
    return `${describeOperand(text, shape)}, which cannot be compared with a ${otherKinds.join(' or ')} by ${operator}.`;
  return undefined;
}

/** Suggests `labels.name`, or `"bug" in labels.name` where a list is compared. */
function suggestedPath(
  text: string,
  field: string,
  shape: Shape,
  other: SyntaxNode | undefined,
  syntax: Syntax,
): string {
  const longer = `${text}.${quoteName(field)}`;
  return shape.isList && other ? `${textOf(syntax, other)} in ${longer}` : longer;
}

function arithmeticProblem(
  operator: string,
  text: string,
  shape: Shape,
  kinds: readonly Kind[],
): string | undefined {
  if (shape.isList && kinds.includes('number')) return `${text} is a list here; did you mean $sum(${text})?`;
  if (kinds.includes('number') || shape.isOpen) return undefined;
  const field = identifyingField(shape, ['number']);
  if (kinds.includes('object'))
    return `${describeOperand(text, shape)}${field === undefined ? '' : `; did you mean ${text}.${quoteName(field)}?`}`;
  if (operator === '+' && kinds.includes('text'))
    return `${describeOperand(text, shape)}; + adds numbers, & joins texts.`;
  return `${describeOperand(text, shape)}; ${operator} takes numbers. $number(${text}) converts it.`;
}
