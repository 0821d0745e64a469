import { z } from 'zod';
import { matchesPattern } from './entities.ts';

export const connectionSchema = z.object({
  /** connected: usable · reconnect-needed: the provider refused the grant · sample: a demo workspace's, never synchronised. */
  status: z.enum(['connected', 'reconnect-needed', 'sample']),
  /** The account at the provider: an e-mail address or a login. */
  account: z.string(),
  connectedAt: z.string(),
});

/** One field of a form by which a provider is connected. */
export const connectFieldSchema = z.object({
  /** Its key among the values. */
  name: z.string(),
  label: z.string(),
  /** password: never shown, never sent back to a browser. */
  type: z.enum(['text', 'password', 'choice']),
  required: z.boolean(),
  defaultValue: z.string(),
  /** Source of a regular expression that the whole value must match; empty: any. */
  pattern: z.string(),
  placeholder: z.string(),
  errorText: z.string(),
  tip: z.string(),
  /** Of a choice. */
  options: z.array(z.object({ value: z.string(), label: z.string() })),
});
export type ConnectField = z.infer<typeof connectFieldSchema>;

const MAX_VALUE_LENGTH = 1000;

/** What was typed into a connect form, by the fields' names. */
export const connectValuesSchema = z
  .record(z.string().max(100), z.string().max(MAX_VALUE_LENGTH))
  .refine((values) => Object.keys(values).length <= 50, 'Too many fields');

function connectError(field: ConnectField, value: string): string | undefined {
  if (value === '') return field.required ? 'Required' : undefined;
  const isOffered = field.type !== 'choice' || field.options.some((option) => option.value === value);
  return isOffered && matchesPattern(value, field.pattern) ? undefined : field.errorText;
}

/**
 * The values of a connect form as they count (text is trimmed, a password is not; what no field has is dropped), and what
 * is wrong with them by field. The same function serves the screen and the server.
 */
export function checkConnectValues(
  fields: readonly ConnectField[],
  given: Readonly<Record<string, string>>,
): { values: Record<string, string>; errors: Record<string, string> } {
  const values: Record<string, string> = {};
  const errors: Record<string, string> = {};
  for (const field of fields) {
    const value = given[field.name] ?? '';
    values[field.name] = field.type === 'password' ? value : value.trim();
    const error = connectError(field, values[field.name] ?? '');
    if (error !== undefined) errors[field.name] = error;
  }
  return { values, errors };
}

export const providerSchema = z.object({
  _id: z.string(),
  key: z.string(),
  title: z.string(),
  description: z.string(),
  entities: z.array(z.object({ id: z.string(), title: z.string() })),
  /** Connected and in use. */
  isBlocked: z.boolean(),
  connection: connectionSchema.nullable(),
  /** The provider's mark: the path of an SVG image of 24 × 24. */
  mark: z.string().optional(),
  /** Of a provider that is connected by a form and not by its own consent page. */
  connectFields: z.array(connectFieldSchema).optional(),
});
export type Provider = z.infer<typeof providerSchema>;
