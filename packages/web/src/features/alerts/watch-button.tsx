import { BellPlus, BellRing } from 'lucide-react';
import { type ReactNode, useState } from 'react';
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
  /** Renders what opens the alerts in place of the button, e.g. an item of a menu. */
  children?: ((label: string, open: () => void) => ReactNode) | undefined;
}

/** Opens the alerts on a view. */
export function WatchButton({ view, parameters, alertCount = 0, children }: WatchButtonProps) {
  const words = alertCount === 0 ? 'Watch' : `Watched by ${countOf(alertCount, 'alert')}`;
  const label = alertCount === 0 ? 'Watch' : `Watching (${alertCount})`;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      {children ? (
        children(label, () => setIsOpen(true))
      ) : (
        <Button
          size="sm"
          title={words}
          aria-label={label}
          icon={
            alertCount === 0 ? <BellPlus size={14} /> : <BellRing size={14} className="text-accent-text" />
          }
          onClick={() => setIsOpen(true)}
        >
          <span className="tabular-nums">{label}</span>
        </Button>
      )}
      {isOpen && <WatchDialog view={view} parameters={parameters} onClose={() => setIsOpen(false)} />}
    </>
  );
}
