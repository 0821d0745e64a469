import { zodResolver } from '@hookform/resolvers/zod';
import { useId, useMemo, useState } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { sentenceOf } from '../../api/failure.ts';
import type { View } from '../../api/models.ts';
import { useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { canSave } from '../../ui/form-state.ts';
import { LoadedSelect } from '../../ui/loaded-select.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toasts } from '../../ui/toast.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { type ParameterDraft, ParameterFields, parametersOf } from '../expressions/parameter-fields.tsx';
import { type BaseDraft, basesIn, savedBases } from './base-drafts.ts';
import { BaseFields } from './base-fields.tsx';
import { basesError, showFieldErrors } from './server-errors.ts';
import {
  defaultsOf,
  drawExpression,
  optionSchema,
  type RenderExpression,
  ViewFields,
  viewTexts,
} from './view-fields.tsx';
import { useCreateViewMutation, useViewsQuery } from './views-api.ts';

const formSchema = z.object({
  ...viewTexts,
  basedOn: optionSchema.nullable().refine((option) => option !== null, 'Required'),
});
const FIELDS = ['title', 'description', 'expression', 'basedOn'] as const;
type Form = z.input<typeof formSchema>;
type CheckedForm = z.output<typeof formSchema>;

const optionOf = ({ id, title }: View) => ({ value: id, label: title });

interface CreateViewDialogProps {
  provider: { value: string; label: string };
  entity: { value: string; label: string };
  /** The selected view, offered as the base of the new one. */
  selected?: View | undefined;
  renderExpression: RenderExpression;
  onClose: () => void;
  onCreated: (view: View) => void;
}

/** The 'New View' dialog: creates a view that builds on another view of the same entity. */
export function CreateViewDialog({
  provider,
  entity,
  selected,
  renderExpression,
  onClose,
  onCreated,
}: CreateViewDialogProps) {
  const mayChange = useMayChange();
  const formId = useId();
  const load = useViewsQuery({ providerId: provider.value, entityLabel: entity.value });
  const views = load.data ?? [];
  const [drafts, setDrafts] = useState<ParameterDraft[]>([]);
  const parameters = parametersOf(drafts);
  const [createView, { isLoading, error: failure }] = useCreateViewMutation();
  const form = useForm<Form, unknown, CheckedForm>({
    mode: 'onTouched',
    resolver: zodResolver(formSchema),
    defaultValues: {
      title: '',
      description: '',
      expression: '',
      basedOn: selected ? optionOf(selected) : null,
    },
  });
  // Read during rendering: react-hook-form updates only the state that a render has read.
  const { isDirty } = form.formState;

  const chosen = useWatch({ control: form.control, name: 'basedOn' });
  const base = views.find(({ id }) => id === chosen?.value);
  const [baseDrafts, setBaseDrafts] = useState<BaseDraft[]>([]);
  const first = useMemo(
    () =>
      base && {
        providerId: provider.value,
        entityLabel: entity.value,
        templateKey: '',
        basedOn: base.id,
        search: '',
      },
    [base, provider.value, entity.value],
  );
  const bases = savedBases(baseDrafts, first);
  const named = useMemo(() => basesIn(baseDrafts, first), [baseDrafts, first]);
  const bindings = useMemo(
    () => defaultsOf([...(base?.inputs ?? []), ...(parametersOf(drafts) ?? [])]),
    [base, drafts],
  );

  async function save({ basedOn, ...texts }: CheckedForm) {
    if (!parameters || !bases) return;
    const { data, error } = await createView({
      ...texts,
      templateKey: '',
      category: '',
      basedOn: basedOn.value,
      providerId: provider.value,
      entityLabel: entity.value,
      ...(parameters.length > 0 && { parameters }),
      ...(bases.length > 0 && { bases }),
    });
    if (error) {
      showFieldErrors(error, FIELDS, form.setError);
      toasts.error('View creation was unsuccessful');
      return;
    }
    toasts.success('View was created successfully');
    onClose();
    onCreated(data);
  }

  const close = useUnsaved(isDirty || drafts.length > 0 || baseDrafts.length > 0, onClose);
  return (
    <Dialog
      open
      onClose={close}
      title="New View"
      footer={
        <Button
          type="submit"
          form={formId}
          variant="primary"
          busy={isLoading}
          disabled={!mayChange || isLoading || !parameters || !bases || !canSave(form.formState)}
        >
          Save
        </Button>
      }
    >
      <form id={formId} noValidate onSubmit={form.handleSubmit(save)} className="flex flex-col gap-4">
        {failure !== undefined && <NoticeLine tone="error">{sentenceOf(failure)}</NoticeLine>}
        {load.data?.length === 0 && (
          <NoticeLine tone="info">
            A view builds on another one. Save the first one on the Query screen with Save as View.
          </NoticeLine>
        )}
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField label="Provider" value={provider.label} readOnly />
          <TextField label="Entity" value={entity.label} readOnly />
        </div>
        <Controller
          name="basedOn"
          control={form.control}
          render={({ field, fieldState }) => (
            <LoadedSelect
              label="Based On"
              required
              load={load}
              failure="The views could not be loaded."
              startsFocused={!selected}
              options={views.map(optionOf)}
              value={field.value}
              onChange={field.onChange}
              onBlur={field.onBlur}
              error={fieldState.error?.message}
            />
          )}
        />
        <ViewFields
          register={form.register}
          errors={form.formState.errors}
          sources={
            <BaseFields
              drafts={baseDrafts}
              onChange={setBaseDrafts}
              first={{ entityLabel: entity.value, title: base?.title ?? '' }}
              error={basesError(failure)}
            />
          }
          expression={
            <Controller
              name="expression"
              control={form.control}
              render={drawExpression(renderExpression, {
                source: base && { ...base, basedOn: base.id },
                bases: named,
                bindings,
              })}
            />
          }
        />
        <ParameterFields drafts={drafts} onChange={setDrafts} />
      </form>
    </Dialog>
  );
}
