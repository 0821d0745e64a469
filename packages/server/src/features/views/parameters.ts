import { type Bindings, bindingsSchema, inputsOf, type Parameter, parameterError } from '@datadeck/contract';
import { FUNCTIONS } from '@datadeck/jsonata';
import { AppError } from '../../platform/app-error.ts';

const LIBRARY_FUNCTIONS: ReadonlySet<string> = new Set(FUNCTIONS.map(({ name }) => name));

/** A view that builds on another one. */
interface Dependent {
  title: string;
  parameters: readonly Parameter[];
}

/**
 * Rejects parameters that a view built on this one declares with another type.
 * @throws AppError validation-failed
 */
export function checkDependents(parameters: readonly Parameter[], dependents: readonly Dependent[]): void {
  const fields: Record<string, string> = {};
  for (const [index, { name, type }] of parameters.entries()) {
    for (const { title, parameters: declared } of dependents) {
      const other = declared.find((parameter) => parameter.name === name);
      if (other !== undefined && other.type !== type)
        fields[`parameters.${index}.type`] ??=
          `Must be ${other.type}, as in '${title}', which builds on this view`;
    }
  }
  const [first] = Object.values(fields);
  if (first !== undefined)
    throw new AppError('validation-failed', `The parameters of the view are not valid: ${first}.`, {
      fields,
    });
}

/**
 * Rejects parameters that would hide a library function, or that a base declares with another type: one value is used
 * in the whole chain.
 * @throws AppError validation-failed
 */
export function checkParameters(
  parameters: readonly Parameter[],
  chain: readonly { parameters: readonly Parameter[] }[],
): void {
  const inherited = new Map(inputsOf(chain).map((parameter) => [parameter.name, parameter.type]));
  const fields: Record<string, string> = {};
  for (const [index, { name, type }] of parameters.entries()) {
    const known = inherited.get(name);
    if (LIBRARY_FUNCTIONS.has(name))
      fields[`parameters.${index}.name`] = `$${name} is a function of the language`;
    else if (known !== undefined && known !== type)
      fields[`parameters.${index}.type`] = `Must be ${known}, as in the view that this one builds on`;
  }
  if (Object.keys(fields).length > 0)
    throw new AppError('validation-failed', 'The parameters of the view are not valid.', { fields });
}

/** Reads values of parameters from JSON. @throws AppError validation-failed */
export function parseBindings(text: string): Bindings {
  try {
    return bindingsSchema.parse(JSON.parse(text));
  } catch {
    throw new AppError('validation-failed', 'The parameters must be a JSON object of names and values.', {
      fields: { parameters: 'Must be a JSON object of names and values' },
    });
  }
}

/**
 * Returns the values for a chain's inputs: those given as JSON, otherwise the defaults. @throws AppError
 * validation-failed
 */
export function bindingsOf(inputs: readonly Parameter[], text: string | undefined): Bindings {
  const given = text === undefined ? {} : parseBindings(text);
  const fields: Record<string, string> = {};
  const bindings: Bindings = {};
  for (const { name, default: value } of inputs) if (value !== null) bindings[name] = value;
  for (const [name, value] of Object.entries(given)) {
    const input = inputs.find((parameter) => parameter.name === name);
    const problem = input ? parameterError(input.type, value) : 'Not a parameter of this view';
    if (problem !== undefined) fields[name] = problem;
    else bindings[name] = value;
  }
  if (Object.keys(fields).length > 0)
    throw new AppError('validation-failed', 'A parameter of the view is not valid.', { fields });
  // Sorted, so that equal values have equal cache keys.
  return Object.fromEntries(Object.entries(bindings).sort(([a], [b]) => (a < b ? -1 : 1)));
}
