export { acceptInvitation, previewInvitation } from './accept.ts';
export { announceShares } from './announce-shares.ts';
export { checkShared } from './check-shared.ts';
export { copyShared } from './copy-shared.ts';
export { deleteInvitations, deleteShares } from './end-invitations.ts';
export { fixedValues } from './fixed-values.ts';
export { createInvitation, listInvitations, takeBackInvitation } from './invitations.ts';
export { downloadSharedTile, readSharedChart, readSharedRows } from './read-tiles.ts';
export {
  findBoundShare,
  readFrameAncestors,
  requireSharing,
  type Shared,
  shareEnded,
  shareExhausted,
} from './share-grant.ts';
export { openShareSession, readShareSession } from './share-sessions.ts';
export { readSharedPage } from './shared-page.ts';
export { leaveShared, listSharedWithMe, openShared, readShared } from './shared-with-me.ts';
