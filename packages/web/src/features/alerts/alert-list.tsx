import type { Alert } from '@datadeck/contract';
import { ListChecks, Pencil, Send, Trash2 } from 'lucide-react';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { DateTime, formatDate } from '../../ui/date-time.tsx';
import { countOf } from '../../ui/duration.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { channelsText, digestText, valuesText, watchText } from './alert-words.ts';
import { PauseControls } from './pause-controls.tsx';
import { useAlertChanges } from './use-alert-changes.ts';
import { useSendTest } from './use-send-test.ts';

function Comparison({ rowCount, comparedAt }: Alert) {
  if (comparedAt === null || rowCount === null) return <span>Not compared yet</span>;
  return (
    <span>
      {countOf(rowCount, 'row')}, compared <DateTime iso={comparedAt} className="tabular-nums" />
    </span>
  );
}

function SilenceBadge({ isPaused, snoozedUntil }: Alert) {
  if (isPaused) return <Badge>Paused</Badge>;
  if (snoozedUntil === null) return null;
  return <Badge>Snoozed until {formatDate(snoozedUntil)}</Badge>;
}

function TestButtons({ alert }: { alert: Alert }) {
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const { send, isSending } = useSendTest(alert);
  const shared = { size: 'sm', disabled: !mayChange || isSending, title: forbidden } as const;
  return (
    <>
      <Button {...shared} icon={<Send size={14} />} busy={isSending} onClick={() => void send('example')}>
        Send a test
      </Button>
      <Button {...shared} icon={<ListChecks size={14} />} onClick={() => void send('current')}>
        Try with real rows
      </Button>
    </>
  );
}

interface AlertItemProps {
  alert: Alert;
  onEdit: () => void;
}

function AlertItem({ alert, onEdit }: AlertItemProps) {
  const { problem, isPaused, parameters } = alert;
  const mayChange = useMayChange();
  const { remove } = useAlertChanges(alert);
  const title = watchText(alert);
  const values = valuesText(parameters);

  return (
    <li className="flex flex-col gap-2 border-b py-3 first:pt-0 last:border-b-0 last:pb-0">
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-0 flex-1 wrap-anywhere text-13 font-medium">{title}</p>
        <SilenceBadge {...alert} />
      </div>
      <p className="wrap-anywhere text-12 text-ink-3">
        {[digestText(alert), channelsText(alert), values].filter((text) => text !== '').join(' · ')}
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
        <TestButtons alert={alert} />
        <PauseControls alert={alert} />
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
          onClick={() => void remove()}
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
