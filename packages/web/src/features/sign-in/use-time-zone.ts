import { useEffect, useRef } from 'react';
import { useUpdateProfileMutation } from './accounts-api.ts';
import { useUser } from './use-user.ts';

/** Returns the time zone of the browser, e.g. `Europe/Berlin`. */
export function browserTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Returns the time zone in which the days of searches begin. */
export function useTimeZone(): string {
  return useUser().data?.timeZone ?? 'UTC';
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
