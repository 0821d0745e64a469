import { type ConnectorTrial, checkConnectValues, matchesPattern, textOfSetting } from '@datadeck/contract';
import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import { ProviderError, type RequestAccess } from '../../sdk/index.ts';
import { accessOf } from '../access.ts';
import { documentAuthorization } from '../authorization.ts';
import type { DocumentProblem } from '../document-problems.ts';
import { type ExchangeOptions, exchangeSecret } from '../exchange-secret.ts';

/** How requests reach the API. */
export type Access = RequestAccess;

/** The values of a trial as the interpreter gets them. */
export interface TrialValues {
  config: Record<string, string>;
  settings: Record<string, string>;
  /** Undefined if values are wrong. */
  access: Access | undefined;
  /** Texts that no result may contain. */
  secrets: string[];
  problems: DocumentProblem[];
}

/** Returns the place in the document of a field of the form. */
function placeOf({ connect }: ConnectorDocument, name: string | undefined): string {
  if (name === undefined) return 'authentication';
  const index = connect.fields.findIndex((field) => field.name === name);
  return index < 0 ? 'connect.secret' : `connect.fields.${index}`;
}

function settingsOf(
  document: ConnectorDocument,
  index: number,
  given: Readonly<Record<string, string>>,
): Pick<TrialValues, 'settings' | 'problems'> {
  const settings: Record<string, string> = {};
  const problems: DocumentProblem[] = [];
  const fields = document.entities[index]?.settings ?? [];
  for (const [at, { name, label, pattern, required, errorText }] of fields.entries()) {
    const value = textOfSetting({ propKey: name, pattern }, given);
    const path = `entities.${index}.settings.${at}`;
    if (value === '' && required) problems.push({ path, message: `Enter a value for “${label}”.` });
    else if (value !== '' && !matchesPattern(value, pattern))
      problems.push({ path, message: errorText || `The value of “${label}” does not match its pattern.` });
    settings[name] = value;
  }
  return { settings, problems };
}

/** Returns the secret parts of what is sent, and of what was entered. */
function secretsOf(secret: string, access: Access | undefined): string[] {
  const sent = [...Object.values(access?.headers ?? {}), ...Object.values(access?.query ?? {})];
  const encoded = sent.flatMap((value) => (/^Basic /.test(value) ? [value.slice('Basic '.length)] : []));
  return [
    ...new Set([secret, secret.trim(), ...sent.filter((value) => !value.endsWith(secret)), ...encoded]),
  ].filter((text) => text !== '');
}

/**
 * Checks the values of a trial as a connection and a run do. Call it only for documents whose patterns are known to be linear.
 * @param index place of the entity in the document
 */
export async function trialValues(
  document: ConnectorDocument,
  index: number,
  trial: ConnectorTrial,
  options: ExchangeOptions,
): Promise<TrialValues> {
  const { form } = documentAuthorization(document);
  const secretName = document.authentication.kind === 'none' ? undefined : document.connect.secret?.name;
  const given = { ...trial.config, ...(secretName !== undefined && { [secretName]: trial.secret }) };
  const { values, errors } = checkConnectValues(form.fields, given);
  const problems = Object.entries(errors).map(([name, message]) => {
    const label = form.fields.find((field) => field.name === name)?.label ?? name;
    return {
      path: placeOf(document, name),
      message: message === 'Required' ? `Enter a value for “${label}”.` : `“${label}”: ${message}.`,
    };
  });
  const config = Object.fromEntries(document.connect.fields.map(({ name }) => [name, values[name] ?? '']));
  const { settings, problems: ofSettings } = settingsOf(document, index, trial.settings);
  problems.push(...ofSettings);
  const isConsent = document.authentication.kind === 'oauth-code';
  const secret = secretName === undefined ? '' : (values[secretName] ?? '');
  let access: Access | undefined;
  try {
    if (problems.length === 0) {
      const token = await exchangeSecret(document, options, { secret, fields: config });
      // A person who tries a document with a consent page enters a token of the provider.
      const accessToken = token?.accessToken ?? (isConsent ? trial.secret.trim() : secret);
      access = accessOf(document, options)({ accessToken, fields: config });
    }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    problems.push({ path: placeOf(document, error.field), message: error.message });
  }
  return { config, settings, access, secrets: secretsOf(trial.secret, access), problems };
}
