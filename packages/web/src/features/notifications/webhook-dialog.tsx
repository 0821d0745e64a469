import {
  type CheckedWebhook,
  NOTICE_FORMATS,
  type SaveWebhook,
  saveWebhookSchema,
  type Webhook,
  type WebhookOutcome,
} from '@datadeck/contract';
import { zodResolver } from '@hookform/resolvers/zod';
import { Send, Trash2 } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { causeOf, sentenceOf } from '../../api/failure.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirmation.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StatusDot } from '../../ui/status-dot.tsx';
import { Switch } from '../../ui/switch.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toasts } from '../../ui/toast.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { FormatChoice } from './format-choice.tsx';
import {
  useDeleteWebhookMutation,
  useSaveNoticeMailMutation,
  useSaveWebhookMutation,
  useTestWebhookMutation,
  useWebhookQuery,
} from './notifications-api.ts';
import { SigningSecret } from './signing-secret.tsx';

function LastDelivery({ last }: { last: WebhookOutcome | null }) {
  if (!last) return <p className="text-13 text-ink-3">Nothing has been sent to this address yet.</p>;
  return (
    <p className="flex flex-wrap items-center gap-2 text-13 text-ink-2">
      <StatusDot
        colour={last.isDelivered ? 'success' : 'error'}
        label={last.isDelivered ? 'Delivered' : 'Not delivered'}
      />
      <span className="font-medium text-ink">{last.isDelivered ? 'Delivered' : 'Not delivered'}</span>
      <span className="min-w-0 wrap-anywhere">{last.message}</span>
      <DateTime iso={last.at} className="text-ink-3 tabular-nums" />
    </p>
  );
}

interface WebhookFormProps {
  webhook: Webhook;
  /** Called with whether the form has unsaved input. */
  onDirty: (isDirty: boolean) => void;
}

/** The address of the webhook and the format of its messages. */
function WebhookForm({ webhook: { url, format }, onDirty }: WebhookFormProps) {
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const formId = useId();
  const [save, saving] = useSaveWebhookMutation();
  const form = useForm<SaveWebhook, unknown, CheckedWebhook>({
    mode: 'onTouched',
    resolver: zodResolver(saveWebhookSchema),
    defaultValues: { url, format },
  });
  const { isDirty } = form.formState;
  useEffect(() => {
    onDirty(isDirty);
    return () => onDirty(false);
  }, [isDirty, onDirty]);
  const address = useWatch({ control: form.control, name: 'url' });
  const { setFocus } = form;
  // The form loads after the dialog opens, so focus its box here.
  useEffect(() => setFocus('url'), [setFocus]);
  const hasNew = isDirty || url === '';
  async function submit(values: CheckedWebhook) {
    const { error } = await save(values);
    if (error) toasts.error('The webhook was not saved');
    else {
      form.reset(values);
      toasts.success('The webhook was saved');
    }
  }
  return (
    <form id={formId} noValidate onSubmit={form.handleSubmit(submit)} className="flex flex-col gap-3">
      {saving.error !== undefined && <NoticeLine tone="error">{sentenceOf(saving.error)}</NoticeLine>}
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            label="Address"
            required
            type="url"
            placeholder="https://example.com/hook"
            error={form.formState.errors.url?.message}
            {...form.register('url')}
          />
        </div>
        <Button
          type="submit"
          variant={hasNew ? 'primary' : 'secondary'}
          className="mt-6.5"
          busy={saving.isLoading}
          disabled={!mayChange || saving.isLoading || (hasNew && !isDirty)}
          title={forbidden}
        >
          {hasNew ? 'Save' : 'New secret'}
        </Button>
      </div>
      {address !== '' && (
        <Controller
          name="format"
          control={form.control}
          render={({ field }) => (
            <FormatChoice formats={NOTICE_FORMATS} value={field.value ?? 'json'} onChange={field.onChange} />
          )}
        />
      )}
      {saving.data && <SigningSecret secret={saving.data.secret} />}
    </form>
  );
}

/** Switches mails to the address of the account on or off. */
function MailSwitch({ webhook: { email, emailAddress } }: { webhook: Webhook }) {
  const mayChange = useMayChange();
  const [save, { isLoading }] = useSaveNoticeMailMutation();
  async function change(isWanted: boolean) {
    const { error } = await save(isWanted);
    if (error) toasts.error(causeOf(error));
  }
  return (
    <Switch
      label={emailAddress === null ? 'Mail (this installation sends none)' : `Mail to ${emailAddress}`}
      checked={email}
      disabled={!mayChange || isLoading || (emailAddress === null && !email)}
      onChange={(isWanted) => void change(isWanted)}
    />
  );
}

/** Placeholder for the form while it loads. */
function LoadingForm() {
  return (
    <div role="status" className="flex flex-col gap-1.5">
      <span className="text-13 text-ink-3">Loading</span>
      <Skeleton className="h-8" />
    </div>
  );
}

/** The 'Webhook' dialog: the address that failures are also sent to, and the result of the last delivery. */
export function WebhookDialog({ onClose }: { onClose: () => void }) {
  const mayChange = useMayChange();
  const { data, error, isFetching, refetch } = useWebhookQuery();
  const [removals, setRemovals] = useState(0);
  const [test, testing] = useTestWebhookMutation();
  const [remove, removing] = useDeleteWebhookMutation();
  const isSet = data !== undefined && data.url !== '';
  const [isDirty, setIsDirty] = useState(false);
  const close = useUnsaved(isDirty, onClose);

  async function ask() {
    if (!(await confirm('Remove webhook', 'Nothing will be sent to this address any more.'))) return;
    const { error: failure } = await remove();
    if (failure) toasts.error('The webhook was not removed');
    else {
      setRemovals(removals + 1);
      toasts.success('The webhook was removed');
    }
  }

  return (
    <Dialog
      open
      onClose={close}
      title="Webhook and mail"
      subtitle="Sends failures to you, a chat or a program."
      footer={
        isSet ? (
          <>
            <Button
              variant="danger"
              icon={<Trash2 size={14} />}
              busy={removing.isLoading}
              disabled={!mayChange || removing.isLoading}
              onClick={() => void ask()}
            >
              Remove
            </Button>
            <Button
              icon={<Send size={14} />}
              busy={testing.isLoading}
              disabled={!mayChange || testing.isLoading}
              onClick={() => void test()}
            >
              Send a test
            </Button>
          </>
        ) : undefined
      }
    >
      <div className="flex flex-col gap-4">
        {error !== undefined && <LoadFailure sentence={causeOf(error)} busy={isFetching} onRetry={refetch} />}
        {!data && error === undefined && <LoadingForm />}
        {data && <MailSwitch webhook={data} />}
        {data && <WebhookForm key={removals} webhook={data} onDirty={setIsDirty} />}
        <p className="text-13 text-ink-2">
          When a scheduled synchronization or an alert fails, or a token expires soon, Datadeck sends a
          message, once for a row of failures. JSON has <code className="font-mono text-12">event</code>,{' '}
          <code className="font-mono text-12">entity</code>, <code className="font-mono text-12">syncId</code>
          , <code className="font-mono text-12">message</code> and{' '}
          <code className="font-mono text-12">at</code>. It waits 10 seconds for an answer, tries up to four
          times, and follows no redirect.
        </p>
        <div aria-live="polite" className="flex flex-col gap-2">
          {testing.error !== undefined && <NoticeLine tone="error">{sentenceOf(testing.error)}</NoticeLine>}
          {isSet && <LastDelivery last={data.last} />}
        </div>
      </div>
    </Dialog>
  );
}
