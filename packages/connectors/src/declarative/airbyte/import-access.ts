import { type Component, componentOf, isComponent, textOf } from './component.ts';
import { attempt, UntranslatableError } from './jinja/untranslatable-error.ts';
import { isSet } from './refused-members.ts';

/** A field of the form that the authentication names: its place in the configuration, or a name and what it is by default. */
export type AccessField = { path: readonly string[] } | { name: string; initial: string };

/** How a document sends the secret, and where the manifest has the secret and the fields. */
export interface ImportedAccess {
  authentication: Record<string, unknown>;
  /** Path of the secret in the configuration; absent without one. */
  secret?: readonly string[];
  /** Fields by the members of the authentication that name them. */
  fields?: Readonly<Record<string, AccessField>>;
  /** Further keys, with the paths of their secrets. */
  others?: readonly { in: string; name: string; prefix: string; path: readonly string[] }[];
  /** Names of the parameters and headers that have a secret, which are none of the requests then. */
  sentBy?: readonly string[];
}

const WHOLE = /^\s*\{\{\s*(config(?:\.\w+|\[\s*["'][^"'\]]+["']\s*\])+)\s*\}\}\s*$/;
const PREFIXED = /^([\x20-\x7e]{0,20}?)\{\{\s*(config(?:\.\w+|\[\s*["'][^"'\]]+["']\s*\])+)\s*\}\}\s*$/;

/** Returns the path that an expression reads: `config["a"].b` is a and b. */
function pathOf(expression: string): string[] {
  return [...expression.slice('config'.length).matchAll(/\.(\w+)|\[\s*["']([^"'\]]+)["']\s*\]/g)].map(
    ([, name, quoted]) => name ?? quoted ?? '',
  );
}

/** Returns the path of a template that is one value of the configuration. @throws UntranslatableError */
function wholePath(template: string, what: string): string[] {
  const found = WHOLE.exec(template);
  if (!found?.[1]) throw new UntranslatableError(`${what} is no single value of the configuration`);
  return pathOf(found[1]);
}

/** How a key is sent. */
type KeyPlace = Pick<NonNullable<ImportedAccess['others']>[number], 'in' | 'name' | 'prefix'>;

const BEARER: KeyPlace = { in: 'header', name: 'Authorization', prefix: 'Bearer ' };
const isBearer = ({ in: place, name, prefix }: KeyPlace) =>
  place === BEARER.in && name.toLowerCase() === 'authorization' && prefix === BEARER.prefix;

/** Returns the authentication by a key: `bearer` where that is what it is. */
const byKey = (key: KeyPlace) => (isBearer(key) ? { kind: 'bearer' } : { kind: 'api-key', ...key });

function apiKey(authenticator: Component): ImportedAccess {
  const option = componentOf(authenticator, 'inject_into');
  const place = option ? textOf(option, 'inject_into') : 'header';
  const name = option ? textOf(option, 'field_name') : textOf(authenticator, 'header');
  const found = PREFIXED.exec(textOf(authenticator, 'api_token'));
  if (!found?.[2]) throw new UntranslatableError('the API key is no single value of the configuration');
  if (name === '' || !/^[A-Za-z0-9_-]+$/.test(name)) throw new UntranslatableError('the name of the API key');
  if (place !== 'header' && place !== 'request_parameter')
    throw new UntranslatableError('an API key in the body of requests');
  const key = { in: place === 'header' ? 'header' : 'query', name, prefix: found[1] ?? '' };
  return { authentication: byKey(key), secret: pathOf(found[2]) };
}

/** Members of an authenticator that change the request of a token in a way that the product has not. */
const OWN_TOKEN_REQUEST = [
  'refresh_request_body',
  'refresh_request_headers',
  'profile_assertion',
  'grant_type_name',
  'client_id_name',
  'client_secret_name',
  'refresh_token_name',
  'send_refresh_request_as_query_params',
];

function oauth(authenticator: Component): ImportedAccess {
  const url = textOf(authenticator, 'token_refresh_endpoint');
  const grant = textOf(authenticator, 'grant_type') || 'refresh_token';
  const own = OWN_TOKEN_REQUEST.find((name) => isSet(authenticator[name]));
  if (own !== undefined) throw new UntranslatableError(`a request of tokens with ${own}`);
  const name = textOf(authenticator, 'access_token_name');
  if (name !== '' && name !== 'access_token') throw new UntranslatableError(`a token that is named ${name}`);
  if (!/^https:\/\/[a-z0-9.-]+(?:\/[A-Za-z0-9._~/-]*)?$/.test(url))
    throw new UntranslatableError('an address of tokens that is computed');
  const scopes = Array.isArray(authenticator.scopes) ? authenticator.scopes.map(String) : [];
  const client = { path: wholePath(textOf(authenticator, 'client_id'), 'the id of the client') };
  const secret = wholePath(textOf(authenticator, 'client_secret'), 'the secret of the client');
  if (grant === 'client_credentials')
    return {
      authentication: { kind: 'client-credentials', tokenUrl: url, send: 'body', scopes },
      fields: { user: client },
      secret,
    };
  if (grant !== 'refresh_token') throw new UntranslatableError(`OAuth by ${grant}`);
  return {
    authentication: { kind: 'refresh-token', tokenUrl: url, scopes },
    fields: { client, clientSecret: { path: secret } },
    secret: wholePath(textOf(authenticator, 'refresh_token'), 'the refresh token'),
  };
}

function basic(authenticator: Component): ImportedAccess {
  const [user, password] = [textOf(authenticator, 'username'), textOf(authenticator, 'password')];
  if (!password.includes('{'))
    return {
      authentication: { kind: 'basic', ...(password.trim() !== '' && { password }) },
      secret: wholePath(user, 'the user'),
    };
  const field = user.includes('{') ? { path: wholePath(user, 'the user') } : { name: 'user', initial: user };
  return {
    authentication: { kind: 'basic' },
    fields: { user: field },
    secret: wholePath(password, 'the password'),
  };
}

/** Kinds of access from the one that is entered in the fewest steps. */
const PREFERRED = ['bearer', 'api-key', 'basic', 'client-credentials', 'refresh-token'];

/** Returns the access that asks least of a person, of those among which a manifest lets people choose. */
function selected(authenticator: Component): ImportedAccess {
  const choices = Object.values(componentOf(authenticator, 'authenticators') ?? {}).filter(isComponent);
  const found = choices.map((choice) => attempt(() => importAccess(choice)));
  const rankOf = ({ authentication }: ImportedAccess) => PREFERRED.indexOf(String(authentication.kind));
  const [best] = found
    .flatMap((one) => ('value' in one ? [one.value] : []))
    .filter((access) => rankOf(access) >= 0)
    .toSorted((one, other) => rankOf(one) - rankOf(other));
  if (best) return best;
  const refused = found.findLast((one) => 'reason' in one);
  throw new UntranslatableError(refused?.reason ?? 'a choice of sign-ins without one');
}

/** Translates an authenticator. @throws UntranslatableError */
export function importAccess(authenticator: Component | undefined): ImportedAccess {
  switch (authenticator?.type) {
    case undefined:
    case 'NoAuth':
      return { authentication: { kind: 'none' } };
    case 'BearerAuthenticator':
      return {
        authentication: { kind: 'bearer' },
        secret: wholePath(textOf(authenticator, 'api_token'), 'the token'),
      };
    case 'ApiKeyAuthenticator':
      return apiKey(authenticator);
    case 'BasicHttpAuthenticator':
      return basic(authenticator);
    case 'OAuthAuthenticator':
      return oauth(authenticator);
    case 'SelectiveAuthenticator':
      return selected(authenticator);
    default:
      throw new UntranslatableError(`the sign-in ${String(authenticator?.type)}`);
  }
}

/** Names of members of a requester that may have a secret, and where requests have them. */
const PLACES = [
  ['request_parameters', 'query'],
  ['request_headers', 'header'],
] as const;

/** A parameter or header of a requester that has a secret. */
type Sent = NonNullable<ImportedAccess['others']>[number];

function secretsIn(requester: Component, isSecret: (path: readonly string[]) => boolean): Sent[] {
  return PLACES.flatMap(([member, place]) =>
    Object.entries(componentOf(requester, member) ?? {}).flatMap(([name, value]): Sent[] => {
      const found = typeof value === 'string' ? PREFIXED.exec(value) : null;
      const path = found?.[2] === undefined ? [] : pathOf(found[2]);
      const isProof = isSecret(path) || (place === 'header' && name.toLowerCase() === 'authorization');
      if (!found || path.length === 0 || !isProof || !/^[A-Za-z0-9_-]+$/.test(name)) return [];
      return [{ in: place, name, prefix: found[1] ?? '', path }];
    }),
  );
}

/**
 * Adds the secrets that a requester has among its parameters and headers to the access of its authenticator.
 * @param isSecret returns whether a path of the configuration is secret
 */
export function withSecretsOf(
  requester: Component,
  access: ImportedAccess,
  isSecret: (path: readonly string[]) => boolean,
): ImportedAccess {
  const found = secretsIn(requester, isSecret);
  if (found.length === 0) return access;
  const sentBy = found.map(({ name }) => name);
  const { kind, ...own } = access.authentication;
  if (access.secret) {
    if (kind !== 'api-key' && kind !== 'bearer') return access;
    const key = kind === 'bearer' ? BEARER : own;
    return { ...access, authentication: { kind: 'api-key', ...key }, others: found, sentBy };
  }
  const [first, ...others] = found as [Sent, ...Sent[]];
  const { path, ...key } = first;
  return {
    // Other keys go along with an API key only.
    authentication: others.length > 0 ? { kind: 'api-key', ...key } : byKey(key),
    secret: path,
    sentBy,
    ...(others.length > 0 && { others }),
  };
}
