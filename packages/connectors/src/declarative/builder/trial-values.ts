import {
  type ConnectorTrialRequest,
  checkConnectValues,
  matchesPattern,
  textOfSetting,
} from '@datadeck/contract';
import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import { ProviderError, type RequestAccess, untilAborted } from '../../sdk/index.ts';
import { accessOf } from '../access.ts';
import { documentAuthorization } from '../authorization.ts';
import type { DocumentProblem } from '../document-problems.ts';
import { type EnteredSecret, exchangeSecret } from '../exchange-secret.ts';
import { formValuesOf } from '../form-values.ts';
import { SecretHider } from './hide-secret.ts';
import type { RequestTime } from './request-time.ts';

/** How requests reach the API. */
export type Access = RequestAccess;

/** The values of a trial as the interpreter gets them. */
export interface TrialValues {
  config: Record<string, string>;
  settings: Record<string, string>;
  /** Undefined if values are wrong, or the sign-in was refused. */
  access: Access | undefined;
  /** Texts that no result may contain. */
  secrets: string[];
  /** Hosts to which the secret is sent. */
  hosts: string[];
  problems: DocumentProblem[];
}

/** How the values of a trial lead to the API. */
export interface TrialReach {
  baseUrl: string | undefined;
  hosts: readonly string[] | undefined;
  time: RequestTime;
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

/** Returns all secrets that a person entered for a trial, as they are and without the spaces around them. */
export function enteredSecrets(document: ConnectorDocument, trial: ConnectorTrialRequest): string[] {
  const { secrets } = formValuesOf(document, trial.config);
  const entered = [trial.secret, ...Object.values(secrets)];
  return [...entered, ...entered.map((secret) => secret.trim())];
}

/** Returns the secret parts of what is sent, and of what was entered. */
function secretsOf(entered: readonly string[], access: Access | undefined): string[] {
  const sent = [...Object.values(access?.headers ?? {}), ...Object.values(access?.query ?? {})];
  const encoded = sent.flatMap((value) => (value.startsWith('Basic ') ? [value.slice('Basic '.length)] : []));
  return [...new Set([...entered, ...encoded])].filter((text) => text !== '');
}

function hostsOfSecret({ authentication }: ConnectorDocument, { apiUrl }: Access): string[] {
  const { kind, tokenUrl } = { tokenUrl: undefined, ...authentication };
  const isExchanged = tokenUrl !== undefined && kind !== 'oauth-code';
  const addresses = isExchanged ? [tokenUrl, apiUrl] : [apiUrl];
  return [...new Set(addresses.map((address) => new URL(address).host))];
}

/** Returns how requests are sent, and the token that an exchanged secret yielded. @throws ProviderError */
async function signIn(
  document: ConnectorDocument,
  entered: EnteredSecret,
  { time, ...options }: TrialReach,
): Promise<{ access: Access; accessToken: string; refreshToken: string }> {
  const token = await time
    .run((signal) => untilAborted(exchangeSecret(document, options, entered), signal))
    .catch((error: unknown) => {
      if (error instanceof ProviderError) throw error;
      throw new ProviderError('unavailable', 'The sign-in did not answer within 10 s.');
    });
  const accessToken = token?.accessToken ?? entered.secret;
  const sent = { ...entered, accessToken, ...(token && { refreshToken: entered.secret }) };
  const access = accessOf(document, options)(sent);
  return { access, accessToken, refreshToken: token?.refreshToken ?? '' };
}

/**
 * Checks the values of a trial as a connection and a run do, and exchanges a secret for a token where the document says so. Call
 * it only for documents whose patterns are known to be linear.
 * @param index place of the entity in the document
 */
export async function readTrialValues(
  document: ConnectorDocument,
  index: number,
  trial: ConnectorTrialRequest,
  reach: TrialReach,
): Promise<TrialValues> {
  const { kind } = document.authentication;
  const { form } = documentAuthorization(document);
  const secretName = kind === 'none' ? undefined : document.connect.secret?.name;
  const given = { ...trial.config, ...(secretName !== undefined && { [secretName]: trial.secret }) };
  const { values, errors } = checkConnectValues(form.fields, given);
  const problems = Object.entries(errors).map(([name, message]) => {
    const label = form.fields.find((field) => field.name === name)?.label ?? name;
    const text = message === 'Required' ? `Enter a value for “${label}”.` : `“${label}”: ${message}.`;
    return { path: placeOf(document, name), message: text };
  });
  if (kind === 'oauth-code' && trial.secret === '')
    problems.push({
      path: 'authentication',
      message: 'Enter an access token: a trial cannot open the page of the provider.',
    });
  const { fields: config, secrets: further } = formValuesOf(document, values);
  const { settings, problems: ofSettings } = settingsOf(document, index, trial.settings);
  problems.push(...ofSettings);
  const entered = kind === 'oauth-code' ? trial.secret.trim() : '';
  const secret = secretName === undefined ? entered : (values[secretName] ?? '');
  const secrets = enteredSecrets(document, trial);
  let access: Access | undefined;
  const hosts: string[] = [];
  try {
    if (problems.length === 0) {
      const sent = { secret, accessToken: secret, fields: config, secrets: further };
      hosts.push(...hostsOfSecret(document, accessOf(document, reach)(sent)));
      const signedIn = await signIn(document, sent, reach);
      access = signedIn.access;
      secrets.push(signedIn.accessToken, signedIn.refreshToken);
    }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const isRefused = error.failure === 'reauthorise' && secretName !== undefined;
    const path = isRefused ? 'connect.secret' : placeOf(document, error.field);
    problems.push({ path, message: new SecretHider(secrets).hide(error.message) });
  }
  return { config, settings, access, secrets: secretsOf(secrets, access), hosts, problems };
}
