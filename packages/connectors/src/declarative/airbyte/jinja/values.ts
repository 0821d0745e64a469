import { type Code, call, code, literal, MISSING, operand, stepOf } from './code.ts';
import { printed } from './dates.ts';
import { UntranslatableError } from './untranslatable-error.ts';

/** Arguments of a call: those by position, and those by name. */
export interface Arguments {
  given: Code[];
  named: ReadonlyMap<string, Code>;
}

/** Returns a field of an object; its items, characters or nothing for a value of another type. */
export function fieldOf(object: Code, name: string): Code {
  if (object.constant !== undefined) return MISSING;
  return { source: `${operand(object)}.${stepOf(name)}`, type: 'any', isSimple: true };
}

/** Returns a value of which the type need not be known: what no JSON has is printed. */
export function printable(value: Code): Code {
  return value.type === 'instant' || value.type === 'day' || value.type === 'float' ? textOf(value) : value;
}

/** Returns the text that a template prints for a value. */
export function textOf(value: Code): Code {
  if (value.text !== undefined) return code(value.text, 'text');
  switch (value.type) {
    case 'text':
      return value;
    case 'number':
      return Number.isSafeInteger(value.constant)
        ? literal(String(value.constant))
        : call(`$string(${value.source})`, 'text');
    case 'float':
      return call(`$flt(${value.source})`, 'text');
    case 'boolean':
      return value.constant === undefined
        ? code(`${operand(value)} ? "True" : "False"`, 'text')
        : literal(value.constant ? 'True' : 'False');
    case 'null':
      return literal('None');
    case 'missing':
      return literal('');
    case 'instant':
    case 'day':
      return printed(value);
    default:
      return call(`$str(${value.source})`, 'text');
  }
}

/** Returns the text of a value within a list or an object. @throws UntranslatableError for a date */
export function innerTextOf(value: Code): Code {
  if (value.text !== undefined) return code(value.text, 'text');
  switch (value.type) {
    case 'number':
    case 'float':
    case 'boolean':
    case 'null':
      return textOf(value);
    case 'missing':
      return literal('Undefined');
    case 'text':
      return call(`$quoted(${value.source})`, 'text');
    case 'instant':
    case 'day':
      throw new UntranslatableError('a date in a list or an object');
    default:
      return call(`$repr(${value.source})`, 'text');
  }
}

/** Returns the truth of a value. */
export function truthOf(value: Code): Code {
  if (value.truth !== undefined) return code(value.truth, 'boolean');
  switch (value.type) {
    case 'boolean':
      return value;
    case 'null':
    case 'missing':
      return literal(false);
    case 'instant':
    case 'day':
      return literal(true);
    default:
      return call(`$truth(${value.source})`, 'boolean');
  }
}
