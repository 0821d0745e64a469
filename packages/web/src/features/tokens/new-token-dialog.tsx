import { type CreateToken, createTokenSchema, TOKEN_SCOPES } from '@datadeck/contract';
import { zodResolver } from '@hookform/resolvers/zod';
import { useId, useState } from 'react';
import { Controller, type UseFormReturn, useForm, useWatch } from 'react-hook-form';
import { sentenceOf } from '../../api/failure.ts';
import type { View } from '../../api/models.ts';
import { useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { canSave } from '../../ui/form-state.ts';
import { LoadedSelect, type OptionsLoad } from '../../ui/loaded-select.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { CONTROL, TextField } from '../../ui/text-field.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { ParameterInputs } from '../expressions/parameter-inputs.tsx';
import { givenParameters } from '../expressions/parameter-value.ts';
import { CreatedTokenView } from './created-token-view.tsx';
import { SCOPE_WORDS } from './scope-words.ts';
import { useCreateTokenMutation } from './tokens-api.ts';

/** Offered lifetimes, days. */
const LIFETIMES = [7, 30, 90, 366];

/** A board is shared on its own page: its token is for people. */
const OFFERED_SCOPES = TOKEN_SCOPES.filter((scope) => scope !== 'board');

export interface TokenViews {
  views: readonly View[];
  load: OptionsLoad;
}

type Form = UseFormReturn<CreateToken>;

function ScopeChoice({ form }: { form: Form }) {
  const id = useId();
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 text-13 font-medium text-ink-2">What it allows</legend>
      {OFFERED_SCOPES.map((scope) => (
        <label
          key={scope}
          className="flex cursor-pointer items-start gap-2.5 rounded-sm border px-3 py-2 has-checked:border-accent has-checked:bg-accent-soft"
        >
          <input
            type="radio"
            value={scope}
            aria-describedby={`${id}-${scope}`}
            className="mt-0.75 accent-accent"
            {...form.register('scope')}
          />
          <span className="min-w-0 text-13">
            <span className="font-medium">{SCOPE_WORDS[scope].title}</span>
            <span id={`${id}-${scope}`} className="block text-12 text-ink-2">
              {SCOPE_WORDS[scope].meaning}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface ViewFieldsProps extends TokenViews {
  form: Form;
  /** Texts of the fixed parameters, by name. */
  texts: Readonly<Record<string, string>>;
  onText: (name: string, text: string) => void;
}

/** The view of a token for one view, its fixed parameters and its rows. */
function ViewFields({ form, views, load, texts, onText }: ViewFieldsProps) {
  const options = views.map(({ id, title }) => ({ value: id, label: title }));
  const chosen = useWatch({ control: form.control, name: 'viewId' });
  const inputs = views.find(({ id }) => id === chosen)?.inputs ?? [];
  const { errors } = form.formState;
  return (
    <div className="flex flex-col gap-4 rounded-sm bg-sunken p-3">
      <Controller
        control={form.control}
        name="viewId"
        render={({ field }) => (
          <LoadedSelect
            label="View"
            required
            load={load}
            failure="The views could not be loaded"
            placeholder="Select a view"
            options={options}
            value={options.find(({ value }) => value === field.value) ?? null}
            onChange={(option) => field.onChange(option?.value)}
            onBlur={field.onBlur}
            error={errors.viewId?.message}
          />
        )}
      />
      {inputs.length > 0 && <ParameterInputs parameters={inputs} texts={texts} onText={onText} />}
      <TextField
        label="Rows in all"
        required
        inputMode="numeric"
        hint="Each row that the token reads counts. A call beyond this number is refused."
        error={errors.rowBudget?.message}
        {...form.register('rowBudget', { valueAsNumber: true })}
      />
    </div>
  );
}

interface NewTokenDialogProps extends TokenViews {
  onClose: () => void;
}

/** The 'New token' dialog: creates an API token and shows it once. */
export function NewTokenDialog({ views, load, onClose }: NewTokenDialogProps) {
  const mayChange = useMayChange();
  const formId = useId();
  const [create, creating] = useCreateTokenMutation();
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const form = useForm<CreateToken>({
    mode: 'onTouched',
    // The fields of a view leave the form with their scope.
    shouldUnregister: true,
    resolver: zodResolver(createTokenSchema),
    defaultValues: { name: '', scope: 'read', expiresInDays: 90 },
  });
  const { isDirty, errors } = form.formState;
  const scope = useWatch({ control: form.control, name: 'scope' });
  const close = useUnsaved(isDirty && creating.data === undefined, onClose);

  async function submit(values: CreateToken) {
    const view = views.find(({ id }) => id === values.viewId);
    const parameters =
      values.scope === 'view' ? givenParameters(view?.inputs ?? [], (name) => texts[name] ?? '') : undefined;
    await create(parameters === undefined ? values : { ...values, parameters });
  }

  if (creating.data) return <CreatedTokenView created={creating.data} onClose={onClose} />;
  return (
    <Dialog
      open
      onClose={close}
      title="New token"
      subtitle="For a script, an assistant or another program"
      footer={
        <Button
          type="submit"
          form={formId}
          variant="primary"
          busy={creating.isLoading}
          disabled={!mayChange || creating.isLoading || !canSave(form.formState)}
        >
          Create token
        </Button>
      }
    >
      <form id={formId} noValidate onSubmit={form.handleSubmit(submit)} className="flex flex-col gap-4">
        {creating.error !== undefined && <NoticeLine tone="error">{sentenceOf(creating.error)}</NoticeLine>}
        <TextField
          label="Name"
          required
          data-autofocus
          maxLength={50}
          placeholder="Backup script"
          hint="Shown in the access log"
          error={errors.name?.message}
          {...form.register('name')}
        />
        <ScopeChoice form={form} />
        {scope === 'view' && (
          <ViewFields
            form={form}
            views={views}
            load={load}
            texts={texts}
            onText={(name, text) => setTexts((known) => ({ ...known, [name]: text }))}
          />
        )}
        <Field label="Expires after">
          {({ id }) => (
            <select
              id={id}
              className={`${CONTROL} h-8 touch:h-10 bg-surface!`}
              {...form.register('expiresInDays', { valueAsNumber: true })}
            >
              {LIFETIMES.map((days) => (
                <option key={days} value={days}>
                  {days === 366 ? '1 year' : `${days} days`}
                </option>
              ))}
            </select>
          )}
        </Field>
      </form>
    </Dialog>
  );
}
