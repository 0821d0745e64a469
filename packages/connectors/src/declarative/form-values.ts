import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import { type Credentials, ProviderError } from '../sdk/index.ts';

/** Values of a connect form but the secret: those that expressions read, and those of hidden fields. */
export interface FormValues {
  fields: Readonly<Record<string, string>>;
  secrets: Readonly<Record<string, string>>;
}

type Form = Pick<ConnectorDocument, 'connect'>;

/** Returns the values of a connect form by whether expressions may read them; a missing one is empty. */
export function formValuesOf({ connect }: Form, values: Readonly<Record<string, string>>): FormValues {
  const valuesOf = (isHidden: boolean) =>
    Object.fromEntries(
      connect.fields
        .filter(({ hidden = false }) => hidden === isHidden)
        .map(({ name }) => [name, values[name] ?? '']),
    );
  return { fields: valuesOf(false), secrets: valuesOf(true) };
}

/**
 * Returns those of the stored values of a form that expressions may read: not those that were entered before this version of the
 * document made their fields secret (`hidden`).
 */
export function readableValues(
  { connect }: Form,
  stored: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const hidden = connect.fields.filter((field) => field.hidden).map(({ name }) => name);
  if (hidden.length === 0) return stored;
  return Object.fromEntries(Object.entries(stored).filter(([name]) => !hidden.includes(name)));
}

/**
 * Returns the value of a field that the authentication names.
 * @throws ProviderError `reauthorise` for a required secret that the account was connected without
 */
export function namedValue(
  { title, connect }: Form & Pick<ConnectorDocument, 'title'>,
  { fields = {}, secrets = {} }: Pick<Credentials, 'fields' | 'secrets'>,
  name: string,
): string {
  const field = connect.fields.find((one) => one.name === name);
  if (!field?.hidden) return fields[name] ?? '';
  const value = secrets[name];
  if (value === undefined && field.required)
    throw new ProviderError('reauthorise', `${title} needs “${field.label}” now. Connect it again.`);
  return value ?? '';
}

/** Members of an authentication that name a field. */
const MEMBERS = ['user', 'client', 'clientSecret'];
/** Holes of a text that name fields. */
const HOLES = /\{([a-z][a-zA-Z0-9]*)\}/g;

/**
 * Fills the holes of a text with the values of a form.
 * @param valueFor returns the value of a field, or of the secret
 * @returns undefined for a text whose holes are all empty
 */
export function filledText(text: string, valueFor: (name: string) => string): string | undefined {
  const values = new Map([...text.matchAll(HOLES)].map(([, name = '']) => [name, valueFor(name)]));
  if (values.size > 0 && [...values.values()].every((value) => value === '')) return undefined;
  return text.replace(HOLES, (_hole, name: string) => values.get(name) ?? '');
}

/** Returns the texts of an authentication that have holes, by their place in it: `{ 'tokenParts.0.value': '{scope}' }`. */
export function fieldTexts(authentication: ConnectorDocument['authentication']): Record<string, string> {
  const { value, userText } = { value: undefined, userText: undefined, ...authentication };
  const parts = 'tokenParts' in authentication ? (authentication.tokenParts ?? []) : [];
  return Object.fromEntries(
    [
      ['value', value] as const,
      ['userText', userText] as const,
      ...parts.map((part, index) => [`tokenParts.${index}.value`, part.value] as const),
    ].flatMap(([place, text]) => (text === undefined ? [] : [[place, text]])),
  );
}

/** Returns the names in the holes of a text. */
export function namesIn(text: string): string[] {
  return [...text.matchAll(HOLES)].map(([, name = '']) => name);
}

/** Returns the keys that requests have in addition to a token, or to user and password. */
export function keysBeside(authentication: ConnectorDocument['authentication']) {
  return ('keys' in authentication && authentication.keys) || [];
}

/** Returns the names of the fields that an authentication uses. */
export function usedFields(authentication: ConnectorDocument['authentication']): string[] {
  const texts = Object.values(fieldTexts(authentication));
  return [...Object.values(namedFields(authentication)), ...texts.flatMap(namesIn)];
}

/** Returns the fields that an authentication names by its members, by their place in it: `{ user: 'user' }`. */
export function namedFields(authentication: ConnectorDocument['authentication']): Record<string, string> {
  const members = Object.entries(authentication).filter(([member]) => MEMBERS.includes(member));
  const others = authentication.kind === 'api-key' ? (authentication.others ?? []) : [];
  return Object.fromEntries([
    ...members.flatMap(([member, name]) => (typeof name === 'string' ? [[member, name]] : [])),
    ...others.map(({ field }, index) => [`others.${index}.field`, field]),
    ...keysBeside(authentication).map(({ field }, index) => [`keys.${index}.field`, field]),
  ]);
}
