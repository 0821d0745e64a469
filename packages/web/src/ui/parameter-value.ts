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
