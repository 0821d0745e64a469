import { z } from 'zod';

/** Largest number of parameters of one view. */
export const MAX_PARAMETERS = 10;
/** Longest text value, UTF-16 units. */
const MAX_TEXT_LENGTH = 500;
const TOO_MANY_PARAMETERS = `At most ${MAX_PARAMETERS} parameters`;

/** Types of view parameters. */
export const PARAMETER_TYPES = ['text', 'number', 'boolean', 'date'] as const;
export type ParameterType = (typeof PARAMETER_TYPES)[number];

/** Name of a parameter without the `$` of the expression: `author` for `$author`. */
export const parameterNameSchema = z
  .string()
  .max(30)
  .regex(/^[A-Za-z_]\w{0,29}$/, 'Must be letters, digits and _, not beginning with a digit, at most 30');

/** Value of a parameter: a text of up to 500 UTF-16 units, a number or a boolean, e.g. `'octocat'`. */
export const parameterValueSchema = z.union([
  z.string().max(MAX_TEXT_LENGTH, `Must be ${MAX_TEXT_LENGTH} characters or less`),
  z.number(),
  z.boolean(),
]);
export type ParameterValue = z.infer<typeof parameterValueSchema>;

/** A date (`2024-05-31`), or a date and time with an offset (`2024-05-31T08:00Z`). */
const DATE = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

function isDate(value: unknown): boolean {
  const day = typeof value === 'string' ? DATE.exec(value)?.[1] : undefined;
  if (day === undefined || Number.isNaN(Date.parse(String(value)))) return false;
  // JavaScript accepts 31 February as a day in March.
  return new Date(day).toISOString().startsWith(day);
}

/** Returns the error message for a value that does not fit the type; undefined if it fits. */
export function parameterError(type: ParameterType, value: unknown): string | undefined {
  if (type === 'number') return Number.isFinite(value) ? undefined : 'Must be a number';
  if (type === 'boolean') return typeof value === 'boolean' ? undefined : 'Must be true or false';
  if (type === 'date') return isDate(value) ? undefined : 'Must be a date such as 2024-05-31';
  if (typeof value !== 'string') return 'Must be a text';
  return value.length > MAX_TEXT_LENGTH ? `Must be ${MAX_TEXT_LENGTH} characters or less` : undefined;
}

/** A declared parameter in a response: `{ name: 'author', type: 'text', default: 'octocat' }`. */
export const declaredParameterSchema = z.object({
  name: z.string(),
  type: z.enum(PARAMETER_TYPES),
  default: parameterValueSchema.nullable(),
});
export type Parameter = z.infer<typeof declaredParameterSchema>;

/** Collects the inputs of a view: the parameters of its chain, base first. Later views override inherited ones in place. */
export function inputsOf(chain: readonly { parameters: readonly Parameter[] }[]): Parameter[] {
  const inputs = new Map<string, Parameter>();
  for (const { parameters } of chain)
    for (const parameter of parameters) inputs.set(parameter.name, parameter);
  return [...inputs.values()];
}

/** A parameter in a request: a variable whose value the view's reader supplies, `{ name: 'author', type: 'text' }`. */
const parameterSchema = declaredParameterSchema.extend({
  name: parameterNameSchema,
  /** Null: the variable is unbound unless the reader supplies a value. */
  default: parameterValueSchema.nullable().default(null),
});

/** The parameters that a view declares: at most 10, with unique names and valid defaults. */
export const parametersSchema = z
  .array(parameterSchema)
  .max(MAX_PARAMETERS, TOO_MANY_PARAMETERS)
  .superRefine((parameters, context) => {
    for (const [index, { name, type, default: value }] of parameters.entries()) {
      const report = (field: string, message: string) =>
        context.addIssue({ code: 'custom', path: [index, field], message });
      const problem = value === null ? undefined : parameterError(type, value);
      if (problem !== undefined) report('default', problem);
      if (parameters.findIndex((other) => other.name === name) < index) report('name', 'Already in use');
    }
  });

/** Values of parameters by name in a request: `{ author: 'octocat' }`. */
export const bindingsSchema = z
  .record(parameterNameSchema, parameterValueSchema)
  .refine((values) => Object.keys(values).length <= MAX_PARAMETERS, TOO_MANY_PARAMETERS);
export type Bindings = z.infer<typeof bindingsSchema>;
