export { downloadQuery, resultFile, wholeResult } from './download.ts';
export { type QueryRequest, runQuery } from './run-query.ts';
export {
  deleteSavedQueries,
  deleteSavedQuery,
  insertQuery,
  listSavedQueries,
  saveQuery,
  updateSavedQuery,
} from './saved-queries.ts';
export { checkExpression } from './to-response.ts';
