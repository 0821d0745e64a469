import { z } from 'zod';

/** One field of an entity's settings form (specification, 'Dependency setting'). */
export const settingSchema = z.object({
  id: z.string(),
  propKey: z.string(),
  label: z.string(),
  type: z.enum(['boolean', 'text']),
  required: z.boolean(),
  disabled: z.boolean(),
  isChecked: z.boolean(),
  defaultValue: z.string(),
  /** Source of a regular expression that the whole value must match; empty: any. */
  pattern: z.string(),
  placeholder: z.string(),
  errorText: z.string(),
  tip: z.string(),
});
export type Setting = z.infer<typeof settingSchema>;

export const usageSchema = z.object({
  used: z.number().int(),
  allowed: z.number().int(),
  /** ISO instant at which the month's usage returns to 0. */
  resetsAt: z.string(),
});
export type Usage = z.infer<typeof usageSchema>;

export const userEntitySchema = z.object({
  id: z.string(),
  title: z.string(),
  /** HTML of ours: paragraphs, emphasis, code and links only. */
  description: z.string(),
  providerId: z.string(),
  dependsOn: z.array(z.object({ entity: z.string(), provider: z.string(), title: z.string() })),
  multi: z.boolean(),
  settings: z.array(settingSchema),
  usage: usageSchema,
  /** Records a sync of this entity keeps at most under the user's plan. */
  cap: z.number().int(),
  /** Settings of the last sync, to start the form with. */
  lastSettings: z.record(z.string(), z.string()).nullable(),
  /** Records that an upgrade has still to convert, for example 1200; pages and syncs wait for them. 0: none. */
  unconverted: z.number().int(),
});
export type UserEntity = z.infer<typeof userEntitySchema>;

/** Largest settings of a request: names and values in characters (100 label IDs of 100 characters fit), number of values. */
export const SETTING_LIMITS = { name: 100, value: 10_200, count: 50 } as const;

/** Values of a settings form, by `propKey`: `{ owner: 'octocat', repo: 'hello-world' }`. */
export const settingValuesSchema = z
  .record(z.string().max(SETTING_LIMITS.name), z.string().max(SETTING_LIMITS.value))
  .refine((values) => Object.keys(values).length <= SETTING_LIMITS.count, 'Too many settings');
export type SettingValues = z.infer<typeof settingValuesSchema>;

/** The value a setting accepts: the whole of it must match the pattern. */
export function matchesPattern(value: string, pattern: string): boolean {
  return pattern === '' || new RegExp(`^(?:${pattern})$`, 'u').test(value);
}

/**
 * Checks the values of a settings form; the same function serves the screen and the server.
 * @returns messages by `propKey`: 'Required' or 'Invalid Pattern'; empty when all is well
 */
export function validateSettings(
  settings: readonly Setting[],
  values: SettingValues,
): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const setting of settings) {
    if (setting.type !== 'text') continue;
    const value = (values[setting.propKey] ?? '').trim();
    if (value === '') {
      if (setting.required) errors[setting.propKey] = 'Required';
    } else if (!matchesPattern(value, setting.pattern)) errors[setting.propKey] = 'Invalid Pattern';
  }
  return errors;
}
