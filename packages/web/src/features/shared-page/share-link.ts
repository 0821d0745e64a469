import { ENDPOINTS, SHARE_LIMITS } from '@datadeck/contract';
import { callOf } from '../../api/call-of.ts';
import { unreadable } from '../../api/failure.ts';
import { request } from '../../api/request.ts';
import { type OpenShare, SHARE_REQUESTS } from './share-client.ts';

/** The parts of a link `/share/{share}#{secret}`. */
export interface ShareLink {
  share: string;
  secret: string;
}

/** Characters of the parts of a link; what a mail or a chat adds or cuts is no part of them. */
const PART = /^[\w-]+$/;

const isPart = (text: string) => PART.test(text) && text.length <= SHARE_LIMITS.linkPart;

/** Returns the parts of the address of a shared page; null if it is not complete. */
export function parseShareLink({ pathname, hash }: Pick<Location, 'pathname' | 'hash'>): ShareLink | null {
  const [, folder, share = '', ...rest] = pathname.split('/');
  const secret = hash.slice(1);
  const isComplete = folder === 'share' && rest.length === 0 && isPart(share) && isPart(secret);
  return isComplete ? { share, secret } : null;
}

/** Returns what opens the page of a link. */
export function openerOf(link: ShareLink): OpenShare {
  return async (password) => {
    const body = { ...link, ...(password !== undefined && { password }) };
    const { data, error } = await request(callOf('openShare', { body }), SHARE_REQUESTS);
    if (error) throw error;
    const session = ENDPOINTS.openShare.response.safeParse(data);
    if (!session.success) throw unreadable(session.error.message);
    return session.data;
  };
}
