import { idOfDigits, isId } from '../../platform/ids.ts';

/** The ids of a shared page: its owner, and the token or invitation that opens it. */
export interface ShareOwner {
  userId: string;
  id: string;
}

/** Length of two UUIDs in base64url. */
const SHARE_LENGTH = 43;

/** Returns the ids as a part of a link. */
export function shareIdOf({ userId, id }: ShareOwner): string {
  return Buffer.from(`${userId}${id}`.replaceAll('-', ''), 'hex').toString('base64url');
}

/**
 * Returns the path of the page that a token opens. Its ids are part of the path, so that the server knows which sites may
 * show the page; its secret is in the fragment, which browsers do not send.
 */
export function sharePathOf(owner: ShareOwner, secret: string): string {
  return `/share/${shareIdOf(owner)}#${secret}`;
}

/** Returns the ids in a link; undefined for any other text, also for another spelling of the same ids. */
export function parseShareId(share: string): ShareOwner | undefined {
  if (share.length !== SHARE_LENGTH) return undefined;
  const digits = Buffer.from(share, 'base64url').toString('hex');
  const [userId, id] = [idOfDigits(digits.slice(0, 32)), idOfDigits(digits.slice(32))];
  const isSpelled = isId(userId) && isId(id) && shareIdOf({ userId, id }) === share;
  return isSpelled ? { userId, id } : undefined;
}
