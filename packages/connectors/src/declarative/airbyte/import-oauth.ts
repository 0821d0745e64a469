import { type Component, componentOf, textOf } from './component.ts';
import { basicPair, type ConfigSpec, textWithPaths, wholePath } from './config-text.ts';
import type { ImportedAccess } from './imported-access.ts';
import { UntranslatableError } from './jinja/untranslatable-error.ts';
import { isSet } from './refused-members.ts';
import {
  FORM_TYPE,
  headersIn,
  partsIn,
  partsOfDocument,
  type TokenPart,
  tokenAddress,
} from './token-request.ts';

/** Members that rename a part of the request or the answer, and the name without them. */
const NAMES = {
  grant_type_name: 'grant_type',
  client_id_name: 'client_id',
  client_secret_name: 'client_secret',
  refresh_token_name: 'refresh_token',
  access_token_name: 'access_token',
} as const;
type Names = Record<keyof typeof NAMES, string>;

/** Paths of the parts of a client. */
interface Client {
  id: readonly string[];
  secret: readonly string[];
}

/** Returns the names of the parts of a request for a token. @throws UntranslatableError for one that is computed */
function namesOf(authenticator: Component): Names {
  const entries = Object.entries(NAMES).map(([member, name]) => [
    member,
    textOf(authenticator, member) || name,
  ]);
  for (const [member, name] of entries)
    if (!/^[A-Za-z0-9_.-]{1,100}$/.test(name ?? ''))
      throw new UntranslatableError(`a request of tokens with ${member}`);
  return Object.fromEntries(entries);
}

/** Returns the headers of a request for a token, and whether one has the client. @throws UntranslatableError */
function clientHeaders(
  given: Component,
  client: Client,
  spec: ConfigSpec,
): { parts: TokenPart[]; isBasic: boolean } {
  const { Authorization: proof, ...others } = given;
  const parts = headersIn(others, { what: 'refresh_request_headers', spec, type: FORM_TYPE });
  const pair = typeof proof === 'string' ? basicPair(proof, spec) : undefined;
  const isClient =
    pair !== undefined && textWithPaths(pair) === textWithPaths([client.id, ':', client.secret]);
  if (parts.some(({ name }) => name.toLowerCase() === 'authorization') || (isSet(proof) && !isClient))
    throw new UntranslatableError('a header of tokens that has something other than the client');
  return { parts, isBasic: isSet(proof) };
}

/** A request for a token as the manifest describes it. */
interface Request {
  tokenUrl: string;
  client: Client;
  /** Parts in addition to grant, client and refresh token. */
  parts: TokenPart[];
  names: Names;
  /** Whether a header has the client. */
  isBasic: boolean;
}

/** Returns the name of a member that changes the request in a way that a kind of OAuth has not; undefined without one. */
function ownNameOf(authenticator: Component): string | undefined {
  const renamed = Object.entries(NAMES).find(
    ([member, name]) => (textOf(authenticator, member) || name) !== name,
  );
  const isInAddress = isSet(authenticator.send_refresh_request_as_query_params);
  return renamed?.[0] ?? (isInAddress ? 'send_refresh_request_as_query_params' : undefined);
}

const tokenPartsOf = (parts: readonly TokenPart[]) =>
  parts.length > 0 ? { tokenParts: partsOfDocument(parts) } : {};

function byRefreshToken(authenticator: Component, request: Request, spec: ConfigSpec): ImportedAccess {
  const { tokenUrl, client, parts, isBasic: hasHeader } = request;
  const updater = componentOf(authenticator, 'refresh_token_updater');
  const renewed = textOf(updater, 'refresh_token_name') || NAMES.refresh_token_name;
  const own =
    ownNameOf(authenticator) ?? (renewed === NAMES.refresh_token_name ? undefined : 'refresh_token_name');
  if (own !== undefined) throw new UntranslatableError(`a request of tokens with ${own}`);
  return {
    authentication: {
      kind: 'refresh-token',
      tokenUrl,
      scopes: [],
      ...(hasHeader && { send: 'basic' }),
      ...tokenPartsOf(parts),
    },
    fields: { client: { path: client.id }, clientSecret: { path: client.secret } },
    secret: wholePath(textOf(authenticator, 'refresh_token'), 'the refresh token', spec),
  };
}

/** Returns the access by any other grant than a refresh token; OAuth with own names is a sign-in that answers with a token. */
function byClient(authenticator: Component, request: Request, grant: string): ImportedAccess {
  const { tokenUrl, client, parts, names, isBasic: hasHeader } = request;
  if (isSet(authenticator.refresh_token))
    throw new UntranslatableError(`a refresh token with OAuth by ${grant}`);
  if (grant === 'client_credentials' && ownNameOf(authenticator) === undefined)
    return {
      authentication: {
        kind: 'client-credentials',
        tokenUrl,
        send: hasHeader ? 'basic' : 'body',
        scopes: [],
        ...tokenPartsOf(parts),
      },
      fields: { user: { path: client.id } },
      secret: client.secret,
    };
  const place = isSet(authenticator.send_refresh_request_as_query_params) ? 'query' : 'body';
  const all: TokenPart[] = [
    { in: place, name: names.grant_type_name, parts: [grant] },
    ...(hasHeader
      ? []
      : [
          { in: place, name: names.client_id_name, parts: [client.id] } as const,
          { in: place, name: names.client_secret_name, parts: [client.secret] } as const,
        ]),
    ...parts.map((part) => (part.in === 'body' ? ({ ...part, in: place } as const) : part)),
  ];
  return {
    authentication: {
      kind: 'session-token',
      tokenUrl,
      ...(hasHeader && { send: 'header' }),
      tokenParts: partsOfDocument(all),
      form: true,
      token: names.access_token_name,
    },
    ...(hasHeader && { fields: { user: { path: client.id } } }),
    secret: client.secret,
  };
}

/** Returns the scopes of a request; the CDK repeats a parameter for each one. @throws UntranslatableError */
function scopesOf(authenticator: Component): TokenPart[] {
  const scopes = Array.isArray(authenticator.scopes) ? authenticator.scopes.map(String) : [];
  if (!scopes.every((scope) => /^[\x20-\x7a|~]+$/.test(scope)))
    throw new UntranslatableError('scopes that are computed');
  return scopes.map((scope) => ({ in: 'body', name: 'scopes', parts: [scope] }));
}

/** Translates OAuth with a client of each person. @throws UntranslatableError */
export function importOAuth(authenticator: Component, spec: ConfigSpec): ImportedAccess {
  const own = ['profile_assertion', 'use_profile_assertion'].find((name) => isSet(authenticator[name]));
  if (own !== undefined) throw new UntranslatableError(`a request of tokens with ${own}`);
  const { tokenUrl, parts: search } = tokenAddress(textOf(authenticator, 'token_refresh_endpoint'));
  const grant = textOf(authenticator, 'grant_type') || 'refresh_token';
  if (!/^[A-Za-z0-9_:.-]+$/.test(grant)) throw new UntranslatableError(`OAuth by ${grant}`);
  const names = namesOf(authenticator);
  const client = {
    id: wholePath(textOf(authenticator, 'client_id'), 'the id of the client', spec),
    secret: wholePath(textOf(authenticator, 'client_secret'), 'the secret of the client', spec),
  };
  const headers = clientHeaders(componentOf(authenticator, 'refresh_request_headers') ?? {}, client, spec);
  const scopes = scopesOf(authenticator);
  // What the CDK sends itself precedes further parts of the same name.
  const known = [
    ...[names.grant_type_name, names.refresh_token_name, ...scopes.map(({ name }) => name)],
    ...(headers.isBasic ? [] : [names.client_id_name, names.client_secret_name]),
  ];
  const what = 'refresh_request_body';
  const further = partsIn(authenticator[what], { what, place: 'body', spec });
  const parts = [
    ...[...search, ...scopes, ...further.filter(({ name }) => !known.includes(name))],
    ...headers.parts,
  ];
  const request = { tokenUrl, client, parts, names, isBasic: headers.isBasic };
  return grant === 'refresh_token'
    ? byRefreshToken(authenticator, request, spec)
    : byClient(authenticator, request, grant);
}
