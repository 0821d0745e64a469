import type { Alert } from '@datadeck/contract';
import { Pause, Pencil, Play, Send, Trash2 } from 'lucide-react';
import { causeOf, sentenceOf } from '../../api/failure.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { confirmDeletion } from '../../ui/confirmation.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { countOf } from '../../ui/duration.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { toasts } from '../../ui/toast.tsx';
import { channelsText, DIGEST_WORDS, kindsText, valuesText } from './alert-words.ts';
import { useDeleteAlertMutation, useTestAlertMutation, useUpdateAlertMutation } from './alerts-api.ts';

function Comparison({ rowCount, comparedAt }: Alert) {
  if (comparedAt === null || rowCount === null) return <span>Not compared yet</span>;
  return (
    <span>
      {countOf(rowCount, 'row')}, compared <DateTime iso={comparedAt} className="tabular-nums" />
    </span>
  );
}

function TestButton({ alert }: { alert: Alert }) {
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const [test, { isLoading }] = useTestAlertMutation();
  async function send() {
    const { data, error } = await test(alert._id);
    const failed = data?.filter(({ status }) => status === 'failed') ?? [];
    if (error) toasts.error(sentenceOf(error));
    else if (failed.length > 0) toasts.error('A test was not delivered. See the deliveries below');
    else toasts.success('The test was delivered');
  }
  return (
    <Button
      size="sm"
      icon={<Send size={14} />}
      busy={isLoading}
      disabled={!mayChange || isLoading}
      title={forbidden}
      onClick={() => void send()}
    >
      Send a test
    </Button>
  );
}

interface AlertItemProps {
  alert: Alert;
  onEdit: () => void;
}

function AlertItem({ alert, onEdit }: AlertItemProps) {
  const { _id: id, kinds, digest, problem, isPaused, parameters, keyField, ...channels } = alert;
  const mayChange = useMayChange();
  const [update, updating] = useUpdateAlertMutation();
  const [remove] = useDeleteAlertMutation();
  const title = kindsText(kinds);
  const values = valuesText(parameters);

  async function togglePause() {
    const { bell, email, webhookUrl, ntfyUrl } = channels;
    const { error } = await update({
      id,
      kinds,
      digest,
      bell,
      email,
      webhookUrl,
      ntfyUrl,
      isPaused: !isPaused,
      ...(parameters !== null && { parameters }),
      ...(keyField !== null && { keyField }),
    });
    if (error) toasts.error(causeOf(error));
  }

  async function ask() {
    if (!(await confirmDeletion('Delete alert', 'The alert and its deliveries will be deleted.'))) return;
    const { error } = await remove(id);
    if (error) toasts.error('The alert was not deleted');
    else toasts.success('The alert was deleted');
  }

  return (
    <li className="flex flex-col gap-2 border-b py-3 first:pt-0 last:border-b-0 last:pb-0">
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-0 flex-1 wrap-anywhere text-13 font-medium">{title}</p>
        {isPaused && <Badge>Paused</Badge>}
      </div>
      <p className="wrap-anywhere text-12 text-ink-3">
        {[DIGEST_WORDS[digest], channelsText(alert), values].filter((text) => text !== '').join(' · ')}
      </p>
      <p className="text-12 text-ink-3">
        <Comparison {...alert} />
      </p>
      {problem !== null && (
        <NoticeLine tone="error">
          {problem} {isPaused && 'Change the view or the alert, then resume it.'}
        </NoticeLine>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <TestButton alert={alert} />
        <Button
          size="sm"
          icon={isPaused ? <Play size={14} /> : <Pause size={14} />}
          busy={updating.isLoading}
          disabled={!mayChange || updating.isLoading}
          onClick={() => void togglePause()}
        >
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
        <IconButton
          size="sm"
          label={`Edit: ${title}`}
          icon={<Pencil size={14} />}
          disabled={!mayChange}
          onClick={onEdit}
        />
        <IconButton
          size="sm"
          label={`Delete: ${title}`}
          icon={<Trash2 size={14} />}
          disabled={!mayChange}
          onClick={() => void ask()}
        />
      </div>
    </li>
  );
}

interface AlertListProps {
  alerts: readonly Alert[];
  onEdit: (alert: Alert) => void;
}

/** The alerts on a view. */
export function AlertList({ alerts, onEdit }: AlertListProps) {
  return (
    <ul className="flex flex-col">
      {alerts.map((alert) => (
        <AlertItem key={alert._id} alert={alert} onEdit={() => onEdit(alert)} />
      ))}
    </ul>
  );
}
