import type { EndpointName } from '@datadeck/contract';
import type { FastifyRequest } from 'fastify';
import {
  findBoundShare,
  readShareSession,
  requireSharing,
  type Shared,
  shareExhausted,
} from '../../features/shares/index.ts';
import { isUsedUp } from '../../features/tokens/index.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Product } from '../product.ts';
import { setCaller } from './caller.ts';
import { tokenOf } from './session.ts';
import { setGrant } from './token-caller.ts';

const shares = new WeakMap<FastifyRequest, Shared>();

/**
 * Finds the share of the request's share session, and makes it the caller. Openings and downloads are logged, the calls of an open
 * page are not: there are a dozen of them for each opening.
 * @throws AppError unauthenticated without a valid session, sharing-off
 */
export async function requireShare(
  { context }: Product,
  request: FastifyRequest,
  name: EndpointName,
): Promise<void> {
  requireSharing(context);
  const bound = readShareSession(context, tokenOf(request) ?? '');
  const found = bound && (await findBoundShare(context, bound));
  if (!bound || !found)
    throw new AppError(
      'unauthenticated',
      'This page was open for an hour, or is not shared any more. Open its link again.',
    );
  const { shared, grant } = found;
  // Before anything is evaluated: a page that shows nothing more must cause no work.
  if (grant && name !== 'sharedPage' && isUsedUp(grant)) throw shareExhausted();
  shares.set(request, shared);
  // A member has an account with a fair queue of its own; the reader of a public link may be a stranger.
  const fairQueue = bound.kind === 'invitation' ? bound.memberId : `shares of ${shared.owner.id}`;
  setCaller(request, shared.owner, { tokenId: shared.id, fairQueue });
  if (grant && name === 'sharedDownload') setGrant(request, grant);
}

/** Returns the share that a request reads. */
export function shareOf(request: FastifyRequest): Shared {
  const shared = shares.get(request);
  if (!shared) throw new Error('the endpoint is not one of a shared page');
  return shared;
}
