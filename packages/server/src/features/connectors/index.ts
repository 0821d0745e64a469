export { checkText, requireNoProblems, type ServerRules } from './check-document.ts';
export { CONNECTOR_CLIENTS, listClientIds, readClient, storeClient } from './clients.ts';
export { deleteConnector, dropConnector, listDeleted, listUsersOf } from './delete-connector.ts';
export { discardDraft, listConnectors, readConnector, saveDraft } from './drafts.ts';
export { forgetResultsOf, type PublishDependencies, publishDraft, restoreVersion } from './publish.ts';
export {
  listDeletedKeys,
  listKnownEntities,
  listPublished,
  type PublishedConnector,
  readStamp,
} from './published.ts';
export { deleteOldRecordings } from './recordings.ts';
export { startAddress } from './start-address.ts';
export { allowedHosts, proveDraft, tryDraft } from './try-draft.ts';
export { setWithdrawn } from './withdraw.ts';
