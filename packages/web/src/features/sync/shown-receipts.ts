import { useEffect } from 'react';

/** Entities whose last receipt is on screen. */
const shown = new Set<string>();

/** Marks the last receipt of an entity as shown while the component is mounted. */
export function useShownReceipt(entityLabel: string, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    shown.add(entityLabel);
    return () => void shown.delete(entityLabel);
  }, [entityLabel, isOn]);
}

/** Returns whether the page shows the receipt of an entity's last sync, and so the reason of its failure. */
export const isReceiptShown = (entityLabel: string): boolean => shown.has(entityLabel);
