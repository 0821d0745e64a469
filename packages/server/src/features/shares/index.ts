export { checkShared } from './check-shared.ts';
export { downloadSharedTile, readSharedChart, readSharedRows } from './read-tiles.ts';
export {
  findSharedToken,
  readFrameAncestors,
  requireSharing,
  type Shared,
  sharedOfToken,
  shareEnded,
  shareExhausted,
} from './share-grant.ts';
export { openShareSession, readShareSession } from './share-sessions.ts';
export { readSharedPage } from './shared-page.ts';
