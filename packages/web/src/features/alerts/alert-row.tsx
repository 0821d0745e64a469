import type { Alert } from '@datadeck/contract';
import { Ellipsis, Layers, ListChecks, Pencil, Send, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { PATHS, withSearch } from '../../address/paths.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Age, formatDate } from '../../ui/date-time.tsx';
import { countOf } from '../../ui/duration.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { StatusDot } from '../../ui/status-dot.tsx';
import { stateOf } from './alert-state.ts';
import {
  CHANNEL_WORDS,
  channelsText,
  DELIVERY_DOTS,
  digestText,
  valuesText,
  watchText,
} from './alert-words.ts';
import { PauseControls } from './pause-controls.tsx';
import { useAlertChanges } from './use-alert-changes.ts';
import { useSendTest } from './use-send-test.ts';

/** Returns the address of the view of an alert, with the values that are watched. */
function viewAddress({ providerId, entityLabel, viewId, parameters }: Alert): string {
  const values = parameters === null ? {} : (JSON.parse(parameters) as Record<string, unknown>);
  return withSearch(PATHS.views, {
    provider: providerId,
    entity: entityLabel,
    view: viewId,
    ...Object.fromEntries(Object.entries(values).map(([name, value]) => [`p.${name}`, String(value)])),
  });
}

function Fact({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 gap-2 text-12">
      <dt className="w-24 shrink-0 text-ink-3">{title}</dt>
      <dd className="min-w-0 wrap-anywhere text-ink-2">{children}</dd>
    </div>
  );
}

function State({ alert }: { alert: Alert }) {
  const { label, colour } = stateOf(alert);
  const { problem, rowCount, snoozedUntil, isPaused } = alert;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <p className="flex items-center gap-2 text-13 font-medium">
        <StatusDot colour={colour} label={label} />
        <span aria-hidden="true">{label}</span>
      </p>
      <p className="text-12 text-ink-3 tabular-nums">
        {!isPaused && snoozedUntil !== null
          ? `Until ${formatDate(snoozedUntil)}`
          : rowCount === null
            ? 'Not compared yet'
            : countOf(rowCount, 'row')}
      </p>
      {problem !== null && <p className="wrap-anywhere text-12 text-error-text">{problem}</p>}
    </div>
  );
}

function LastDelivery({ last }: { last: Alert['lastDelivery'] }) {
  if (last === null) return 'None yet';
  const { channel, isTest, status, outcome, createdAt } = last;
  return (
    <span>
      <span className="mr-1.5 inline-flex align-middle">
        <StatusDot {...DELIVERY_DOTS[status]} />
      </span>
      <Age iso={createdAt} /> · {CHANNEL_WORDS[channel]}
      {isTest && ' · Test'}
      {status !== 'delivered' && outcome !== null && ` · ${outcome}`}
    </span>
  );
}

function MoreMenu({ alert, onEdit }: AlertRowProps) {
  const navigate = useNavigate();
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const { remove } = useAlertChanges(alert);
  const { send, isSending } = useSendTest(alert);
  const guarded = { disabled: !mayChange, title: forbidden };
  return (
    <Menu
      trigger={
        <IconButton
          size="sm"
          label={`More: ${alert.viewTitle}, ${watchText(alert)}`}
          icon={<Ellipsis size={14} />}
        />
      }
      items={[
        {
          label: 'Open view',
          icon: <Layers aria-hidden="true" size={14} />,
          onSelect: () => void navigate(viewAddress(alert)),
        },
        { label: 'Edit', icon: <Pencil aria-hidden="true" size={14} />, onSelect: onEdit, ...guarded },
        {
          label: 'Send a test',
          icon: <Send aria-hidden="true" size={14} />,
          onSelect: () => void send('example'),
          disabled: !mayChange || isSending,
          title: forbidden,
        },
        {
          label: 'Try with real rows',
          icon: <ListChecks aria-hidden="true" size={14} />,
          onSelect: () => void send('current'),
          disabled: !mayChange || isSending,
          title: forbidden,
        },
        {
          label: 'Remove',
          icon: <Trash2 aria-hidden="true" size={14} />,
          onSelect: () => void remove(),
          danger: true,
          separated: true,
          ...guarded,
        },
      ]}
    />
  );
}

interface AlertRowProps {
  alert: Alert;
  onEdit: () => void;
}

/** An alert on the page of all alerts. */
export function AlertRow({ alert, onEdit }: AlertRowProps) {
  const { viewTitle, parameters, changedAt, lastDelivery } = alert;
  const words = [watchText(alert), digestText(alert), channelsText(alert), valuesText(parameters)];
  return (
    <li className="flex flex-col gap-3 border-b p-4 last:border-b-0 @3xl:grid @3xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)_minmax(0,3fr)_14.5rem] @3xl:gap-6">
      <div className="min-w-0">
        <Link
          to={viewAddress(alert)}
          dir="auto"
          className="block wrap-anywhere text-left text-14 font-medium hover:text-accent-text hover:underline"
        >
          {viewTitle}
        </Link>
        <p className="mt-1 wrap-anywhere text-12 text-ink-3">{words.filter(Boolean).join(' · ')}</p>
      </div>
      <State alert={alert} />
      <dl className="flex min-w-0 flex-col gap-1">
        <Fact title="Last change">{changedAt === null ? 'None yet' : <Age iso={changedAt} />}</Fact>
        <Fact title="Last delivery">
          <LastDelivery last={lastDelivery} />
        </Fact>
      </dl>
      <div className="flex flex-wrap items-start gap-2">
        <PauseControls alert={alert} />
        <MoreMenu alert={alert} onEdit={onEdit} />
      </div>
    </li>
  );
}
