import type { Category, View } from '@datadeck/contract';
import { zodResolver } from '@hookform/resolvers/zod';
import { useId, useMemo, useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { z } from 'zod';
import { sentenceOf } from '../../api/failure.ts';
import { PLAN_FORBIDS, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { canSave, mayDiscard } from '../../ui/form-state.ts';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { draftsOf, ParameterFields, parametersOf } from '../../ui/parameter-fields.tsx';
import { Select } from '../../ui/select.tsx';
import { toasts } from '../../ui/toast.tsx';
import {
  defaultsOf,
  drawExpression,
  optionSchema,
  type RenderExpression,
  ViewFields,
  viewTexts,
} from './view-fields.tsx';
import { useUpdateViewMutation } from './views-api.ts';

const formSchema = z.object({ ...viewTexts, category: optionSchema.nullable() });
type Form = z.infer<typeof formSchema>;

interface UpdateViewDialogProps {
  view: View;
  categories: readonly Category[];
  renderExpression: RenderExpression;
  onClose: () => void;
}

/** 'Update': changes the texts of a view and its category. */
export function UpdateViewDialog({ view, categories, renderExpression, onClose }: UpdateViewDialogProps) {
  const mayChange = useMayChange();
  const formId = useId();
  const [drafts, setDrafts] = useState(() => draftsOf(view.parameters));
  const parameters = parametersOf(drafts);
  const bindings = useMemo(
    () => defaultsOf([...view.inputs, ...(parametersOf(drafts) ?? [])]),
    [view, drafts],
  );
  const areChanged = JSON.stringify(parameters) !== JSON.stringify(view.parameters);
  const [updateView, { isLoading, error: failure }] = useUpdateViewMutation();
  const options = categories.map(({ _id, title }) => ({ value: _id, label: title }));
  const form = useForm<Form>({
    mode: 'onTouched',
    resolver: zodResolver(formSchema),
    defaultValues: {
      title: view.title,
      description: view.description,
      jsonNataQuery: view.jsonNataQuery,
      category: options.find(({ value }) => value === view.category) ?? null,
    },
  });
  const isOnlyAboutParameters = areChanged && form.formState.isValid;
  // Read while rendering: the form only follows what a render has read.
  const { isDirty } = form.formState;

  async function save({ category, ...texts }: Form) {
    if (!parameters) return;
    const { error } = await updateView({
      viewId: view._id,
      ...texts,
      category: category?.value ?? null,
      ...(areChanged && { parameters }),
    });
    if (error) {
      toasts.error('View update was unsuccessful');
      return;
    }
    toasts.success('View was updated successfully');
    onClose();
  }

  return (
    <Dialog
      open
      onClose={() => void mayDiscard(isDirty || areChanged).then((may) => may && onClose())}
      title="Update View"
      subtitle={view.title}
      footer={
        <Button
          type="submit"
          form={formId}
          variant="primary"
          busy={isLoading}
          disabled={
            !mayChange || isLoading || !parameters || !(canSave(form.formState) || isOnlyAboutParameters)
          }
          title={mayChange ? undefined : PLAN_FORBIDS}
        >
          Save
        </Button>
      }
    >
      <form id={formId} noValidate onSubmit={form.handleSubmit(save)} className="flex flex-col gap-4">
        {failure !== undefined && <NoticeLine tone="error">{sentenceOf(failure)}</NoticeLine>}
        <ViewFields
          register={form.register}
          errors={form.formState.errors}
          expression={
            <Controller
              name="jsonNataQuery"
              control={form.control}
              render={drawExpression(renderExpression, { source: view, bindings })}
            />
          }
        />
        <ParameterFields drafts={drafts} onChange={setDrafts} />
        <Controller
          name="category"
          control={form.control}
          render={({ field }) => (
            <Select
              label="Category"
              clearable
              options={options}
              value={field.value}
              onChange={field.onChange}
              onBlur={field.onBlur}
            />
          )}
        />
      </form>
    </Dialog>
  );
}
