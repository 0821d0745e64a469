import { useEffect, useState } from 'react';
import { useDispatch } from 'react-redux';
import { Navigate, useNavigate } from 'react-router';
import { PATHS } from '../../address/paths.ts';
import { readToken } from '../../api/auth-token.ts';
import { BrandMark } from '../../ui/brand-mark.tsx';
import { toasts } from '../../ui/toast.tsx';
import { signInFailed } from './auth-slice.ts';
import { BrandPanel } from './brand-panel.tsx';
import { endedSessionAddress, isInvited } from './ended-session.ts';
import { LoginPanel } from './login-panel.tsx';
import { readSignInResult } from './sign-in-result.ts';
import { SignInReturn } from './sign-in-return.tsx';

/** Reads the result of the external sign-in from the URL and removes it at once, because it contains a token. */
function takeSignInResult() {
  const result = readSignInResult(window.location.search);
  if (result !== null) window.history.replaceState(window.history.state, '', PATHS.login);
  return result;
}

interface LoginPageProps {
  /** Starts to load the screens that follow the sign-in. */
  preload: () => void;
}

/** The login screen. Redirects a signed-in user to the dashboard. */
export function LoginPage({ preload }: LoginPageProps) {
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const [result, setResult] = useState(takeSignInResult);
  const [failure, setFailure] = useState<string | null>(null);
  const token = result?.token ?? '';

  useEffect(() => {
    document.title = 'Sign in · Datadeck';
    if (token !== '') preload();
    else if (result !== null) {
      dispatch(signInFailed(result.error ?? 'unknown'));
      toasts.error('Logging in failed');
      setResult(null);
    }
  }, [result, token, dispatch, preload]);

  if (result === null && readToken() !== null) return <Navigate to={PATHS.dashboard} replace />;
  function showPanel(reason: string | null) {
    setFailure(reason);
    setResult(null);
  }
  const toDashboard = () => void navigate(PATHS.dashboard, { replace: true });
  return (
    <div className="grid min-h-full bg-surface md:grid-cols-2">
      <BrandPanel />
      <main className="flex flex-col items-center justify-center gap-10 p-6">
        <p className="flex w-full max-w-80 items-center gap-2.5 text-16 font-semibold tracking-tight md:hidden">
          <BrandMark className="size-7" />
          Datadeck
        </p>
        {token === '' ? (
          <LoginPanel
            failure={failure}
            hasEnded={endedSessionAddress() !== null}
            isInvited={isInvited()}
            onIntent={preload}
            onSignedIn={() => void navigate(PATHS.dashboard)}
          />
        ) : (
          <SignInReturn token={token} onSignedIn={toDashboard} onCancelled={showPanel} />
        )}
      </main>
    </div>
  );
}
