import {
  ALERT_DIGESTS,
  type Alert,
  type AlertKind,
  alertFormSchema,
  type CheckedAlertForm,
  type AlertForm as FormValues,
  WEBHOOK_FORMATS,
} from '@datadeck/contract';
import { zodResolver } from '@hookform/resolvers/zod';
import { type ReactNode, useEffect } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { errorOf, sentenceOf } from '../../api/failure.ts';
import { RequiredMark } from '../../ui/field.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Switch } from '../../ui/switch.tsx';
import { TextArea, TextField } from '../../ui/text-field.tsx';
import { FormatChoice } from '../notifications/format-choice.tsx';
import { settingsOf } from './alert-settings.ts';
import { DIGEST_WORDS, KIND_VERBS, valuesText } from './alert-words.ts';
import { ConditionFields, NEW_CONDITION } from './condition-fields.tsx';
import { HourSelect } from './hour-select.tsx';

const NEW: FormValues = {
  kinds: ['appeared'],
  condition: null,
  digest: 'each',
  digestHour: null,
  rowText: '',
  bell: true,
  email: false,
  webhookUrl: '',
  webhookFormat: 'json',
  ntfyUrl: '',
  ntfyToken: '',
  keyField: '',
};
const FIELDS = ['email', 'webhookUrl', 'ntfyUrl', 'ntfyToken', 'keyField', 'rowText'] as const;

function valuesOf(alert: Alert | undefined): FormValues {
  if (!alert) return NEW;
  return { ...settingsOf(alert), ntfyToken: '', keyField: alert.keyField ?? '' };
}

/** A group of controls with a heading and a message. */
function Group({
  title,
  isRequired = false,
  error,
  children,
}: {
  title: string;
  /** Marks the group as one that needs a choice. */
  isRequired?: boolean;
  error?: string | undefined;
  children: ReactNode;
}) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-2 flex gap-1 text-13 font-medium">
        {title}
        {isRequired && (
          <>
            <RequiredMark />
            <span className="sr-only">(required)</span>
          </>
        )}
      </legend>
      {children}
      {error !== undefined && (
        <p role="alert" className="text-12 text-error-text">
          {error}
        </p>
      )}
    </fieldset>
  );
}

interface KindSwitchesProps {
  kinds: readonly AlertKind[];
  onChange: (kinds: AlertKind[]) => void;
}

function KindSwitches({ kinds, onChange }: KindSwitchesProps) {
  return (
    <div className="flex flex-wrap gap-x-6 gap-y-3">
      {(Object.keys(KIND_VERBS) as AlertKind[]).map((kind) => (
        <Switch
          key={kind}
          label={KIND_VERBS[kind]}
          checked={kinds.includes(kind)}
          onChange={(isChosen) =>
            onChange(isChosen ? [...kinds, kind] : kinds.filter((other) => other !== kind))
          }
        />
      ))}
    </div>
  );
}

interface AlertFormProps {
  id: string;
  /** The alert to change; undefined for a new one. */
  alert: Alert | undefined;
  /** Values of the view's parameters, as JSON. */
  parameters: string | null | undefined;
  /** The address of mails; null if this installation sends none. */
  emailAddress: string | null;
  /** Why the last attempt to save failed. */
  failure: unknown;
  onSave: (values: CheckedAlertForm) => void;
  /** Called with whether the form has unsaved input. */
  onDirty: (isDirty: boolean) => void;
}

/** What an alert watches for, how often it reports and where to. */
export function AlertForm({ id, alert, parameters, emailAddress, failure, onSave, onDirty }: AlertFormProps) {
  const form = useForm<FormValues, unknown, CheckedAlertForm>({
    mode: 'onTouched',
    resolver: zodResolver(alertFormSchema),
    defaultValues: valuesOf(alert),
  });
  const { errors, isDirty } = form.formState;
  useEffect(() => {
    onDirty(isDirty);
    return () => onDirty(false);
  }, [isDirty, onDirty]);
  const { setError } = form;
  useEffect(() => {
    const messages = errorOf(failure)?.fields ?? {};
    for (const name of FIELDS) {
      const message = messages[name];
      if (message !== undefined) setError(name, { type: 'server', message });
    }
  }, [failure, setError]);
  const isOfNumber = Boolean(useWatch({ control: form.control, name: 'condition' }));
  const digest = useWatch({ control: form.control, name: 'digest' });
  const ntfyUrl = useWatch({ control: form.control, name: 'ntfyUrl' });
  const webhookUrl = useWatch({ control: form.control, name: 'webhookUrl' });
  const values = valuesText(parameters);
  const submit = ({ ntfyToken, ...rest }: CheckedAlertForm) =>
    onSave({ ...rest, ...(ntfyToken && { ntfyToken }) });
  return (
    <form id={id} noValidate onSubmit={form.handleSubmit(submit)} className="flex flex-col gap-5">
      {failure !== undefined && <NoticeLine tone="error">{sentenceOf(failure)}</NoticeLine>}
      {values !== '' && <NoticeLine tone="info">The view is watched with {values}.</NoticeLine>}
      <Group title="Notify me when" isRequired error={errors.kinds?.message}>
        <Controller
          name="condition"
          control={form.control}
          render={({ field: { value: condition = null, onChange } }) => (
            <>
              <div>
                <Segmented
                  label="What is watched"
                  value={condition ? 'number' : 'rows'}
                  options={[
                    { value: 'rows', label: 'Rows' },
                    { value: 'number', label: 'The number' },
                  ]}
                  onChange={(what) => onChange(what === 'rows' ? null : (condition ?? NEW_CONDITION))}
                />
              </div>
              {condition && (
                <ConditionFields
                  condition={condition}
                  error={errors.condition?.value?.message}
                  onChange={onChange}
                />
              )}
            </>
          )}
        />
        {!isOfNumber && (
          <Controller
            name="kinds"
            control={form.control}
            render={({ field }) => <KindSwitches kinds={field.value} onChange={field.onChange} />}
          />
        )}
      </Group>
      <Group title="How often">
        <Controller
          name="digest"
          control={form.control}
          render={({ field }) => (
            <div>
              <Segmented
                label="How often"
                value={field.value}
                options={ALERT_DIGESTS.map((value) => ({ value, label: DIGEST_WORDS[value] }))}
                onChange={field.onChange}
              />
            </div>
          )}
        />
        {digest === 'daily' && (
          <Controller
            name="digestHour"
            control={form.control}
            render={({ field }) => <HourSelect hour={field.value ?? null} onChange={field.onChange} />}
          />
        )}
      </Group>
      <Group title="Deliver to" isRequired error={errors.bell?.message ?? errors.email?.message}>
        <Controller
          name="bell"
          control={form.control}
          render={({ field }) => <Switch label="The bell" checked={field.value} onChange={field.onChange} />}
        />
        <Controller
          name="email"
          control={form.control}
          render={({ field }) => (
            <Switch
              label={
                emailAddress === null ? 'Mail (this installation sends none)' : `Mail to ${emailAddress}`
              }
              checked={field.value}
              disabled={emailAddress === null && !field.value}
              onChange={field.onChange}
            />
          )}
        />
        <TextField
          label="Webhook"
          type="url"
          placeholder="https://example.com/hook"
          error={errors.webhookUrl?.message}
          {...form.register('webhookUrl')}
        />
        {webhookUrl !== '' && (
          <Controller
            name="webhookFormat"
            control={form.control}
            render={({ field }) => (
              <FormatChoice
                formats={WEBHOOK_FORMATS}
                value={field.value ?? 'json'}
                onChange={field.onChange}
              />
            )}
          />
        )}
        <TextField
          label="ntfy topic"
          type="url"
          placeholder="https://ntfy.sh/my-topic"
          error={errors.ntfyUrl?.message}
          {...form.register('ntfyUrl')}
        />
        {ntfyUrl !== '' && (
          <TextField
            label="ntfy access token"
            type="password"
            autoComplete="new-password"
            placeholder={alert?.hasNtfyToken === true ? 'Unchanged' : 'Only if the server asks for one'}
            error={errors.ntfyToken?.message}
            {...form.register('ntfyToken')}
          />
        )}
      </Group>
      {!isOfNumber && (
        <>
          <TextField
            label="Identify rows by"
            placeholder="_id or id"
            error={errors.keyField?.message}
            hint="The field that stays the same when a row changes. A row without it is identified by its content: when it changes, one row disappears and one appears."
            {...form.register('keyField')}
          />
          <TextArea
            label="Text of a row"
            rows={2}
            spellCheck={false}
            className="font-mono"
            placeholder={'title & " by " & user.login'}
            error={errors.rowText?.message}
            hint="A JSONata expression over the row. Without one, messages name a record by its title, person and place."
            {...form.register('rowText')}
          />
        </>
      )}
    </form>
  );
}
