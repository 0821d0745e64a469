import { useEffect, useState } from 'react';
import { useDispatch } from 'react-redux';
import { useNavigate } from 'react-router';
import { signedIn, signInFailed } from '../../features/accounts/auth-slice.ts';
import { LoginPanel } from '../../features/accounts/login-panel.tsx';
import { readSignInResult } from '../../features/accounts/sign-in-result.ts';
import { BrandMark } from '../../ui/brand-mark.tsx';
import { toasts } from '../../ui/toast.tsx';
import { endedSessionPlace } from '../ended-session.ts';
import { PATHS } from '../paths.ts';
import { preloadDashboard } from '../screens.ts';
import { BrandPanel } from './brand-panel.tsx';

/** What the external sign-in left in the address; it is stripped from there at once, since it holds the token. */
function takeSignInResult() {
  const result = readSignInResult(window.location.search);
  if (result !== null) window.history.replaceState(window.history.state, '', PATHS.login);
  return result;
}

/** Login. */
export function LoginPage() {
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const [result] = useState(takeSignInResult);
  const token = result?.token ?? '';

  useEffect(() => {
    document.title = 'Sign in · Datadeck';
    if (result === null) return;
    if (token !== '') {
      preloadDashboard();
      dispatch(signedIn(token));
      void navigate(PATHS.dashboard, { replace: true });
      return;
    }
    dispatch(signInFailed(result.error ?? 'unknown'));
    toasts.error('Logging in failed');
    void navigate(PATHS.login, { replace: true });
  }, [result, token, dispatch, navigate]);

  if (token !== '') return null;
  return (
    <div className="grid min-h-full bg-surface md:grid-cols-2">
      <BrandPanel />
      <main className="flex flex-col items-center justify-center gap-10 p-6">
        <p className="flex w-full max-w-80 items-center gap-2.5 text-16 font-semibold tracking-tight md:hidden">
          <BrandMark className="size-7" />
          Datadeck
        </p>
        <LoginPanel
          hasEnded={endedSessionPlace() !== null}
          onIntent={preloadDashboard}
          onSignedIn={() => void navigate(PATHS.dashboard)}
        />
      </main>
    </div>
  );
}
