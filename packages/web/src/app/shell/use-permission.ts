import { mayChange } from '@datadeck/contract';
import type { Permission } from '../../api/permission.ts';
import { useUser } from '../../features/sign-in/use-user.ts';

const PROFILE_LOADING = 'Your profile is loading';
const PROFILE_MISSING = 'Your profile could not be loaded. Try again on the Account page.';

/** Loads the profile and returns the user's permission to change data. */
export function usePermission(): Permission {
  const { data: user, isError } = useUser();
  if (user) return mayChange(user.status);
  return isError ? PROFILE_MISSING : PROFILE_LOADING;
}
