import { BellPlus } from 'lucide-react';
import { useState } from 'react';
import type { View } from '../../api/wire.ts';
import { Button } from '../../ui/button.tsx';
import { WatchDialog } from './watch-dialog.tsx';

interface WatchButtonProps {
  view: View;
  /** Values of the view's parameters, as JSON. */
  parameters: string | undefined;
}

/** Opens the alerts on a view. */
export function WatchButton({ view, parameters }: WatchButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        size="sm"
        title="Watch"
        className="max-sm:w-7 max-sm:px-0"
        icon={<BellPlus size={14} />}
        onClick={() => setIsOpen(true)}
      >
        <span className="max-sm:sr-only">Watch</span>
      </Button>
      {isOpen && <WatchDialog view={view} parameters={parameters} onClose={() => setIsOpen(false)} />}
    </>
  );
}
