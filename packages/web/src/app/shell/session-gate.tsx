import { type ReactNode, useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Navigate, useLocation } from 'react-router';
import { PATHS, SHARED_PATHS } from '../../address/paths.ts';
import { readToken, sharedToken } from '../../api/auth-token.ts';
import { selectToken, signedIn } from '../../features/sign-in/auth-slice.ts';
import { rememberEndedSession } from '../../features/sign-in/ended-session.ts';

/**
 * Redirects to the login. A stored token that has expired means that the session ended on this screen. Who opens the link of an
 * invitation returns to it after the sign-in.
 */
function ToLogin() {
  const location = useLocation();
  useEffect(() => {
    if (sharedToken() !== null || location.pathname === SHARED_PATHS.invitation)
      rememberEndedSession(location);
  });
  return <Navigate to={PATHS.login} replace />;
}

/** Shows its children to a signed-in user. Restores a stored token, or redirects to the login. */
export function SessionGate({ children }: { children: ReactNode }) {
  const dispatch = useDispatch();
  const token = useSelector(selectToken);
  const stored = token === null ? readToken() : null;
  useEffect(() => {
    if (stored !== null) dispatch(signedIn(stored));
  }, [stored, dispatch]);
  if (token !== null) return children;
  return stored === null ? <ToLogin /> : null;
}
