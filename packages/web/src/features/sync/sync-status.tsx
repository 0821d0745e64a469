import type { SyncStatus } from '@datadeck/contract';
import { DateTime } from '../../ui/date-time.tsx';
import { type DotColour, StatusDot } from '../../ui/status-dot.tsx';

export const STATUS_TITLES: Record<SyncStatus, string> = {
  started: 'Running',
  finished: 'Finished',
  failed: 'Failed',
};

const COLOURS: Record<SyncStatus, DotColour> = { started: 'secondary', finished: 'success', failed: 'error' };

interface SyncStatusLineProps {
  status: SyncStatus | '';
  updatedAt: string;
  /** Whether to show the status as text beside the dot. */
  withWords?: boolean;
}

/** The status dot and date of a sync. */
export function SyncStatusLine({ status, updatedAt, withWords = false }: SyncStatusLineProps) {
  if (status === '')
    return (
      <span className="inline-flex items-baseline gap-2 text-13 text-ink-3">
        <StatusDot colour="none" label="Never synchronized" />
        Never
      </span>
    );
  return (
    <span className="inline-flex items-baseline gap-2 whitespace-nowrap text-13 text-ink-2">
      <StatusDot colour={COLOURS[status]} label={STATUS_TITLES[status]} />
      {withWords && <span className="font-medium text-ink">{STATUS_TITLES[status]}</span>}
      <DateTime iso={updatedAt} className="tabular-nums" />
    </span>
  );
}
