import { z } from 'zod';
import { matchesPattern } from './entities.ts';
import { BOUNDS } from './limits.ts';

/** A connection to a provider: `{ status: 'connected', account: 'octocat', connectedAt: '2026-03-01T08:00:00.000Z' }`. */
export const connectionSchema = z.object({
  /** connected: usable · reconnect-needed: the provider rejected the grant · sample: of a demo workspace, never synchronised. */
  status: z.enum(['connected', 'reconnect-needed', 'sample']),
  /** The account at the provider: an e-mail address or a login, e.g. `octocat`. */
  account: z.string(),
  connectedAt: z.string(),
  /** How it was connected. */
  method: z.enum(['consent', 'form']),
  /** What it may read, e.g. `Public repositories`; empty if the connector does not say. */
  access: z.string(),
  /** When the token expires and cannot be renewed, e.g. `2026-12-01T08:00:00.000Z`; null if it does not expire. */
  expiresAt: z.string().nullable(),
});

/** An account of a provider that the user has connected: `{ account: 'octocat', title: 'Work', status: 'connected', … }`. */
export const accountSchema = connectionSchema.extend({
  /** As of a connection. disconnected: its tokens are deleted; its records stay until they are deleted. */
  status: z.enum([...connectionSchema.shape.status.options, 'disconnected']),
  /** Name that the user gave it, e.g. `Work`; empty without one. */
  title: z.string(),
  /** Whether its records are shown. False for an account that was disconnected while another one stayed connected. */
  isShown: z.boolean(),
  /** True for an account with which the user signs in: it cannot be disconnected. */
  signsIn: z.boolean(),
});
export type Account = z.infer<typeof accountSchema>;

/** Request to name an account; an empty title removes its name: `{ account: 'octocat', title: 'Work' }`. */
export const nameAccountSchema = z.object({
  account: z.string().min(1, 'Required').max(BOUNDS.accountName),
  title: z.string().trim().max(BOUNDS.accountTitle, `Must be ${BOUNDS.accountTitle} characters or less`),
});

/** The account that a form connected, and whether it was connected before: `{ ok: true, account: 'ada@example.org', isKnown: false }`. */
export const connectedAccountSchema = z.object({
  ok: z.literal(true),
  account: z.string(),
  isKnown: z.boolean(),
});

/** One field of a connect form: `{ name: 'host', label: 'Mail server', type: 'text', required: true, … }`. */
export const connectFieldSchema = z.object({
  /** Key of its value, e.g. `host`. */
  name: z.string(),
  label: z.string(),
  /** password, token: never displayed and never sent to a browser; the spaces around a token are removed. */
  type: z.enum(['text', 'password', 'token', 'choice']),
  required: z.boolean(),
  defaultValue: z.string(),
  /** Source of a regular expression that the whole value must match; empty to allow any value. */
  pattern: z.string(),
  placeholder: z.string(),
  errorText: z.string(),
  tip: z.string(),
  /** Options of a `choice`; empty for other types. */
  options: z.array(z.object({ value: z.string(), label: z.string() })),
});
export type ConnectField = z.infer<typeof connectFieldSchema>;

/** A link of a connect form: `{ label: 'Create a token on GitHub', url: 'https://github.com/settings/…' }`. */
export const connectLinkSchema = z.object({ label: z.string(), url: z.url() });
export type ConnectLink = z.infer<typeof connectLinkSchema>;

/** Values that fill in a connect form: `{ label: 'Fastmail', values: { host: 'imap.fastmail.com' }, note: '…', link: … }`. */
export const connectPresetSchema = z.object({
  label: z.string(),
  /** Values by field name; empty if the choice explains why it cannot be connected. */
  values: z.record(z.string(), z.string()),
  /** What to know about this choice; may be empty. */
  note: z.string(),
  link: connectLinkSchema.nullable(),
});
export type ConnectPreset = z.infer<typeof connectPresetSchema>;

/** A form that connects a provider: `{ action: 'Use a token', intro: ['…'], fields: […], … }`. */
export const connectFormSchema = z.object({
  /** Label of the button that opens it beside the consent page, e.g. `Use a token`. */
  action: z.string(),
  /** Label of the menu item that opens it for a connected provider, e.g. `Replace token`. */
  replaceAction: z.string(),
  /** Paragraphs above the fields. */
  intro: z.array(z.string()),
  links: z.array(connectLinkSchema),
  /** Title of the list of presets, e.g. `Mail provider`. */
  presetLabel: z.string(),
  presets: z.array(connectPresetSchema),
  fields: z.array(connectFieldSchema),
  /** What disconnecting leaves at the provider, and where to remove it; null if nothing. */
  leftBehind: z.object({ text: z.string(), link: connectLinkSchema }).nullable(),
});
export type ConnectForm = z.infer<typeof connectFormSchema>;

/** Access that a user may grant beyond the least: `{ value: 'private', label: 'Also private repositories', tip: '…' }`. */
export const connectAccessSchema = z.object({
  /** Part of the address that starts the connection: `/auth/github?access=private`. */
  value: z.string(),
  label: z.string(),
  /** What the provider then grants. */
  tip: z.string(),
  /** Whether the current connection has it. */
  isGranted: z.boolean(),
});
export type ConnectAccess = z.infer<typeof connectAccessSchema>;

/** Returns whether the value of a field must never be displayed or sent to a browser. */
export function isSecret({ type }: Pick<ConnectField, 'type'>): boolean {
  return type === 'password' || type === 'token';
}

/** Longest value of a connect form, UTF-16 units; the key of a service account, as JSON, fits. */
export const MAX_CONNECT_VALUE = 4000;

/** Values of a connect form by field name: `{ host: 'imap.example.org', user: 'ada' }`; at most 50 fields. */
export const connectValuesSchema = z
  .record(z.string().max(100), z.string().max(MAX_CONNECT_VALUE))
  .refine((values) => Object.keys(values).length <= 50, 'Too many fields');

function connectError(field: ConnectField, value: string): string | undefined {
  if (value === '') return field.required ? 'Required' : undefined;
  const isOffered = field.type !== 'choice' || field.options.some((option) => option.value === value);
  return isOffered && matchesPattern(value, field.pattern) ? undefined : field.errorText;
}

/**
 * Normalises the values of a connect form (trims texts but not passwords, drops unknown fields) and validates them.
 * Web app and server share this function. @returns the values, and error messages by field name
 */
export function checkConnectValues(
  fields: readonly ConnectField[],
  input: Readonly<Record<string, string>>,
): { values: Record<string, string>; errors: Record<string, string> } {
  const values: Record<string, string> = {};
  const errors: Record<string, string> = {};
  for (const field of fields) {
    const value = input[field.name] ?? '';
    values[field.name] = field.type === 'password' ? value : value.trim();
    const error = connectError(field, values[field.name] ?? '');
    if (error !== undefined) errors[field.name] = error;
  }
  return { values, errors };
}

/** A provider and the user's connection: `{ _id: 'github', key: 'github', title: 'GitHub', isBlocked: true, … }`. */
export const providerSchema = z.object({
  _id: z.string(),
  key: z.string(),
  title: z.string(),
  description: z.string(),
  entities: z.array(z.object({ id: z.string(), title: z.string() })),
  /** Ids of the entities whose records the Search page finds. */
  searchable: z.array(z.string()).optional(),
  /** True when the provider is connected (the name is the specification's). */
  isBlocked: z.boolean(),
  /** The account that was connected first of those that are connected. */
  connection: connectionSchema.nullable(),
  /** All accounts, in the order in which they were first connected; also disconnected ones. */
  accounts: z.array(accountSchema),
  /** Logo: the path data of a 24 × 24 SVG. */
  mark: z.string().optional(),
  /** The provider's consent page; absent if the provider is connected by a form only. */
  consent: z.object({ access: z.array(connectAccessSchema) }).optional(),
  /** The connect form; absent if the provider is connected by its consent page only. */
  form: connectFormSchema.optional(),
  /** Why it cannot be connected on this server and what the administrator must set; absent if it can. */
  unavailable: z.string().optional(),
});
export type Provider = z.infer<typeof providerSchema>;
