import { matchesPattern } from '@datadeck/contract';
import type { ConnectorDocument, DocumentField } from '@datadeck/contract/connector-document';
import { type Credentials, ProviderError, type RequestAccess, withoutEndSlashes } from '../sdk/index.ts';
import { filledText, keysBeside, namedValue } from './form-values.ts';

/** The parts of a document that say where requests go and what proves the identity. */
type Reached = Pick<ConnectorDocument, 'title' | 'baseUrl' | 'authentication' | 'connect'>;

/** Options of `accessOf`. */
export interface AccessOptions {
  /** Base address that replaces the one of the document: an operator's own server, e.g. `https://git.example.org/api/v4`. */
  baseUrl?: string | undefined;
}

/** The base address of a document whose address each person enters. */
export const ENTERED_ADDRESS = '{config.address}';
/** Name among the stored values of the addresses for which the secret was entered (`boundTo`); no field of a form has it. */
export const BOUND_ADDRESS = '@base';
/** One label of a host name (RFC 1123). */
export const DNS_LABEL = '[A-Za-z0-9](?:[A-Za-z0-9\\-]{0,61}[A-Za-z0-9])?';
/** What Node sends in a header: printable ASCII and Latin-1. */
export const HEADER_VALUE = /^[\x20-\x7e\x80-\xff]*$/;

/** Returns the name of the form's field that the base address contains, e.g. `site`; undefined if it has no hole. */
export function addressFieldOf({ baseUrl }: Pick<ConnectorDocument, 'baseUrl'>): string | undefined {
  return /\{config\.([A-Za-z0-9]+)\}/.exec(baseUrl)?.[1];
}

/** Returns what is around the hole of the base address in its host: `['api-', '.example.com']`; undefined without such a hole. */
function aroundHole(baseUrl: string): [before: string, after: string] | undefined {
  const [, before, after] = /\/\/([^/{]*)\{[^{}]*\}([^/:]+)/.exec(baseUrl) ?? [];
  return before === undefined || after === undefined ? undefined : [before, after];
}

/** Returns which part of the host a person enters: `the part before .example.com`; undefined for an address without such a hole. */
export function enteredPartOf({ baseUrl }: Pick<ConnectorDocument, 'baseUrl'>): string | undefined {
  const [before, after] = aroundHole(baseUrl) ?? [];
  if (after === undefined) return undefined;
  return before === '' ? `the part before ${after}` : `the part between ${before} and ${after}`;
}

function invalid(message: string, field: string | undefined): ProviderError {
  return new ProviderError('invalid', message, field === undefined ? {} : { field });
}

/**
 * Returns the address that a person entered, e.g. that of a feed; undefined for documents that name their own.
 * @throws ProviderError `invalid` for anything but an address of HTTP without user and password
 */
export function enteredAddressOf(
  { baseUrl }: Pick<ConnectorDocument, 'baseUrl'>,
  fields: Readonly<Record<string, string>>,
): URL | undefined {
  if (baseUrl !== ENTERED_ADDRESS) return undefined;
  const url = URL.parse((fields.address ?? '').trim());
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw invalid('Enter an address such as https://example.org/feed.xml.', 'address');
  return url;
}

/** Fills the hole of a base address. @throws ProviderError `invalid` for anything but one label of a host name, or a part of it */
function withLabel(baseUrl: string, field: string, value: string): string {
  const entered = value.trim().toLowerCase();
  const filled = baseUrl.replace(`{config.${field}}`, () => entered);
  const [before, after] = aroundHole(baseUrl) ?? ['', ''];
  const host = before + entered + after;
  const isLabel = [entered, host.slice(0, host.indexOf('.'))].every((one) => matchesPattern(one, DNS_LABEL));
  if (isLabel && URL.parse(filled)?.hostname === host) return filled;
  throw invalid(`Enter one name of letters, digits and hyphens: ${enteredPartOf({ baseUrl })}.`, field);
}

/**
 * Returns the base address for the values of a connect form, e.g. `https://acme.example.com/api`; the origin of an address
 * that a person entered.
 * @param fields the values without the secret
 * @throws ProviderError `invalid`, with the field to correct
 */
export function baseAddressOf(
  document: Reached,
  fields: Readonly<Record<string, string>>,
  { baseUrl }: AccessOptions = {},
): string {
  const { authentication, title } = document;
  const field = addressFieldOf(document);
  const entered = baseUrl === undefined ? enteredAddressOf(document, fields) : undefined;
  if (entered && authentication.kind !== 'none')
    throw invalid(`${title} may send no secret to an address that a person enters.`, field);
  if (entered) return entered.origin;
  const isFixed = baseUrl !== undefined || field === undefined;
  const address = isFixed
    ? (baseUrl ?? document.baseUrl)
    : withLabel(document.baseUrl, field, fields[field] ?? '');
  return withoutEndSlashes(address);
}

/** Returns to where the secret of an account may be sent: the base address, and that of its tokens. */
export function boundTo({ authentication }: Pick<ConnectorDocument, 'authentication'>, base: string): string {
  const { tokenUrl } = { tokenUrl: undefined, ...authentication };
  return tokenUrl === undefined ? base : `${base} ${tokenUrl}`;
}

/** Returns a header with a secret. @throws ProviderError `invalid` for a secret that no header can have */
function headerOf(
  { connect }: Reached,
  name: string,
  value: string,
  field: DocumentField | undefined = connect.secret,
): Record<string, string> {
  if (HEADER_VALUE.test(value)) return { [name.toLowerCase()]: value };
  throw invalid(`The ${field?.label ?? 'secret'} has characters that cannot be sent.`, field?.name);
}

/** The parts of credentials that requests send. */
type Sent = Pick<Credentials, 'accessToken' | 'refreshToken' | 'fields' | 'secrets'>;
type Proof = Pick<RequestAccess, 'headers' | 'query'>;

/** Returns what fills the holes of a document's texts: the values of fields, and the secret. */
function valuesOf(document: Reached, credentials: Sent): (name: string) => string {
  return (name) =>
    name === document.connect.secret?.name
      ? credentials.accessToken
      : namedValue(document, credentials, name);
}

type KeyPlace = Omit<ReturnType<typeof keysBeside>[number], 'field'>;
/** A key as it is sent, and the field of the form that has it. */
type Key = KeyPlace & { value: string; field: DocumentField | undefined };

/** Returns keys with the values of their fields, but those that are empty. */
function filledKeys(
  document: Reached,
  keys: readonly (KeyPlace & { field: string })[],
  credentials: Sent,
): Key[] {
  const { secret, fields } = document.connect;
  // The secret that yields tokens is kept where it renews them.
  const entered = credentials.refreshToken ?? credentials.accessToken;
  return keys
    .map(({ field: name, ...key }) => ({
      ...key,
      value: name === secret?.name ? entered : namedValue(document, credentials, name),
      field: [...fields, ...(secret ? [secret] : [])].find((field) => field.name === name),
    }))
    .filter(({ value }) => value !== '');
}

/** Returns the headers and parameters of keys. */
function proofBy(document: Reached, keys: readonly Key[]): Proof {
  const ofPlace = (place: 'header' | 'query') => keys.filter((key) => key.in === place);
  return {
    headers: Object.assign(
      {},
      ...ofPlace('header').map(({ name, prefix, value, field }) =>
        headerOf(document, name, prefix + value, field),
      ),
    ),
    query: Object.fromEntries(ofPlace('query').map(({ name, prefix, value }) => [name, prefix + value])),
  };
}

/** Returns the headers and parameters of an API key and of those beside it. */
function keysOf(
  document: Reached,
  { others = [], value: text, ...first }: Extract<ConnectorDocument['authentication'], { kind: 'api-key' }>,
  credentials: Sent,
): Proof {
  const written = text === undefined ? undefined : filledText(text, valuesOf(document, credentials));
  return proofBy(document, [
    { ...first, value: written ?? credentials.accessToken, field: document.connect.secret },
    ...filledKeys(document, others, credentials),
  ]);
}

function proofOf(document: Reached, credentials: Sent): Proof {
  const { authentication } = document;
  const { accessToken } = credentials;
  switch (authentication.kind) {
    case 'none':
      return { headers: {}, query: {} };
    case 'bearer':
    case 'client-credentials':
    case 'refresh-token':
    case 'oauth-code':
      return { headers: headerOf(document, 'authorization', `Bearer ${accessToken}`), query: {} };
    case 'api-key':
      return keysOf(document, authentication, credentials);
    case 'session-token': {
      const { in: place = 'header', name, prefix } = authentication;
      return place === 'header'
        ? { headers: headerOf(document, name, prefix + accessToken), query: {} }
        : { headers: {}, query: { [name]: prefix + accessToken } };
    }
    case 'basic': {
      const { user: field, userText, password: fixed = '' } = authentication;
      const text = userText ?? `{${field}}`;
      const [user, password] =
        field === undefined
          ? [accessToken, fixed]
          : [filledText(text, valuesOf(document, credentials)) ?? '', accessToken];
      // The first colon ends the user (RFC 7617).
      if (user.includes(':'))
        throw invalid(
          field === undefined ? 'What is sent as a user name has no colon.' : 'A user name has no colon.',
          field ?? document.connect.secret?.name,
        );
      const pair = Buffer.from(`${user}:${password}`).toString('base64');
      return { headers: { authorization: `Basic ${pair}` }, query: {} };
    }
  }
}

/**
 * Returns the hook `HttpApi.accessOf` of a document: base address, and what proves the identity. The hook throws
 * ProviderError `invalid`, with the field to correct, for values that lead elsewhere or that cannot be sent.
 */
export function accessOf(
  document: Reached,
  options: AccessOptions = {},
): (credentials: Sent) => RequestAccess {
  return (credentials) => {
    const { fields = {} } = credentials;
    const apiUrl = baseAddressOf(document, fields, options);
    const bound = fields[BOUND_ADDRESS];
    const isBound = bound === undefined || bound === boundTo(document, apiUrl);
    if (!isBound && document.authentication.kind !== 'none')
      throw new ProviderError(
        'reauthorise',
        `${document.title} is at another address now. Connect it again.`,
      );
    const { headers, query } = proofOf(document, credentials);
    const keys = proofBy(document, filledKeys(document, keysBeside(document.authentication), credentials));
    return { apiUrl, headers: { ...keys.headers, ...headers }, query: { ...keys.query, ...query } };
  };
}
