import { type Component, componentOf, isComponent, textOf } from './component.ts';
import {
  basicPair,
  type ConfigPart,
  type ConfigSpec,
  isPath,
  partsOf,
  pathsIn,
  textWithPaths,
  wholePath,
} from './config-text.ts';
import { importOAuth } from './import-oauth.ts';
import { importSession } from './import-session.ts';
import type { ImportedAccess } from './imported-access.ts';
import { attempt, UntranslatableError } from './jinja/untranslatable-error.ts';
import { keyPlace } from './key-place.ts';

/** How a key is sent. */
type KeyPlace = Pick<NonNullable<ImportedAccess['others']>[number], 'in' | 'name' | 'prefix'>;

const BEARER: KeyPlace = { in: 'header', name: 'Authorization', prefix: 'Bearer ' };
const isBearer = ({ in: place, name, prefix }: KeyPlace) =>
  place === BEARER.in && name.toLowerCase() === 'authorization' && prefix === BEARER.prefix;

/** Returns the authentication by a key: `bearer` where that is what it is. */
const byKey = (key: KeyPlace) => (isBearer(key) ? { kind: 'bearer' } : { kind: 'api-key', ...key });

/** Longest text before a key. */
const MAX_PREFIX = 20;

/** Returns the access by a key that is sent as a text; with several secrets, the last one is the one of the account. */
function textAccess(
  place: Pick<KeyPlace, 'in' | 'name'>,
  parts: readonly ConfigPart[],
  spec: ConfigSpec,
): ImportedAccess {
  const paths = pathsIn(parts);
  const secret = paths.findLast((path) => spec.isSecret(path)) ?? paths.at(-1);
  if (!secret) throw new UntranslatableError('a key without a value of the configuration');
  const [first = '', second, ...more] = parts;
  const prefix = typeof first === 'string' ? first : '';
  const isKey = more.length === 0 && (second === undefined ? typeof first !== 'string' : second === secret);
  if (isKey && prefix.length <= MAX_PREFIX) return { authentication: byKey({ ...place, prefix }), secret };
  const value = textWithPaths(parts);
  return { authentication: { kind: 'api-key', ...place, prefix: '', value }, secret };
}

function apiKey(authenticator: Component, spec: ConfigSpec): ImportedAccess {
  const place = keyPlace(authenticator);
  const template = textOf(authenticator, 'api_token').trimEnd();
  const [user, colon, password, ...more] = basicPair(template, spec) ?? [];
  const isBasic = isPath(user) && colon === ':' && more.length === 0;
  if (place.in === 'header' && place.name.toLowerCase() === 'authorization' && isBasic)
    return isPath(password)
      ? { authentication: { kind: 'basic' }, fields: { user: { path: user } }, secret: password }
      : { authentication: { kind: 'basic', ...(password && { password }) }, secret: user };
  return textAccess(place, partsOf(template, 'the API key', spec), spec);
}

function basic(authenticator: Component, spec: ConfigSpec): ImportedAccess {
  const [user, password] = [textOf(authenticator, 'username'), textOf(authenticator, 'password')];
  if (!password.includes('{'))
    return {
      authentication: { kind: 'basic', ...(password.trim() !== '' && { password }) },
      secret: wholePath(user, 'the user', spec),
    };
  const secret = wholePath(password, 'the password', spec);
  const parts = user.includes('{') ? partsOf(user.trim(), 'the user', spec) : [];
  if ([user.includes('{') ? '' : user, ...parts].some((part) => !isPath(part) && part.includes(':')))
    throw new UntranslatableError('a user with a colon');
  const [path] = pathsIn(parts);
  return {
    authentication: { kind: 'basic', ...(parts.length > 1 && { userText: textWithPaths(parts) }) },
    fields: { user: path ? { path } : { name: 'user', initial: user } },
    secret,
  };
}

/** Kinds of access from the one that is entered in the fewest steps. */
const PREFERRED = ['bearer', 'api-key', 'basic', 'client-credentials', 'session-token', 'refresh-token'];

/** Returns the access that asks least of a person, of those among which a manifest lets people choose. */
function selected(authenticator: Component, spec: ConfigSpec): ImportedAccess {
  const choices = Object.values(componentOf(authenticator, 'authenticators') ?? {}).filter(isComponent);
  const found = choices.map((choice) => attempt(() => importAccess(choice, spec)));
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
export function importAccess(authenticator: Component | undefined, spec: ConfigSpec): ImportedAccess {
  switch (authenticator?.type) {
    case undefined:
    case 'NoAuth':
      return { authentication: { kind: 'none' } };
    case 'BearerAuthenticator': {
      const parts = partsOf(textOf(authenticator, 'api_token').trim(), 'the token', spec);
      return textAccess({ in: BEARER.in, name: BEARER.name }, [BEARER.prefix, ...parts], spec);
    }
    case 'ApiKeyAuthenticator':
      return apiKey(authenticator, spec);
    case 'BasicHttpAuthenticator':
      return basic(authenticator, spec);
    case 'OAuthAuthenticator':
      return importOAuth(authenticator, spec);
    case 'SessionTokenAuthenticator':
      return importSession(authenticator, spec);
    case 'SelectiveAuthenticator':
      return selected(authenticator, spec);
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

function secretsIn(requester: Component, spec: ConfigSpec): Sent[] {
  return PLACES.flatMap(([member, place]) =>
    Object.entries(componentOf(requester, member) ?? {}).flatMap(([name, value]): Sent[] => {
      const read = attempt(() => (typeof value === 'string' ? partsOf(value.trimEnd(), name, spec) : []));
      const parts = 'value' in read ? read.value : [];
      const [path, ...more] = pathsIn(parts);
      const [prefix = ''] = parts;
      const isEnd = parts.at(-1) === path && parts.length <= 2;
      if (!path || more.length > 0 || !isEnd || (typeof prefix === 'string' && prefix.length > MAX_PREFIX))
        return [];
      const isProof = spec.isSecret(path) || (place === 'header' && name.toLowerCase() === 'authorization');
      if (!isProof || !/^[A-Za-z0-9_-]+$/.test(name)) return [];
      return [{ in: place, name, prefix: typeof prefix === 'string' ? prefix : '', path }];
    }),
  );
}

/** Adds the secrets that a requester has among its parameters and headers to the access of its authenticator. */
export function withSecretsOf(
  requester: Component,
  access: ImportedAccess,
  spec: ConfigSpec,
): ImportedAccess {
  const found = secretsIn(requester, spec);
  if (found.length === 0) return access;
  const { kind, ...own } = access.authentication;
  if (access.secret) {
    if (kind !== 'api-key' && kind !== 'bearer') return { ...access, keys: found, movedSecrets: found };
    const key = kind === 'bearer' ? BEARER : own;
    return { ...access, authentication: { kind: 'api-key', ...key }, others: found, movedSecrets: found };
  }
  const [first, ...others] = found as [Sent, ...Sent[]];
  const { path, ...key } = first;
  return {
    // Other keys go along with an API key only.
    authentication: others.length > 0 ? { kind: 'api-key', ...key } : byKey(key),
    secret: path,
    movedSecrets: found,
    ...(others.length > 0 && { others }),
  };
}
