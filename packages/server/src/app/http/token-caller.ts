import {
  type EndpointName,
  TOKEN_ACCESS,
  type TokenAccess,
  VIEW_TOKEN_ENDPOINTS,
  viewIdsOf,
} from '@datadeck/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { User } from '../../features/accounts/index.ts';
import { selectBoard } from '../../features/boards/index.ts';
import { fixedValues } from '../../features/shares/index.ts';
import {
  addTokenUse,
  chargeRows,
  findTokenGrant,
  isApiToken,
  isReading,
  isUsedUp,
  type TokenGrant,
  type TokenUse,
  tokenExhausted,
} from '../../features/tokens/index.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Product } from '../product.ts';
import { tokenOf } from './session.ts';

const grants = new WeakMap<FastifyRequest, TokenGrant>();
/** The views that a request's token for one view or board may read. */
const readableViews = new WeakMap<FastifyRequest, readonly string[]>();
const ORDER = ['read', 'sync', 'manage'];

/** Returns the token in the address of a feed, because feed readers send no headers; undefined for other endpoints. */
function addressToken(request: FastifyRequest, name: EndpointName | undefined): string | undefined {
  const { token } = request.query as { token?: unknown };
  return name === 'viewFeed' && typeof token === 'string' ? token : undefined;
}

/**
 * Finds the user of the request's API token and remembers what it grants; undefined without a valid one. In the address
 * of a feed, only tokens for one view are valid.
 */
export async function findTokenUser(
  product: Product,
  request: FastifyRequest,
  name?: EndpointName,
): Promise<User | undefined> {
  const token = tokenOf(request);
  const presented = token ?? addressToken(request, name);
  if (!isApiToken(presented)) return undefined;
  const found = await findTokenGrant(product.context.db, presented);
  if (!found || (token === undefined && found.grant.scope !== 'view')) return undefined;
  setGrant(request, found.grant);
  readableViews.set(request, await viewsOf(product, found.grant));
  return found.user;
}

/** Returns the ids of the views that a token for one view or board may read. */
async function viewsOf({ context }: Product, grant: TokenGrant): Promise<readonly string[]> {
  const { userId, scope, viewId, boardId } = grant;
  if (scope === 'view') return viewId === null ? [] : [viewId];
  if (scope !== 'board' || context.config.SHARING === 'off') return [];
  const board = await selectBoard(context.db, userId, boardId ?? '');
  return board ? viewIdsOf(board.tiles) : [];
}

/** Remembers the token of a request, so that the call is logged as one by it. */
export function setGrant(request: FastifyRequest, grant: TokenGrant): void {
  grants.set(request, grant);
}

/** Returns what the request's API token grants; undefined without a valid one. */
export function grantOf(request: FastifyRequest): TokenGrant | undefined {
  return grants.get(request);
}

/** Returns whether the scope of a token, other than one view or board, includes this access. */
export function allowsScope({ scope }: TokenGrant, access: TokenAccess): boolean {
  return access === 'open' || (ORDER.includes(access) && ORDER.indexOf(scope) >= ORDER.indexOf(access));
}

function forbidden(): AppError {
  return new AppError('token-forbids', 'This API token does not allow this call.');
}

/** Returns whether a request asks for a view of its token with the token's own parameters. */
function isOwnView(request: FastifyRequest): boolean {
  const { viewId = '' } = request.params as { viewId?: string };
  const query = request.query as { parameters?: unknown };
  return (readableViews.get(request) ?? []).includes(viewId) && query.parameters === undefined;
}

/**
 * Checks that the request's API token, if it has one, allows the endpoint, before anything that it names is looked up.
 * @throws AppError unauthenticated for an unknown, revoked or expired token; token-forbids; token-exhausted
 */
export function checkTokenAccess(request: FastifyRequest, name: EndpointName): void {
  const access = TOKEN_ACCESS[name];
  if (access === 'open' || !isApiToken(tokenOf(request) ?? addressToken(request, name))) return;
  const grant = grants.get(request);
  if (!grant) {
    throw new AppError('unauthenticated', 'This API token is not valid: it is unknown, revoked or expired.');
  }
  if (!isReading(grant.scope)) {
    if (!allowsScope(grant, access)) throw forbidden();
    return;
  }
  // A token with a password opens its page only, where the password is asked for.
  const isAllowed = grant.passwordHash === null && VIEW_TOKEN_ENDPOINTS.includes(name) && isOwnView(request);
  if (!isAllowed) throw forbidden();
  if (isUsedUp(grant)) throw tokenExhausted();
}

/** Returns the parameters and the budget that a token for one view or board sets for a view; undefined for all other callers. */
export async function viewLimitsOf({ context }: Product, request: FastifyRequest, viewId: string) {
  const grant = grants.get(request);
  if (!grant || !isReading(grant.scope)) return undefined;
  return {
    parameters: await fixedValues(context.db, grant.userId, { ...grant, viewId }),
    charge: (rows: number) => chargeRows(context.db, grant, rows),
  };
}

/** Status of a call whose caller left before the answer began, as proxies log it. */
const CALLER_LEFT = 499;

/** Adds a call by token to the access log of its user. */
async function recordCall(
  { context }: Product,
  request: FastifyRequest,
  use: Omit<TokenUse, 'method'>,
): Promise<void> {
  const grant = grants.get(request);
  if (!grant) return;
  await addTokenUse(context, grant, { ...use, method: request.method }).catch((error: unknown) =>
    context.log.warn({ err: error }, 'could not log a call by an API token'),
  );
}

/**
 * Returns what adds calls by token to the access log, each once: the hook `onResponse`, and `watch`, which a route calls in
 * `onRequest`. Fastify's `onResponse` does not run when the caller leaves before the end of the answer, though parts of it may
 * have been sent.
 */
export function callLog(product: Product, path: string) {
  const recorded = new WeakSet<FastifyRequest>();
  const record = async (request: FastifyRequest, { raw }: FastifyReply): Promise<void> => {
    if (recorded.has(request)) return;
    recorded.add(request);
    await recordCall(product, request, { path, status: raw.headersSent ? raw.statusCode : CALLER_LEFT });
  };
  return {
    watch: (request: FastifyRequest, reply: FastifyReply): void => {
      reply.raw.once('close', () => {
        if (!reply.raw.writableFinished) void record(request, reply);
      });
    },
    onResponse: record,
  };
}
