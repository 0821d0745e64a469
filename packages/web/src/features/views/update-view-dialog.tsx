import { rowSearchSchema } from '@datadeck/contract';
import { zodResolver } from '@hookform/resolvers/zod';
import { useId, useMemo, useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { z } from 'zod';
import { sentenceOf } from '../../api/failure.ts';
import type { View } from '../../api/models.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { canSave } from '../../ui/form-state.ts';
import { LoadedSelect } from '../../ui/loaded-select.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toasts } from '../../ui/toast.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { draftsOf, ParameterFields, parametersOf } from '../expressions/parameter-fields.tsx';
import { type BaseDraft, basesIn, savedBases } from './base-drafts.ts';
import { BaseFields } from './base-fields.tsx';
import { useCategoriesQuery } from './categories-api.ts';
import { basesError, showFieldErrors } from './server-errors.ts';
import { defaultsOf, drawExpression, type RenderExpression, ViewFields, viewTexts } from './view-fields.tsx';
import { useUpdateViewMutation } from './views-api.ts';

const formSchema = z.object({ ...viewTexts, search: rowSearchSchema, category: z.string().nullable() });
const FIELDS = ['title', 'description', 'search', 'expression'] as const;
type Form = z.infer<typeof formSchema>;

interface UpdateViewDialogProps {
  view: View;
  /** Whether a search can select rows of the view's template. */
  isSearchable: boolean;
  renderExpression: RenderExpression;
  onClose: () => void;
}

/** The 'Update View' dialog: changes the texts, parameters and category of a view. */
export function UpdateViewDialog({ view, isSearchable, renderExpression, onClose }: UpdateViewDialogProps) {
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const formId = useId();
  const [drafts, setDrafts] = useState(() => draftsOf(view.parameters));
  const parameters = parametersOf(drafts);
  const bindings = useMemo(
    () => defaultsOf([...view.inputs, ...(parametersOf(drafts) ?? [])]),
    [view, drafts],
  );
  const [baseDrafts, setBaseDrafts] = useState<readonly BaseDraft[]>(view.bases);
  const bases = savedBases(baseDrafts, view);
  const named = useMemo(() => basesIn(baseDrafts, view), [baseDrafts, view]);
  const areRebased = JSON.stringify(bases) !== JSON.stringify(view.bases);
  const areChanged = JSON.stringify(parameters) !== JSON.stringify(view.parameters) || areRebased;
  const [updateView, { isLoading, error: failure }] = useUpdateViewMutation();
  const categories = useCategoriesQuery();
  const options = (categories.data ?? []).map(({ id, title }) => ({ value: id, label: title }));
  // Keep the view's category even if the list of categories is not loaded.
  const optionOf = (id: string) => options.find(({ value }) => value === id) ?? { value: id, label: '…' };
  const form = useForm<Form>({
    mode: 'onTouched',
    resolver: zodResolver(formSchema),
    defaultValues: {
      title: view.title,
      description: view.description,
      search: view.search,
      expression: view.expression,
      category: view.category,
    },
  });
  const isOnlyAboutParameters = areChanged && form.formState.isValid;
  // Read during rendering: react-hook-form updates only the state that a render has read.
  const { isDirty } = form.formState;

  async function save({ search, ...values }: Form) {
    if (!parameters || !bases) return;
    const { error } = await updateView({
      viewId: view.id,
      ...values,
      ...(search !== view.search && { search }),
      ...(areChanged && { parameters }),
      ...(areRebased && { bases }),
    });
    if (error) {
      showFieldErrors(error, FIELDS, form.setError);
      toasts.error('View update was unsuccessful');
      return;
    }
    toasts.success('View was updated successfully');
    onClose();
  }

  const close = useUnsaved(isDirty || areChanged, onClose);
  return (
    <Dialog
      open
      onClose={close}
      title="Update View"
      subtitle={view.title}
      footer={
        <Button
          type="submit"
          form={formId}
          variant="primary"
          busy={isLoading}
          disabled={
            !mayChange ||
            isLoading ||
            !parameters ||
            !bases ||
            !(canSave(form.formState) || isOnlyAboutParameters)
          }
          title={forbidden}
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
          search={
            (isSearchable || view.search !== '') && (
              <TextField
                label="Search"
                hint="Only records that match it. Without a search, all records of the template."
                spellCheck={false}
                error={form.formState.errors.search?.message}
                {...form.register('search')}
              />
            )
          }
          sources={
            <BaseFields
              drafts={baseDrafts}
              onChange={setBaseDrafts}
              first={{
                entityLabel: view.entityLabel,
                title: view.basedOn ? 'its base view' : view.templateKey,
              }}
              viewId={view.id}
              error={basesError(failure)}
            />
          }
          expression={
            <Controller
              name="expression"
              control={form.control}
              render={drawExpression(renderExpression, { source: view, bases: named, bindings })}
            />
          }
        />
        <ParameterFields drafts={drafts} onChange={setDrafts} />
        <Controller
          name="category"
          control={form.control}
          render={({ field }) => (
            <LoadedSelect
              label="Category"
              load={categories}
              failure="The categories could not be loaded."
              clearable
              options={options}
              value={field.value === null ? null : optionOf(field.value)}
              onChange={(option) => field.onChange(option?.value ?? null)}
              onBlur={field.onBlur}
            />
          )}
        />
      </form>
    </Dialog>
  );
}
