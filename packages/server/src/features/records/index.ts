export {
  countPreImages,
  countRecordsBefore,
  type DerivedRows,
  type RecordsBefore,
  withRecordsBefore,
} from './as-of.ts';
export { type FoundAttachment, fetchAttachment, findAttachment } from './attachments.ts';
export { readEntitySizes, readTableSizes } from './disk-use.ts';
export { exampleRecords } from './example-records.ts';
export { exportRecords } from './export.ts';
export { safeFileName } from './file-name.ts';
export { findRecord } from './find-record.ts';
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
export { type OpenRecords, openRecords } from './open-records.ts';
export { countUnprepared, requirePrepared, type SourceState, sourceStates } from './prepared.ts';
export { type BackfillOptions, backfill } from './re-extract.ts';
export { type DataVersion, dataVersion } from './read.ts';
export { readRecord } from './record-display.ts';
export {
  accountOf,
  accountsOf,
  connectionIdsOf,
  documentOf,
  findRecordSet,
  isNewestCopy,
  isRecordIn,
  matchesKey,
  orderedRecordsOf,
  type RecordSet,
  recordSetOf,
  type ShownAccount,
  sameAccounts,
  withRecords,
} from './record-set.ts';
export {
  dropRecordTable,
  fitsStoredTable,
  isEmptyTable,
  isOfType,
  isRecordOf,
  type KnownTable,
  prepareRecordTables,
  readRecordTable,
  recordTables,
  recreateRecordTable,
  tableOf,
} from './record-table.ts';
export { openRecordsFor, type RecordRequest } from './records-for.ts';
export { NO_REMOVAL, type Removal, removeRecords, removeUnlisted, trimScope } from './remove.ts';
export {
  countByScope,
  countScope,
  countWithinHorizon,
  idsInScope,
  type MergedScopes,
  oldestInScope,
  renameScope,
} from './scope.ts';
export type { RecordSource, StoredEntity, WriteTarget } from './source.ts';
export { storedReader } from './stored-reader.ts';
export { textArray } from './text-array.ts';
export { deleteUndoLog, undoSync } from './undo.ts';
export { type LoggedRun, type LoggedSource, readChange, readChanges, readVersions } from './undo-log.ts';
export { bumpVersion, type WriteCounts, type WrittenPage, writePage, writeRecords } from './write.ts';
