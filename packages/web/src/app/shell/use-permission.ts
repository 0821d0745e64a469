import { mayChange } from '@datadeck/contract';
import { useSelector } from 'react-redux';
import type { Permission } from '../../api/permission.ts';
import { useProfileQuery } from '../../features/accounts/accounts-api.ts';
import { selectToken, selectUser } from '../../features/accounts/auth-slice.ts';

const PROFILE_LOADING = 'Your profile is loading';
const PROFILE_MISSING = 'Your profile could not be loaded. Try again on the Account page.';

/** Loads the profile and returns the user's permission to change data. */
export function usePermission(): Permission {
  const token = useSelector(selectToken);
  const { isError } = useProfileQuery(undefined, { skip: token === null });
  const user = useSelector(selectUser);
  if (user) return mayChange(user.status);
  return isError ? PROFILE_MISSING : PROFILE_LOADING;
}
