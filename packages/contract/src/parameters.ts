import { z } from 'zod';

/** Parameters of one view. */
export const MOST_PARAMETERS = 10;
const LONGEST_TEXT = 500;

export const PARAMETER_TYPES = ['text', 'number', 'boolean', 'date'] as const;
export type ParameterType = (typeof PARAMETER_TYPES)[number];

/** Without the `$` that it has in an expression. */
export const parameterNameSchema = z
  .string()
  .regex(/^[A-Za-z_]\w{0,29}$/, 'Must be letters, digits and _, not beginning with a digit, at most 30');

const VALUES = {
  text: z.string('Must be a text').max(LONGEST_TEXT, `Must be ${LONGEST_TEXT} characters or less`),
  number: z.number('Must be a number'),
  boolean: z.boolean('Must be true or false'),
  date: z.union([z.iso.date(), z.iso.datetime({ offset: true })], 'Must be a date such as 2024-05-31'),
} as const;

export const parameterValueSchema = z.union([z.string(), z.number(), z.boolean()]);
export type ParameterValue = z.infer<typeof parameterValueSchema>;

/** What is wrong with a value for a parameter of that type; undefined when it fits. */
export function parameterProblem(type: ParameterType, value: unknown): string | undefined {
  const checked = VALUES[type].safeParse(value);
  return checked.success ? undefined : (checked.error.issues[0]?.message ?? 'Does not fit');
}

/** A parameter as it is answered. */
export const declaredParameterSchema = z.object({
  name: z.string(),
  type: z.enum(PARAMETER_TYPES),
  default: parameterValueSchema.nullable(),
});
export type Parameter = z.infer<typeof declaredParameterSchema>;

/** A variable of a view's expression whose value is given when the view is read. */
const parameterSchema = z
  .object({
    name: parameterNameSchema,
    type: z.enum(PARAMETER_TYPES),
    /** Null: without a value the variable is bound to nothing. */
    default: parameterValueSchema.nullable().default(null),
  })
  .superRefine((parameter, context) => {
    if (parameter.default === null) return;
    const message = parameterProblem(parameter.type, parameter.default);
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['default'], message });
  });

export const parametersSchema = z
  .array(parameterSchema)
  .max(MOST_PARAMETERS, `At most ${MOST_PARAMETERS} parameters`)
  .superRefine((parameters, context) => {
    const names = new Set<string>();
    for (const [index, { name }] of parameters.entries()) {
      if (names.has(name))
        context.addIssue({ code: 'custom', path: [index, 'name'], message: 'Already in use' });
      names.add(name);
    }
  });

/** Values of parameters by name, as a query of an expression gives them. */
export const bindingsSchema = z
  .record(parameterNameSchema, parameterValueSchema)
  .refine((values) => Object.keys(values).length <= MOST_PARAMETERS, `At most ${MOST_PARAMETERS} parameters`);
export type Bindings = z.infer<typeof bindingsSchema>;
