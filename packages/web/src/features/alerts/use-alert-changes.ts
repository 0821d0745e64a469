import type { Alert, UpdateAlert } from '@datadeck/contract';
import { causeOf } from '../../api/failure.ts';
import { confirmDeletion } from '../../ui/confirmation.tsx';
import { toasts } from '../../ui/toast.tsx';
import { settingsOf } from './alert-settings.ts';
import { useDeleteAlertMutation, useUpdateAlertMutation } from './alerts-api.ts';

/** Returns the request that leaves an alert as it is. */
function requestOf(alert: Alert): UpdateAlert & { id: string } {
  const { _id: id, isPaused, parameters, keyField } = alert;
  return {
    id,
    ...settingsOf(alert),
    isPaused,
    ...(parameters !== null && { parameters }),
    ...(keyField !== null && { keyField }),
  };
}

/** What people do with an alert without opening its form. */
interface AlertChanges {
  isSaving: boolean;
  pause: () => Promise<void>;
  /** Ends a pause or a snooze. */
  resume: () => Promise<void>;
  snooze: (until: Date) => Promise<void>;
  /** Asks, then deletes the alert. */
  remove: () => Promise<void>;
}

/** Returns functions that pause, resume, snooze and remove an alert. */
export function useAlertChanges(alert: Alert): AlertChanges {
  const [update, { isLoading }] = useUpdateAlertMutation();
  const [deleteAlert] = useDeleteAlertMutation();

  async function save(change: Pick<UpdateAlert, 'isPaused' | 'snoozedUntil'>) {
    const { error } = await update({ ...requestOf(alert), ...change });
    if (error) toasts.error(causeOf(error));
  }

  async function remove() {
    if (!(await confirmDeletion('Delete alert', 'The alert and its deliveries will be deleted.'))) return;
    const { error } = await deleteAlert(alert._id);
    if (error) toasts.error('The alert was not deleted');
    else toasts.success('The alert was deleted');
  }

  return {
    isSaving: isLoading,
    pause: () => save({ isPaused: true, snoozedUntil: null }),
    resume: () => save({ isPaused: false, snoozedUntil: null }),
    snooze: (until) => save({ isPaused: false, snoozedUntil: until.toISOString() }),
    remove,
  };
}
