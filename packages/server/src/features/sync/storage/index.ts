export { type BackfillOptions, backfill } from './backfill.ts';
export { type LoggedRun, type LoggedSource, readChange, readChanges, readVersions } from './changes.ts';
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
export { hasLegacy } from './legacy.ts';
export { countUnprepared, extractionsOf, requirePrepared } from './prepared.ts';
export { type DataVersion, dataVersion, exampleRecords, overRecords } from './read.ts';
export { isRecordOf, prepareRecordTables, tableOf } from './record-table.ts';
export { NO_REMOVAL, type Removal, removeRecords, removeUnseen, trimScope } from './remove.ts';
export { countScope, countWithinHorizon, idsInScope, oldestInScope } from './scope.ts';
export { countAtEnd, countSeen, forgetSeen, noteSeen, oldestSeen } from './seen.ts';
export type { RecordSource, StoredEntity, WriteTarget } from './source.ts';
export { textArray } from './text-array.ts';
export { forgetUndo, undoSync } from './undo.ts';
export { growVersion, type StagedRecords, stageRecords, type WriteCounts, writeRecords } from './write.ts';
