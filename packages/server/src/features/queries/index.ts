export { runQuery } from './run-query.ts';
export {
  deleteSavedQueries,
  deleteSavedQuery,
  listSavedQueries,
  saveQuery,
  updateSavedQuery,
} from './saved-queries.ts';
