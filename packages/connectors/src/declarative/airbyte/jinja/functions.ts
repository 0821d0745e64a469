import { type Code, call, literal, operand } from './code.ts';
import { formatted, ISO_FORMAT, moved, NOW, readDuration, TODAY } from './dates.ts';
import { constantText } from './methods.ts';
import { UntranslatableError } from './untranslatable-error.ts';
import type { Arguments } from './values.ts';

type Function = (given: Arguments) => Code;

const argument = ({ given, named }: Arguments, index: number, name: string): Code | undefined =>
  given[index] ?? named.get(name);

function required(given: Arguments, index: number, name: string): Code {
  const found = argument(given, index, name);
  if (found) return found;
  throw new UntranslatableError(`a call without ${name}`);
}

/** Returns a value as an instant. */
function instantOf(value: Code): Code {
  if (value.type === 'instant' || value.type === 'day') return value;
  return call(`$ms(${value.source})`, 'instant');
}

/** Returns the larger or smaller of some values. */
function extreme(helper: 'greater' | 'lesser'): Function {
  return ({ given }) => {
    const [first, ...others] = given;
    if (!first || others.length === 0) throw new UntranslatableError('the largest item of a list');
    return others.reduce((best, other) => {
      const type = best.type === other.type ? best.type : 'any';
      return call(`$${helper}(${best.source}, ${other.source})`, type);
    }, first);
  };
}

const INPUT_FORMATS = [
  '%Y-%m-%d',
  '%Y-%m-%dT%H:%M:%SZ',
  '%Y-%m-%dT%H:%M:%S',
  '%Y-%m-%dT%H:%M:%S%z',
  '%Y-%m-%dT%H:%M:%S.%fZ',
];

const formatDatetime: Function = (given) => {
  const input = argument(given, 2, 'input_format');
  const format = constantText(required(given, 1, 'format'), 'a date format');
  const value = required(given, 0, 'dt');
  const read = input && constantText(input, 'a date format');
  if (read === '%s') return formatted(call(`$ms($int(${value.source}))`, 'instant'), format);
  if (read !== undefined && !INPUT_FORMATS.includes(read))
    throw new UntranslatableError(`the date format ${read}`);
  return formatted(instantOf(value), format);
};

const dayDelta: Function = (given) => {
  const { constant } = required(given, 0, 'num_days');
  if (typeof constant !== 'number') throw new UntranslatableError('a number of days that is computed');
  const format = constantText(argument(given, 1, 'format') ?? ISO_FORMAT, 'a date format');
  return formatted(moved(NOW, { months: 0, ms: constant * 86_400_000 }, 1), format);
};

/** The functions that can be translated, by name. */
export const FUNCTIONS: Readonly<Record<string, Function>> = {
  now_utc: () => NOW,
  today_utc: () => TODAY,
  max: extreme('greater'),
  min: extreme('lesser'),
  duration: (given) => ({
    ...literal(null),
    type: 'missing',
    duration: readDuration(constantText(required(given, 0, 'datestring'), 'a duration')),
  }),
  day_delta: dayDelta,
  format_datetime: formatDatetime,
  str_to_datetime: (given) => instantOf(required(given, 0, 's')),
  timestamp: (given) => {
    const value = required(given, 0, 'dt');
    if (value.type === 'number' || value.type === 'float') return call(`$whole(${value.source})`, 'number');
    return { source: `${operand(instantOf(value))} / 1000`, type: 'float' };
  },
  sanitize_url: (given) =>
    call(`$replace($replace($quote(${required(given, 0, 'value').source}), "/", "%2F"), "%20", "+")`, 'text'),
  camel_case_to_snake_case: (given) =>
    call(`$lowercase($replace(${required(given, 0, 'value').source}, /(.)([A-Z])/, "$1_$2"))`, 'text'),
};
