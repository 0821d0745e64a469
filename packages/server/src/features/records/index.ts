export { type LoggedRun, readChange, readChanges, readVersions } from './changes.ts';
export {
  type DeletionTarget,
  deleteRecords,
  forgetSeenExcept,
  forgetSeenOfAccount,
} from './delete.ts';
export {
  type ClaimedDeletion,
  claimDeletion,
  concludeDeletion,
  isSwept,
  noteDeletion,
  prolongDeletion,
  releaseDeletion,
} from './deletions.ts';
export { refreshAllFacets } from './facets.ts';
export { countAtEnd, countSeen, forgetSeen, noteSeen, oldestSeen } from './met.ts';
export { countRecords, exampleRecords, overRecords, recordsVersion } from './read.ts';
export { NO_REMOVAL, type Removal, removeRecords, removeUnseen, trimScope } from './remove.ts';
export { countScope, countWithinHorizon, idsInScope, oldestInScope } from './scope.ts';
export {
  DocumentReader,
  documentOf,
  forgetUnusedParts,
  holdsParts,
  keepParts,
  type StoredDocument,
} from './shared-parts.ts';
export type { RecordSource, WriteTarget } from './source.ts';
export { forgetUndo, undoSync } from './undo.ts';
export { bumpVersion, stageRecords, type WriteCounts, writeRecords } from './write.ts';
