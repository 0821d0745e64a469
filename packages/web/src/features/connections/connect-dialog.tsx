import { type ConnectField, checkConnectValues } from '@datadeck/contract';
import { useId, useState } from 'react';
import { type Control, Controller, type Resolver, useForm } from 'react-hook-form';
import { errorOf, sentenceOf } from '../../api/failure.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import type { Provider } from '../../api/wire.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { canSave } from '../../ui/form-state.ts';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { useConnectMutation } from './connections-api.ts';

type Values = Record<string, string>;

function resolverOf(fields: readonly ConnectField[]): Resolver<Values> {
  return (given) => {
    const { values, errors } = checkConnectValues(fields, given);
    const wrong = Object.entries(errors).map(([name, message]) => [name, { type: 'check', message }]);
    return wrong.length === 0 ? { values, errors: {} } : { values: {}, errors: Object.fromEntries(wrong) };
  };
}

interface ConnectInputProps {
  field: ConnectField;
  control: Control<Values>;
  isFirst: boolean;
}

/** One field of the form. */
function ConnectInput({ field: declared, control, isFirst }: ConnectInputProps) {
  const { name, label, type, options, placeholder, tip } = declared;
  return (
    <Controller
      name={name}
      control={control}
      render={({ field, fieldState }) => {
        const shown = fieldState.isTouched || fieldState.isDirty || fieldState.error?.type === 'server';
        const error = shown ? fieldState.error?.message : undefined;
        if (type === 'choice')
          return (
            <Select
              label={label}
              options={options}
              value={options.find(({ value }) => value === field.value) ?? null}
              onChange={(option) => field.onChange(option?.value ?? '')}
              onBlur={field.onBlur}
              error={error}
            />
          );
        return (
          <TextField
            {...field}
            label={label}
            type={type}
            autoCapitalize="off"
            autoComplete={type === 'password' ? 'new-password' : 'off'}
            spellCheck={false}
            placeholder={placeholder}
            error={error}
            {...(tip !== '' && { hint: tip })}
            {...(isFirst && { 'data-autofocus': true })}
          />
        );
      }}
    />
  );
}

/** Connects a provider without a consent page, with a form for its server and credentials. */
export function ConnectDialog({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const { key, title, connectFields: fields = [] } = provider;
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const formId = useId();
  const [connect, { isLoading }] = useConnectMutation();
  const [failure, setFailure] = useState<string>();
  const form = useForm<Values>({
    mode: 'onTouched',
    resolver: resolverOf(fields),
    defaultValues: Object.fromEntries(fields.map(({ name, defaultValue }) => [name, defaultValue])),
  });
  // Read during rendering: react-hook-form updates only the state that a render has read.
  const { isDirty, errors } = form.formState;
  // Allow another attempt with the same values after a server error, which may be temporary.
  const found = Object.values(errors);
  const isRefused = found.length > 0 && found.every((error) => error?.type === 'server');
  const close = useUnsaved(isDirty, onClose);

  async function submit(values: Values) {
    setFailure(undefined);
    const { error } = await connect({ provider: key, values });
    if (!error) return onClose();
    const wrong = Object.entries(errorOf(error)?.fields ?? {});
    for (const [name, message] of wrong) form.setError(name, { type: 'server', message });
    if (wrong.length === 0) setFailure(sentenceOf(error));
  }

  return (
    <Dialog
      open
      size="sm"
      onClose={close}
      title={`Connect ${title}`}
      footer={
        <Button
          type="submit"
          form={formId}
          variant="primary"
          busy={isLoading}
          disabled={!mayChange || isLoading || !(isRefused || canSave(form.formState))}
          title={forbidden}
        >
          Connect
        </Button>
      }
    >
      <form id={formId} noValidate onSubmit={form.handleSubmit(submit)} className="flex flex-col gap-4">
        {fields.map((field, index) => (
          <ConnectInput key={field.name} field={field} control={form.control} isFirst={index === 0} />
        ))}
        {failure !== undefined && <NoticeLine tone="error">{failure}</NoticeLine>}
      </form>
    </Dialog>
  );
}
