import { useSelector } from 'react-redux';
import { useProfileQuery } from './accounts-api.ts';
import { selectToken } from './auth-slice.ts';

/** Loads the profile of the signed-in user; requests nothing once the session has ended. */
export function useUser() {
  const token = useSelector(selectToken);
  return useProfileQuery(undefined, { skip: token === null });
}
