import { type InvitationLink, SHARE_LIMITS } from '@datadeck/contract';

/** Characters of the parts of a link; what a mail or a chat adds or cuts is no part of them. */
const LINK = /^#([\w-]+)\.([\w-]+)$/;

/** Returns the parts of the fragment of an invitation's address; null if it is not complete. */
export function parseInvitationLink(hash: string): InvitationLink | null {
  const [, invitation, secret] = LINK.exec(hash) ?? [];
  if (invitation === undefined || secret === undefined) return null;
  const isTooLong = Math.max(invitation.length, secret.length) > SHARE_LIMITS.linkPart;
  return isTooLong ? null : { invitation, secret };
}
