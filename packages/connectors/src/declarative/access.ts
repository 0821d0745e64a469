import { matchesPattern } from '@datadeck/contract';
import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import { type Credentials, ProviderError, type RequestAccess, withoutEndSlashes } from '../sdk/index.ts';

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
const HEADER_VALUE = /^[\x20-\x7e\x80-\xff]*$/;

/** Returns the name of the form's field that the base address contains, e.g. `site`; undefined if it has no hole. */
export function addressFieldOf({ baseUrl }: Pick<ConnectorDocument, 'baseUrl'>): string | undefined {
  return /\{config\.([A-Za-z0-9]+)\}/.exec(baseUrl)?.[1];
}

/** Returns what follows the hole of the base address in its host, e.g. `.example.com`; empty without such a hole. */
export function addressSuffixOf({ baseUrl }: Pick<ConnectorDocument, 'baseUrl'>): string {
  return /\}(\.[^/:]+)/.exec(baseUrl)?.[1] ?? '';
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

/** Fills the hole of a base address. @throws ProviderError `invalid` for anything but one label of a host name */
function withLabel(baseUrl: string, field: string, value: string): string {
  const label = value.trim().toLowerCase();
  const filled = baseUrl.replace(`{config.${field}}`, () => label);
  const suffix = addressSuffixOf({ baseUrl });
  if (matchesPattern(label, DNS_LABEL) && URL.parse(filled)?.hostname === label + suffix) return filled;
  throw invalid(`Enter one name of letters, digits and hyphens: the part before ${suffix}.`, field);
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
  return 'tokenUrl' in authentication ? `${base} ${authentication.tokenUrl}` : base;
}

/** Returns a header with a secret. @throws ProviderError `invalid` for a secret that no header can have */
function headerOf({ connect }: Reached, name: string, value: string): Record<string, string> {
  if (HEADER_VALUE.test(value)) return { [name.toLowerCase()]: value };
  const { secret } = connect;
  throw invalid(`The ${secret?.label ?? 'secret'} has characters that cannot be sent.`, secret?.name);
}

function proofOf(
  document: Reached,
  { accessToken, fields = {} }: Pick<Credentials, 'accessToken' | 'fields'>,
): Pick<RequestAccess, 'headers' | 'query'> {
  const { authentication } = document;
  switch (authentication.kind) {
    case 'none':
      return { headers: {}, query: {} };
    case 'bearer':
    case 'client-credentials':
    case 'oauth-code':
      return { headers: headerOf(document, 'authorization', `Bearer ${accessToken}`), query: {} };
    case 'api-key': {
      const { name, prefix } = authentication;
      const value = prefix + accessToken;
      return authentication.in === 'query'
        ? { headers: {}, query: { [name]: value } }
        : { headers: headerOf(document, name, value), query: {} };
    }
    case 'session-token': {
      const { name, prefix } = authentication;
      return { headers: headerOf(document, name, prefix + accessToken), query: {} };
    }
    case 'basic': {
      const user = fields[authentication.user] ?? '';
      // The first colon ends the user (RFC 7617).
      if (user.includes(':')) throw invalid('A user name has no colon.', authentication.user);
      const pair = Buffer.from(`${user}:${accessToken}`).toString('base64');
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
): (credentials: Pick<Credentials, 'accessToken' | 'fields'>) => RequestAccess {
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
    return { apiUrl, ...proofOf(document, credentials) };
  };
}
