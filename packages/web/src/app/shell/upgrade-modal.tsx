import { Dialog } from '../../ui/dialog.tsx';

/** The 'Upgrade' modal. There is no plan to buy yet. */
export function UpgradeModal({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} size="sm" title="Upgrade">
      <p className="text-14 text-ink-2">Currently unavailable</p>
    </Dialog>
  );
}
