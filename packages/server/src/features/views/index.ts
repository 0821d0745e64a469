export { createCategory, deleteCategory, listCategories, updateCategory } from './categories.ts';
export { deleteViews } from './delete.ts';
export { downloadView, readViewPage } from './evaluate.ts';
export { restoreView, sealDeleted } from './restore.ts';
export { createView, deleteView, insertView, listViews, updateView } from './store.ts';
