import { type ReactNode, useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Navigate } from 'react-router';
import { readToken } from '../../api/auth-token.ts';
import { selectToken, signedIn } from '../../features/accounts/auth-slice.ts';
import { PATHS } from '../paths.ts';

/** Shows its children to a signed-in user: restores a stored token, sends everybody else to the login. */
export function SessionGate({ children }: { children: ReactNode }) {
  const dispatch = useDispatch();
  const token = useSelector(selectToken);
  const stored = token === null ? readToken() : null;
  useEffect(() => {
    if (stored !== null) dispatch(signedIn(stored));
  }, [stored, dispatch]);
  if (token !== null) return children;
  return stored === null ? <Navigate to={PATHS.login} replace /> : null;
}
