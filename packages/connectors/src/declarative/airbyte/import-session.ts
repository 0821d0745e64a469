import { BASIC_PART } from '../repeated-parts.ts';
import { type Component, componentOf, textOf } from './component.ts';
import { basicPair, type ConfigSpec, isPath, partsOf, pathsIn, wholePath } from './config-text.ts';
import { addressOf, requesterMethodOf } from './import-address.ts';
import type { AccessField, ImportedAccess } from './imported-access.ts';
import { readDuration } from './jinja/dates.ts';
import { UntranslatableError } from './jinja/untranslatable-error.ts';
import { keyPlace } from './key-place.ts';
import { requireTranslatable } from './refused-members.ts';
import {
  bodyOf,
  headersIn,
  partsIn,
  partsOfDocument,
  type TokenPart,
  tokenAddress,
} from './token-request.ts';

const DAY_MS = 86_400_000;
/** Bounds of the time after which a token is renewed, s. */
const [LEAST_S, MOST_S] = [60, 31_536_000];

/** Path of a field of an answer. */
const TOKEN_PATH = /^[A-Za-z_]\w{0,60}(?:\.[\w-]{1,60}){0,5}$/;

/** How the request of a sign-in proves an identity. */
interface LoginProof {
  parts: TokenPart[];
  /** Basic: the secret is the password. */
  basic?: { user: AccessField; secret: readonly string[] };
}

/** Returns the proof of a sign-in's own authenticator. @throws UntranslatableError */
function proofOf(authenticator: Component = {}, spec: ConfigSpec): LoginProof {
  const keyOf = (what: string) => partsOf(textOf(authenticator, 'api_token').trimEnd(), what, spec);
  switch (authenticator.type) {
    case undefined:
    case 'NoAuth':
      return { parts: [] };
    case 'BasicHttpAuthenticator': {
      const user = textOf(authenticator, 'username');
      return {
        parts: [],
        basic: {
          user: user.includes('{')
            ? { path: wholePath(user, 'the user', spec) }
            : { name: 'user', initial: user },
          secret: wholePath(textOf(authenticator, 'password'), 'the password', spec),
        },
      };
    }
    case 'BearerAuthenticator':
      return { parts: [{ in: 'header', name: 'Authorization', parts: ['Bearer ', ...keyOf('the token')] }] };
    case 'ApiKeyAuthenticator':
      return { parts: [{ ...keyPlace(authenticator), parts: keyOf('the API key') }] };
    default:
      throw new UntranslatableError(`the sign-in ${String(authenticator.type)} of a sign-in`);
  }
}

/** Returns the proof of a sign-in and its other headers; a header that is Basic is a proof, too. @throws UntranslatableError */
function loginProof(login: Component, spec: ConfigSpec): LoginProof & { headers: unknown } {
  const own = proofOf(componentOf(login, 'authenticator'), spec);
  const { Authorization: header, ...headers } = componentOf(login, 'request_headers') ?? {};
  const [user, colon, secret, ...more] = (typeof header === 'string' && basicPair(header, spec)) || [];
  if (!isPath(user) || colon !== ':' || !isPath(secret) || more.length > 0)
    return { ...own, headers: login.request_headers };
  if (own.basic || own.parts.length > 0) throw new UntranslatableError('a sign-in with two proofs');
  return { parts: [], basic: { user: { path: user }, secret }, headers };
}

/** Returns how requests send the token. @throws UntranslatableError */
function sentToken(authenticator: Component): object {
  const sent = componentOf(authenticator, 'request_authentication') ?? {};
  if (sent.type === 'Bearer') return {};
  if (sent.type !== 'ApiKey') throw new UntranslatableError(`a token that is sent by ${String(sent.type)}`);
  const template = textOf(sent, 'api_token') || '{{ session_token }}';
  const [, prefix] = /^([\x20-\x7a|~]{0,20})\{\{\s*session_token\s*\}\}\s*$/.exec(template) ?? [];
  if (prefix === undefined) throw new UntranslatableError('a token that is sent in a text');
  const { in: place, name } = keyPlace(sent);
  return { ...(place === 'query' && { in: place }), name, prefix };
}

/** Returns the path of the token in the answer. @throws UntranslatableError */
function tokenPath(authenticator: Component): string {
  const { session_token_path: path } = authenticator;
  const steps = Array.isArray(path) ? path.map(String) : [];
  const token = steps.join('.');
  if (steps.some((step) => step.includes('.')) || !TOKEN_PATH.test(token))
    throw new UntranslatableError('the path of a token');
  return token;
}

/** Returns the seconds after which a token is renewed; undefined without such a time. @throws UntranslatableError */
function lifetimeOf(authenticator: Component): number | undefined {
  const text = textOf(authenticator, 'expiration_duration');
  if (text === '') return undefined;
  const { months, ms } = readDuration(text);
  const seconds = Math.floor((months * 28 * DAY_MS + ms) / 1000);
  return Math.min(Math.max(seconds, LEAST_S), MOST_S);
}

/** Translates a sign-in that answers with a token. @throws UntranslatableError */
export function importSession(authenticator: Component, spec: ConfigSpec): ImportedAccess {
  const login = componentOf(authenticator, 'login_requester');
  if (login?.type !== 'HttpRequester') throw new UntranslatableError(`the requester ${String(login?.type)}`);
  requireTranslatable(login);
  const decoder = componentOf(authenticator, 'decoder')?.type ?? 'JsonDecoder';
  if (decoder !== 'JsonDecoder') throw new UntranslatableError(`the decoder ${String(decoder)}`);
  const method = requesterMethodOf(login);
  const address = tokenAddress(addressOf(login));
  const proof = loginProof(login, spec);
  const body = bodyOf(login, spec);
  if (method === 'GET' && body.parts.length > 0) throw new UntranslatableError('a GET with a body');
  const parts = [
    ...address.parts,
    ...partsIn(login.request_parameters, { what: 'the parameters of the sign-in', place: 'query', spec }),
    ...headersIn(proof.headers, { what: 'the headers of the sign-in', spec, type: body.type }),
    ...proof.parts,
    ...body.parts,
  ];
  const secret =
    proof.basic?.secret ??
    pathsIn(parts.flatMap((part) => part.parts)).findLast((path) => spec.isSecret(path));
  if (!secret) throw new UntranslatableError('a sign-in without a secret');
  const expiresAfter = lifetimeOf(authenticator);
  return {
    authentication: {
      kind: 'session-token',
      tokenUrl: address.tokenUrl,
      ...(method === 'GET' && { method }),
      ...(proof.basic && { send: 'header' }),
      ...(parts.length > 0 && { tokenParts: partsOfDocument(parts, proof.basic && [BASIC_PART]) }),
      ...(method === 'POST' && body.isForm && { form: true }),
      token: tokenPath(authenticator),
      ...(expiresAfter !== undefined && { expiresAfter }),
      ...sentToken(authenticator),
    },
    ...(proof.basic && { fields: { user: proof.basic.user } }),
    secret,
  };
}
