import { type Parameter, type ParameterValue, parameterError } from '@datadeck/contract';

export type ParameterReading =
  | { readonly value: ParameterValue | null; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: string };

/** Reads a value from the text of an input or URL; an empty text means no value. */
export function readParameter({ type }: Pick<Parameter, 'type'>, text: string): ParameterReading {
  const trimmed = text.trim();
  if (trimmed === '') return { value: null };
  const value = valueFrom(type, trimmed);
  const problem = parameterError(type, value);
  return problem === undefined ? { value } : { problem };
}

function valueFrom(type: Parameter['type'], text: string): ParameterValue {
  if (type === 'number') return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** Returns the values of parameters as JSON, from their texts by name; undefined when none is set. */
export function givenParameters(
  inputs: readonly Pick<Parameter, 'name' | 'type'>[],
  textOf: (name: string) => string,
): string | undefined {
  const values = inputs.flatMap((input) => {
    const { value } = readParameter(input, textOf(input.name));
    return value === undefined || value === null ? [] : [[input.name, value] as const];
  });
  return values.length === 0 ? undefined : JSON.stringify(Object.fromEntries(values));
}
