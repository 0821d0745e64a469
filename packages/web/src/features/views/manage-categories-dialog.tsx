import { Pencil, Tags, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { causeOf } from '../../api/failure.ts';
import type { Category } from '../../api/models.ts';
import { useMayChange } from '../../api/permission.ts';
import { classNames } from '../../ui/class-names.ts';
import { confirmDeletion } from '../../ui/confirmation.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { ListSearchBox, useListSearch } from '../../ui/list-search.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { toasts } from '../../ui/toast.tsx';
import { useCategoriesQuery, useDeleteCategoryMutation } from './categories-api.ts';
import { CategoryFormDialog } from './category-form-dialog.tsx';

/** Renames and deletes categories. Deleting a category keeps its views. */
export function ManageCategoriesDialog({ onClose }: { onClose: () => void }) {
  const mayChange = useMayChange();
  const { data: categories = [], error, isFetching, refetch } = useCategoriesQuery();
  const { shown, box } = useListSearch(categories, ({ title }) => title);
  const [renaming, setRenaming] = useState<Category | null>(null);
  const [deleteCategory] = useDeleteCategoryMutation();
  async function askDelete({ id, title }: Category) {
    if (
      !(await confirmDeletion(
        'Delete category',
        `The category "${title}" will be deleted. Its views are kept.`,
      ))
    )
      return;
    const { error: failure } = await deleteCategory(id);
    if (failure) toasts.error('Category could not be deleted');
  }
  return (
    <Dialog open size="sm" onClose={onClose} title="Categories">
      {error !== undefined && <LoadFailure sentence={causeOf(error)} busy={isFetching} onRetry={refetch} />}
      {categories.length === 0 && error === undefined && !isFetching && (
        <EmptyState
          icon={<Tags size={20} />}
          title="No categories yet"
          hint="Create one with New Category, then assign views to it with Update."
        />
      )}
      {box && <ListSearchBox label="Search categories" box={box} />}
      <ul className={classNames('flex flex-col', box && 'mt-2 min-h-64')}>
        {shown.map((category) => (
          <li key={category.id} className="flex items-center gap-1 border-b py-1.5 last:border-b-0">
            <span title={category.title} className="min-w-0 flex-1 truncate text-13">
              {category.title}
            </span>
            <IconButton
              label={`Rename ${category.title}`}
              icon={<Pencil size={14} />}
              disabled={!mayChange}
              onClick={() => setRenaming(category)}
            />
            <IconButton
              label={`Delete ${category.title}`}
              icon={<Trash2 size={14} />}
              disabled={!mayChange}
              onClick={() => void askDelete(category)}
            />
          </li>
        ))}
        {box && shown.length === 0 && (
          <li className="py-2 text-13 text-ink-3">No category matches the search.</li>
        )}
      </ul>
      {renaming && <CategoryFormDialog category={renaming} onClose={() => setRenaming(null)} />}
    </Dialog>
  );
}
