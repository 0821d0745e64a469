import { useEffect } from 'react';
import type { Sync } from '../../api/models.ts';

/** Entities whose last receipt is on screen, with the account whose receipt it is. */
const shown = new Set<string>();

const keyOf = (entityLabel: string, account: string | undefined) => JSON.stringify([entityLabel, account]);

/** Marks the last receipt of an entity in an account as shown while the component is mounted. */
export function useShownReceipt(
  { entityLabel, account }: { entityLabel: string; account: string | undefined },
  isOn: boolean,
): void {
  useEffect(() => {
    if (!isOn) return;
    const key = keyOf(entityLabel, account);
    shown.add(key);
    return () => void shown.delete(key);
  }, [entityLabel, account, isOn]);
}

/** Returns whether the page shows the receipt of the last sync of its entity and account, and so the reason of its failure. */
export function isReceiptShown({ entityLabel, account }: Pick<Sync, 'entityLabel' | 'account'>): boolean {
  return shown.has(keyOf(entityLabel, account)) || shown.has(keyOf(entityLabel, undefined));
}
