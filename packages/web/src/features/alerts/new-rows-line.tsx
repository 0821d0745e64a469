import { ALERT_LIMITS, type MarkedDelivery } from '@datadeck/contract';
import { Button } from '../../ui/button.tsx';
import { formatDate } from '../../ui/date-time.tsx';
import { countOf } from '../../ui/duration.ts';

interface NewRowsLineProps {
  /** Undefined while it is loading. */
  delivery: MarkedDelivery | undefined;
  /** True if there is no such delivery any more. */
  isGone: boolean;
  onClear: () => void;
}

/** Says which rows of a view are marked because of the message of an alert. */
export function NewRowsLine({ delivery, isGone, onClear }: NewRowsLineProps) {
  if (!delivery && !isGone) return null;
  const appeared = delivery?.changes.appeared ?? 0;
  const limit = appeared > ALERT_LIMITS.marked ? ` The first ${ALERT_LIMITS.marked} are marked.` : '';
  const text = delivery
    ? `${countOf(appeared, 'row')} appeared in the message of ${formatDate(delivery.createdAt)} and ${appeared === 1 ? 'is' : 'are'} marked New.${limit}`
    : `The message is gone: they are kept for ${ALERT_LIMITS.deliveryDays} days. Its rows are not marked.`;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-2 border-b bg-accent-soft px-4 py-2"
    >
      <p className="min-w-0 text-13 text-accent-text">{text}</p>
      <Button size="sm" onClick={onClear}>
        Remove marks
      </Button>
    </div>
  );
}
