import { z } from 'zod';
import { limitOf } from './plans.ts';

/** One field of an entity's settings form: `{ id: 'gh-pulls-owner', propKey: 'owner', type: 'text', required: true, … }`. */
export const settingSchema = z.object({
  id: z.string(),
  propKey: z.string(),
  label: z.string(),
  type: z.enum(['boolean', 'text']),
  required: z.boolean(),
  disabled: z.boolean(),
  isChecked: z.boolean(),
  defaultValue: z.string(),
  /** Source of a regular expression that the whole value must match; empty to allow any value. */
  pattern: z.string(),
  placeholder: z.string(),
  errorText: z.string(),
  tip: z.string(),
});
export type Setting = z.infer<typeof settingSchema>;

/** Used and allowed runs of the calendar month (UTC): `{ used: 12, allowed: 300, resetsAt: '2026-04-01T00:00:00.000Z' }`. */
export const monthlyUsageSchema = z.object({
  used: z.number().int(),
  /** Null for no limit. */
  allowed: z.number().int().nullable(),
  /** ISO instant at which `used` returns to 0. */
  resetsAt: z.string(),
});
export type Usage = z.infer<typeof monthlyUsageSchema>;

/** Returns whether all runs of the month are used. */
export function isUsedUp({ used, allowed }: Pick<Usage, 'used' | 'allowed'>): boolean {
  return used >= limitOf(allowed);
}

/** Share of the month's runs from which the screens warn of the limit. */
const NEAR_LIMIT = 0.8;

/** Returns whether few runs of the month are left, but still one. */
export function isAlmostUsedUp({ used, allowed }: Pick<Usage, 'used' | 'allowed'>): boolean {
  return used >= limitOf(allowed) * NEAR_LIMIT && !isUsedUp({ used, allowed });
}

/** Names of the records whose ids a setting holds, by `propKey`: `{ labelIds: [{ id: 'Label_12', name: 'Receipts' }] }`. */
const valueNamesSchema = z.record(z.string(), z.array(z.object({ id: z.string(), name: z.string() })));

/** The state of an entity in one account: `{ account: 'octocat', title: 'Work', status: 'connected', isDefault: true, … }`. */
export const entityAccountSchema = z.object({
  account: z.string(),
  /** Name that the user gave it; empty without one. */
  title: z.string(),
  status: z.enum(['connected', 'reconnect-needed', 'sample', 'disconnected']),
  /** True for the account that a sync without `account` means: that of the latest sync, else the one connected first. */
  isDefault: z.boolean(),
  /** Settings of its last sync; null without one. */
  lastSettings: z.record(z.string(), z.string()).nullable(),
  /** The scopes that its syncs read and the day since which they read; null if its settings select one. */
  source: z.object({ scopes: z.array(z.string()), since: z.string().nullable() }).nullable(),
  valueNames: valueNamesSchema.optional(),
  /** Stored records. */
  records: z.number().int(),
});
export type EntityAccount = z.infer<typeof entityAccountSchema>;

/** An entity with the user's usage: `{ id: 'gh-pulls', title: 'Pull Requests', providerId: 'github', cap: 5000, … }`. */
export const userEntitySchema = z.object({
  id: z.string(),
  title: z.string(),
  /** Trusted HTML: only paragraphs, emphasis, code and links. */
  description: z.string(),
  providerId: z.string(),
  dependsOn: z.array(z.object({ entity: z.string(), provider: z.string(), title: z.string() })),
  multi: z.boolean(),
  /** Whether its records are mails, which can be exported as mbox. */
  isMail: z.boolean(),
  settings: z.array(settingSchema),
  usage: monthlyUsageSchema,
  /** Largest number of records that a sync keeps under the user's plan, e.g. 5000; null for no limit. */
  cap: z.number().int().nullable(),
  /** How a source is divided into scopes, and how many the plan allows (null: any number); absent for an entity of one scope. */
  scopes: z.object({ one: z.string(), many: z.string(), limit: z.number().int().nullable() }).optional(),
  /** Settings of the last sync, the form's initial values; null without a sync. */
  lastSettings: z.record(z.string(), z.string()).nullable(),
  /**
   * Names of the records whose ids, separated by commas, a setting holds, by `propKey`, at most 1,000, in their order:
   * `{ labelIds: [{ id: 'Label_12', name: 'Receipts' }] }`. Absent without such records.
   */
  valueNames: valueNamesSchema.optional(),
  /** The accounts whose records are shown, in the order in which they were first connected. */
  accounts: z.array(entityAccountSchema),
  /** Records that the backfill of an upgrade still has to convert, e.g. 1200; pages and syncs wait for it. */
  unconverted: z.number().int(),
});
export type UserEntity = z.infer<typeof userEntitySchema>;

/** Limits of settings in a request: `name` and `value` in UTF-16 units (100 label IDs of 100 characters fit), `count`. */
export const SETTING_LIMITS = { name: 100, value: 10_200, count: 50 } as const;

/** Values of a settings form by `propKey`: `{ owner: 'octocat', repo: 'hello-world' }`. */
export const settingValuesSchema = z
  .record(z.string().max(SETTING_LIMITS.name), z.string().max(SETTING_LIMITS.value))
  .refine((values) => Object.keys(values).length <= SETTING_LIMITS.count, 'Too many settings');
export type SettingValues = z.infer<typeof settingValuesSchema>;

/** Returns whether the whole value matches the pattern; an empty one matches any value. @throws SyntaxError */
export function matchesPattern(value: string, pattern: string): boolean {
  return pattern === '' || new RegExp(`^(?:${pattern})$`, 'u').test(value);
}

/**
 * Returns the value of a text setting. Blanks at its ends are kept if its pattern allows them (names of mailboxes may have
 * them), else removed; blanks alone are no value.
 */
export function textOfSetting(setting: Pick<Setting, 'propKey' | 'pattern'>, values: SettingValues): string {
  const value = values[setting.propKey] ?? '';
  const trimmed = value.trim();
  return trimmed !== '' && setting.pattern !== '' && matchesPattern(value, setting.pattern) ? value : trimmed;
}

/**
 * Validates the text settings of a form (`textOfSetting`); an empty optional value is valid. Ignores unknown keys. Web app and
 * server share this function.
 * @returns messages by `propKey`: 'Required' or 'Invalid Pattern'; an empty object if all values are valid
 */
export function validateSettings(
  settings: readonly Setting[],
  values: SettingValues,
): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const setting of settings) {
    if (setting.type !== 'text') continue;
    const value = textOfSetting(setting, values);
    if (value === '') {
      if (setting.required) errors[setting.propKey] = 'Required';
    } else if (!matchesPattern(value, setting.pattern)) errors[setting.propKey] = 'Invalid Pattern';
  }
  return errors;
}
