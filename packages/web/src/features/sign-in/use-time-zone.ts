import { isTimeZone } from '@datadeck/contract';
import { useEffect, useRef } from 'react';
import { useUpdateProfileMutation } from './accounts-api.ts';
import { useUser } from './use-user.ts';

/** Returns the time zone of the browser, e.g. `Europe/Berlin`. */
export function browserTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Returns the time zone in which days begin for the user: UTC before one is chosen, or for one that the browser does not know. */
export function useTimeZone(): string {
  const { timeZone = null } = useUser().data ?? {};
  return timeZone !== null && isTimeZone(timeZone) ? timeZone : 'UTC';
}

/** Stores the browser's time zone for an account that has none yet. A failure leaves it at UTC until the next start. */
export function useFirstTimeZone(): void {
  const { data: user } = useUser();
  const [updateProfile] = useUpdateProfileMutation();
  const triedFor = useRef<string>(undefined);
  const id = user?.timeZone === null ? user._id : undefined;
  useEffect(() => {
    if (id === undefined || triedFor.current === id) return;
    triedFor.current = id;
    void updateProfile({ timeZone: browserTimeZone() });
  }, [id, updateProfile]);
}
