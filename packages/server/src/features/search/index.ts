export { readConversation } from './conversation.ts';
export { SEARCH_INDEX_QUEUE, startSearchIndex, workOnSearchIndex } from './index-older-records.ts';
export { nameRecords } from './name-records.ts';
export { pastEntries } from './past-entries.ts';
export { compileRecordSearch, findSearchedSet, type RecordSearch, requireSearch } from './record-search.ts';
export { searchRecords } from './search.ts';
export { SEARCH_TABLES } from './tables.ts';
export { dropSearch, prepareSearch } from './triggers.ts';
export { readValues } from './values.ts';
