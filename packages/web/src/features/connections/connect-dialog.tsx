import {
  type Account,
  type ConnectField,
  type ConnectForm,
  checkConnectValues,
  isSecret,
} from '@datadeck/contract';
import { useId, useState } from 'react';
import { type Control, Controller, type Resolver, useForm } from 'react-hook-form';
import { errorOf, sentenceOf } from '../../api/failure.ts';
import type { Provider } from '../../api/models.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { canSave } from '../../ui/form-state.ts';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { accountName } from './account-name.ts';
import { announceAccount } from './announce-account.ts';
import { useConnectMutation } from './connections-api.ts';
import { ExternalLink } from './external-link.tsx';

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
              required={declared.required}
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
            required={declared.required}
            type={isSecret(declared) ? 'password' : 'text'}
            autoCapitalize="off"
            autoComplete={isSecret(declared) ? 'new-password' : 'off'}
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

/** Explains how to obtain the credentials, with links to the provider's pages. */
function Introduction({ intro, links }: Pick<ConnectForm, 'intro' | 'links'>) {
  if (intro.length === 0 && links.length === 0) return null;
  return (
    <div className="flex flex-col gap-2 text-13 text-ink-2">
      {intro.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      {links.length > 0 && (
        <p className="flex flex-wrap gap-x-4 gap-y-1">
          {links.map((link) => (
            <ExternalLink key={link.url} {...link} />
          ))}
        </p>
      )}
    </div>
  );
}

interface PresetChoiceProps {
  form: Pick<ConnectForm, 'presetLabel' | 'presets'>;
  onChoose: (values: Values) => void;
}

/** Chooses a preset, which fills in fields, and shows its note and link. */
function PresetChoice({ form: { presetLabel, presets }, onChoose }: PresetChoiceProps) {
  const [chosen, setChosen] = useState<string>();
  const preset = presets.find(({ label }) => label === chosen);
  const options = presets.map(({ label }) => ({ value: label, label }));
  if (presets.length === 0) return null;
  return (
    <div className="flex flex-col gap-2">
      <Select
        label={presetLabel}
        placeholder="Choose"
        options={options}
        value={options.find(({ value }) => value === chosen) ?? null}
        onChange={(option) => {
          setChosen(option?.value);
          onChoose(presets.find(({ label }) => label === option?.value)?.values ?? {});
        }}
      />
      {preset && (preset.note !== '' || preset.link) && (
        <NoticeLine tone="info">
          {preset.note} {preset.link && <ExternalLink {...preset.link} />}
        </NoticeLine>
      )}
    </div>
  );
}

const NO_FORM: Pick<ConnectForm, 'intro' | 'links' | 'presetLabel' | 'presets' | 'fields'> = {
  intro: [],
  links: [],
  presetLabel: '',
  presets: [],
  fields: [],
};

interface ConnectDialogProps {
  provider: Provider;
  /** The account to connect again. */
  account?: Account | undefined;
  /** Whether the form is to connect another account. */
  isAddition?: boolean | undefined;
  onClose: () => void;
}

/** Returns the values of the account that was connected first, as the server fills them in, with the name of the wanted account. */
function startValues({ provider, account, isAddition }: ConnectDialogProps): Values {
  const names = new Set(provider.accounts.map((one) => one.account));
  const isOther = account !== undefined || isAddition;
  const startOf = (value: string) => (isOther && names.has(value) ? (account?.account ?? '') : value);
  const fields = provider.form?.fields ?? [];
  return Object.fromEntries(fields.map(({ name, defaultValue }) => [name, startOf(defaultValue)]));
}

/** Connects a provider with a form, e.g. for a server and a password, or for a token. */
export function ConnectDialog(props: ConnectDialogProps) {
  const { provider, account, isAddition = false, onClose } = props;
  const { key, title, form: declared = NO_FORM } = provider;
  const { fields } = declared;
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const formId = useId();
  const [connect, { isLoading }] = useConnectMutation();
  const [failure, setFailure] = useState<string>();
  const form = useForm<Values>({
    mode: 'onTouched',
    resolver: resolverOf(fields),
    defaultValues: startValues(props),
  });
  // Read during rendering: react-hook-form updates only the state that a render has read.
  const { isDirty, errors } = form.formState;
  // Allow another attempt with the same values after a server error, which may be temporary.
  const found = Object.values(errors);
  const isRefused = found.length > 0 && found.every((error) => error?.type === 'server');
  const close = useUnsaved(isDirty, onClose);

  async function submit(values: Values) {
    setFailure(undefined);
    const { data, error } = await connect({ provider: key, values });
    if (data) {
      // The card shows the account that the form was opened for.
      const expected = account?.account ?? provider.connection?.account;
      if (isAddition || (data.isKnown && data.account !== expected)) announceAccount(data, provider.accounts);
      return onClose();
    }
    const wrong = Object.entries(errorOf(error)?.fields ?? {});
    for (const [name, message] of wrong) form.setError(name, { type: 'server', message });
    if (wrong.length === 0) setFailure(sentenceOf(error));
  }

  return (
    <Dialog
      open
      size="sm"
      onClose={close}
      title={isAddition ? `Connect another account of ${title}` : `Connect ${title}`}
      {...(account && { subtitle: accountName(account) })}
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
        <Introduction {...declared} />
        <PresetChoice
          form={declared}
          onChoose={(values) => {
            for (const [name, value] of Object.entries(values))
              form.setValue(name, value, { shouldDirty: true, shouldValidate: true });
          }}
        />
        {fields.map((field, index) => (
          <ConnectInput key={field.name} field={field} control={form.control} isFirst={index === 0} />
        ))}
        {failure !== undefined && <NoticeLine tone="error">{failure}</NoticeLine>}
      </form>
    </Dialog>
  );
}
