import { z } from 'zod';

/** Parameters of one view. */
export const MAX_PARAMETERS = 10;
const MAX_TEXT_LENGTH = 500;
const TOO_MANY = `At most ${MAX_PARAMETERS} parameters`;

export const PARAMETER_TYPES = ['text', 'number', 'boolean', 'date'] as const;
export type ParameterType = (typeof PARAMETER_TYPES)[number];

/** Without the `$` that it has in an expression. */
export const parameterNameSchema = z
  .string()
  .max(30)
  .regex(/^[A-Za-z_]\w{0,29}$/, 'Must be letters, digits and _, not beginning with a digit, at most 30');

export const parameterValueSchema = z.union([
  z.string().max(MAX_TEXT_LENGTH, `Must be ${MAX_TEXT_LENGTH} characters or less`),
  z.number(),
  z.boolean(),
]);
export type ParameterValue = z.infer<typeof parameterValueSchema>;

/** A day, or a moment with its offset. */
const DATE = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

function isDate(value: unknown): boolean {
  const day = typeof value === 'string' ? DATE.exec(value)?.[1] : undefined;
  if (day === undefined || Number.isNaN(Date.parse(String(value)))) return false;
  // JavaScript takes the 31st of February for a day in March.
  return new Date(day).toISOString().startsWith(day);
}

/** What is wrong with a value for a parameter of that type; undefined when it fits. */
export function parameterProblem(type: ParameterType, value: unknown): string | undefined {
  if (type === 'number') return Number.isFinite(value) ? undefined : 'Must be a number';
  if (type === 'boolean') return typeof value === 'boolean' ? undefined : 'Must be true or false';
  if (type === 'date') return isDate(value) ? undefined : 'Must be a date such as 2024-05-31';
  if (typeof value !== 'string') return 'Must be a text';
  return value.length > MAX_TEXT_LENGTH ? `Must be ${MAX_TEXT_LENGTH} characters or less` : undefined;
}

/** A parameter as it is answered. */
export const declaredParameterSchema = z.object({
  name: z.string(),
  type: z.enum(PARAMETER_TYPES),
  default: parameterValueSchema.nullable(),
});
export type Parameter = z.infer<typeof declaredParameterSchema>;

/** Collects what a chain of views takes, the base first: a view's own parameter replaces an inherited one of its name. */
export function inputsOf(chain: readonly { parameters: readonly Parameter[] }[]): Parameter[] {
  const inputs = new Map<string, Parameter>();
  for (const { parameters } of chain)
    for (const parameter of parameters) inputs.set(parameter.name, parameter);
  return [...inputs.values()];
}

/** A variable of a view's expression whose value is given when the view is read. */
const parameterSchema = declaredParameterSchema.extend({
  name: parameterNameSchema,
  /** Null: without a value the variable is bound to nothing. */
  default: parameterValueSchema.nullable().default(null),
});

export const parametersSchema = z
  .array(parameterSchema)
  .max(MAX_PARAMETERS, TOO_MANY)
  .superRefine((parameters, context) => {
    for (const [index, { name, type, default: value }] of parameters.entries()) {
      const report = (field: string, message: string) =>
        context.addIssue({ code: 'custom', path: [index, field], message });
      const problem = value === null ? undefined : parameterProblem(type, value);
      if (problem !== undefined) report('default', problem);
      if (parameters.findIndex((other) => other.name === name) < index) report('name', 'Already in use');
    }
  });

/** Values of parameters by name, as a query of an expression gives them. */
export const bindingsSchema = z
  .record(parameterNameSchema, parameterValueSchema)
  .refine((values) => Object.keys(values).length <= MAX_PARAMETERS, TOO_MANY);
export type Bindings = z.infer<typeof bindingsSchema>;
