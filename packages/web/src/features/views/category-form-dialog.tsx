import { type SaveCategory, saveCategorySchema } from '@datadeck/contract';
import { zodResolver } from '@hookform/resolvers/zod';
import { useId } from 'react';
import { useForm } from 'react-hook-form';
import { sentenceOf } from '../../api/failure.ts';
import type { Category } from '../../api/models.ts';
import { useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { canSave } from '../../ui/form-state.ts';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toasts } from '../../ui/toast.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { useCreateCategoryMutation, useUpdateCategoryMutation } from './categories-api.ts';

/** Maximum length of the text box; the validation rule is stricter. */
const TITLE_BOX = 50;

interface CategoryFormDialogProps {
  /** The category to rename; absent for a new one. */
  category?: Category;
  onClose: () => void;
}

/** Creates or renames a category. */
export function CategoryFormDialog({ category, onClose }: CategoryFormDialogProps) {
  const mayChange = useMayChange();
  const formId = useId();
  const [createCategory, creating] = useCreateCategoryMutation();
  const [updateCategory, updating] = useUpdateCategoryMutation();
  const form = useForm<SaveCategory>({
    mode: 'onTouched',
    resolver: zodResolver(saveCategorySchema),
    defaultValues: { title: category?.title ?? '' },
  });
  // Read during rendering: react-hook-form updates only the state that a render has read.
  const { isDirty } = form.formState;
  const isBusy = creating.isLoading || updating.isLoading;
  const failure = creating.error ?? updating.error;

  async function save(values: SaveCategory) {
    const { error } = category
      ? await updateCategory({ id: category.id, ...values })
      : await createCategory(values);
    if (error) {
      toasts.error(category ? 'Category could not be renamed' : 'Category creation was unsuccessful');
      return;
    }
    toasts.success(category ? 'Category was renamed' : 'Category was created successfully');
    onClose();
  }

  const close = useUnsaved(isDirty, onClose);
  return (
    <Dialog
      open
      size="sm"
      onClose={close}
      // By the specification this modal has the same header as the view modal.
      title={category ? 'Rename category' : 'Create View'}
      footer={
        <Button
          type="submit"
          form={formId}
          variant="primary"
          busy={isBusy}
          disabled={!mayChange || isBusy || !canSave(form.formState)}
        >
          Save
        </Button>
      }
    >
      <form id={formId} noValidate onSubmit={form.handleSubmit(save)} className="flex flex-col gap-4">
        {failure !== undefined && <NoticeLine tone="error">{sentenceOf(failure)}</NoticeLine>}
        <TextField
          label="Title"
          required
          data-autofocus
          maxLength={TITLE_BOX}
          hint={category ? undefined : 'The name of the new category'}
          error={form.formState.errors.title?.message}
          {...form.register('title')}
        />
      </form>
    </Dialog>
  );
}
