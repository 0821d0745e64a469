export {
  createCategory,
  deleteCategory,
  insertCategory,
  listCategories,
  updateCategory,
} from './categories.ts';
export { deleteViews } from './delete.ts';
export { checkViewValues, downloadView, readViewPage } from './evaluate.ts';
export { deleteView, restoreView } from './restore.ts';
export { createView, insertView, listViews, updateView } from './store.ts';
