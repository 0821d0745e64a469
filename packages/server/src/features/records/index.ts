export { sourceOf } from './current-source.ts';
export { readEntitySizes, readTableSizes } from './disk-use.ts';
export { exportRecords } from './export.ts';
export { type LabelNames, readLabelNames } from './label-names.ts';
export { hasLegacy } from './legacy.ts';
export {
  countListed,
  countPresentAndListed,
  deleteListedIds,
  deleteListedIdsExcept,
  deleteListedIdsOfAccount,
  markListed,
  oldestListed,
} from './listed-ids.ts';
export { countUnprepared, extractionsOf, requirePrepared } from './prepared.ts';
export { type BackfillOptions, backfill } from './re-extract.ts';
export { type DataVersion, dataVersion, exampleRecords, withSourceRecords } from './read.ts';
export { readRecord } from './record-display.ts';
export {
  isRecordOf,
  prepareRecordTables,
  recordTables,
  recreateRecordTable,
  tableOf,
} from './record-table.ts';
export { NO_REMOVAL, type Removal, removeRecords, removeUnlisted, trimScope } from './remove.ts';
export { countScope, countWithinHorizon, idsInScope, oldestInScope } from './scope.ts';
export type { RecordSource, StoredEntity, WriteTarget } from './source.ts';
export { storedReader } from './stored-reader.ts';
export { textArray } from './text-array.ts';
export { deleteUndoLog, undoSync } from './undo.ts';
export { type LoggedRun, type LoggedSource, readChange, readChanges, readVersions } from './undo-log.ts';
export { bumpVersion, type WriteCounts, type WrittenPage, writePage, writeRecords } from './write.ts';
