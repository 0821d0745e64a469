import type { Alert, CheckedAlertForm } from '@datadeck/contract';
import { Plus } from 'lucide-react';
import { useId, useState } from 'react';
import { causeOf } from '../../api/failure.ts';
import type { View } from '../../api/models.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { LoadingRows } from '../../ui/skeleton.tsx';
import { toasts } from '../../ui/toast.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { SigningSecret } from '../notifications/signing-secret.tsx';
import { AlertForm } from './alert-form.tsx';
import { AlertList } from './alert-list.tsx';
import { watchText } from './alert-words.ts';
import { useAlertsQuery, useCreateAlertMutation, useUpdateAlertMutation } from './alerts-api.ts';
import { DeliveryList } from './delivery-list.tsx';

/** What the dialog shows: the alerts, or the form of a new or an existing one. */
type Shown = { mode: 'list' } | { mode: 'new' } | { mode: 'edit'; alert: Alert };

interface WatchDialogProps {
  view: Pick<View, 'id' | 'title'>;
  /** Values of the view's parameters, as JSON. */
  parameters: string | undefined;
  /** The alert whose form is opened first. */
  first?: Alert | undefined;
  onClose: () => void;
}

/** The 'Watch' dialog: the alerts on a view, the form of one, and their deliveries. */
export function WatchDialog({ view, parameters, first, onClose }: WatchDialogProps) {
  const formId = useId();
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const { data, error, isFetching, refetch } = useAlertsQuery();
  const alerts = data?.results.filter(({ viewId }) => viewId === view.id) ?? [];
  const [chosen, setChosen] = useState<Shown | undefined>(first && { mode: 'edit', alert: first });
  const [secret, setSecret] = useState<string | null>(null);
  const [create, creating] = useCreateAlertMutation();
  const [update, updating] = useUpdateAlertMutation();
  const [isDirty, setIsDirty] = useState(false);
  const close = useUnsaved(isDirty, onClose);
  // Without alerts, the form of a new one is first.
  const shown: Shown =
    chosen ?? (data && alerts.length === 0 && mayChange ? { mode: 'new' } : { mode: 'list' });
  const edited = shown.mode === 'edit' ? shown.alert : undefined;
  const saving = edited ? updating : creating;

  function show(next: Shown) {
    creating.reset();
    updating.reset();
    setSecret(null);
    setChosen(next);
  }

  async function save(values: CheckedAlertForm) {
    const watched = edited ? edited.parameters : parameters;
    const body = { ...values, ...(watched != null && { parameters: watched }) };
    const answer = edited
      ? await update({ ...body, id: edited._id, isPaused: edited.isPaused })
      : await create({ ...body, viewId: view.id });
    if (!answer.data) {
      toasts.error('The alert was not saved');
      return;
    }
    toasts.success('The alert was saved');
    setChosen({ mode: 'list' });
    setSecret(answer.data.webhookSecret);
  }

  return (
    <Dialog
      open
      onClose={close}
      title={`Watch "${view.title}"`}
      subtitle="Notifies you when its rows or its number change."
      footer={
        shown.mode === 'list' ? (
          <Button
            icon={<Plus size={14} />}
            disabled={!mayChange || !data}
            title={forbidden}
            onClick={() => show({ mode: 'new' })}
          >
            New alert
          </Button>
        ) : (
          <>
            {alerts.length > 0 && <Button onClick={() => show({ mode: 'list' })}>Cancel</Button>}
            <Button
              type="submit"
              form={formId}
              variant="primary"
              busy={saving.isLoading}
              disabled={!mayChange || saving.isLoading}
              title={forbidden}
            >
              Save
            </Button>
          </>
        )
      }
    >
      {error !== undefined && <LoadFailure sentence={causeOf(error)} busy={isFetching} onRetry={refetch} />}
      {!data && error === undefined && <LoadingRows rows={4} />}
      {data && shown.mode !== 'list' && (
        <AlertForm
          key={edited?._id ?? 'new'}
          id={formId}
          alert={edited}
          parameters={edited ? edited.parameters : parameters}
          emailAddress={data.emailAddress}
          failure={saving.error}
          onSave={(values) => void save(values)}
          onDirty={setIsDirty}
        />
      )}
      {data && shown.mode === 'list' && (
        <div className="flex flex-col gap-5">
          {secret !== null && <SigningSecret secret={secret} />}
          {alerts.length === 0 && (
            <p className="text-13 text-ink-2">No alert watches this view. Choose New alert to add one.</p>
          )}
          <AlertList alerts={alerts} onEdit={(alert) => show({ mode: 'edit', alert })} />
          {alerts.map((one) => (
            <section
              key={one._id}
              aria-label={`Deliveries: ${watchText(one)}`}
              className="flex flex-col gap-2"
            >
              <h3 className="text-13 font-semibold">
                {alerts.length === 1 ? 'Deliveries' : `Deliveries: ${watchText(one)}`}
              </h3>
              <DeliveryList alertId={one._id} />
            </section>
          ))}
        </div>
      )}
    </Dialog>
  );
}
