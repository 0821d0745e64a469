import { BellPlus, BellRing } from 'lucide-react';
import { useState } from 'react';
import type { View } from '../../api/models.ts';
import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/duration.ts';
import { WatchDialog } from './watch-dialog.tsx';

interface WatchButtonProps {
  view: View;
  /** Values of the view's parameters, as JSON. */
  parameters: string | undefined;
  /** Number of alerts on the view; undefined while it is unknown. */
  alertCount: number | undefined;
}

/** Opens the alerts on a view. */
export function WatchButton({ view, parameters, alertCount = 0 }: WatchButtonProps) {
  const words = alertCount === 0 ? 'Watch' : `Watched by ${countOf(alertCount, 'alert')}`;
  const label = alertCount === 0 ? 'Watch' : `Watching (${alertCount})`;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        size="sm"
        title={words}
        aria-label={label}
        className={alertCount === 0 ? 'max-sm:w-7 max-sm:px-0' : ''}
        icon={alertCount === 0 ? <BellPlus size={14} /> : <BellRing size={14} className="text-accent-text" />}
        onClick={() => setIsOpen(true)}
      >
        <span className={alertCount === 0 ? 'max-sm:sr-only' : 'tabular-nums'}>{label}</span>
      </Button>
      {isOpen && <WatchDialog view={view} parameters={parameters} onClose={() => setIsOpen(false)} />}
    </>
  );
}
