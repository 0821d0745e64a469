export { listViewRuns } from './as-of.ts';
export {
  createCategory,
  deleteCategory,
  insertCategory,
  listCategories,
  updateCategory,
} from './categories.ts';
export { copyViews } from './copy.ts';
export { deleteViews } from './delete.ts';
export {
  checkViewValues,
  downloadView,
  feedView,
  readViewPage,
  valuesForView,
  type WatchedView,
  watchView,
} from './evaluate.ts';
export { joinedViewsOf } from './graph.ts';
export { isLasting } from './lasting-errors.ts';
export { lockViews } from './lock-views.ts';
export { parseBindings } from './parameters.ts';
export { freeTitle, insertReadyViews } from './ready-views.ts';
export { deleteView, restoreView } from './restore.ts';
export {
  createView,
  insertView,
  listAllViews,
  listViews,
  lockView,
  selectViews,
  updateView,
  viewTitles,
} from './store.ts';
export type { ViewRow } from './to-response.ts';
