import { useEffect, useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import { readToken } from '../../api/auth-token.ts';
import { sentenceOf } from '../../api/failure.ts';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { toasts } from '../../ui/toast.tsx';
import { signedIn, signedOut, signInFailed } from './auth-slice.ts';
import { useSignInMutation, useSignInPreviewQuery } from './sign-in-api.ts';

interface SignInReturnProps {
  /** The sign-in token from `res`. */
  token: string;
  onSignedIn: () => void;
  /**
   * Called when the sign-in failed, with the reason as a sentence, or was cancelled; the browser keeps its previous
   * session.
   */
  onCancelled: (failure: string | null) => void;
}

/** Completes a sign-in. Asks first if it began in another browser, or if another account is signed in. */
export function SignInReturn({ token, onSignedIn, onCancelled }: SignInReturnProps) {
  const dispatch = useDispatch();
  const [former] = useState(readToken);
  const preview = useSignInPreviewQuery(token);
  const [exchange, exchanging] = useSignInMutation();
  const hasContinued = useRef(false);

  function fail(reason: string) {
    dispatch(signInFailed(reason));
    toasts.error('Logging in failed');
    onCancelled(reason);
  }

  async function signIn() {
    hasContinued.current = true;
    dispatch(signedIn(token));
    const { data, error } = await exchange(token);
    if (data) {
      dispatch(signedIn(data.token));
      onSignedIn();
      return;
    }
    dispatch(former === null ? signedOut() : signedIn(former));
    fail(error === undefined ? 'The sign-in could not be completed.' : sentenceOf(error));
  }

  const needsQuestion = former !== null || preview.data?.beganHere === false;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each outcome of the preview.
  useEffect(() => {
    if (preview.isError) fail(sentenceOf(preview.error));
    else if (preview.data && !needsQuestion && !hasContinued.current) void signIn();
  }, [preview.isError, preview.data]);

  if (!preview.data || !needsQuestion)
    return (
      <p role="status" className="flex items-center gap-2.5 text-14 text-ink-2">
        <Spinner />
        Signing in
      </p>
    );
  const { name, email, beganHere } = preview.data;
  return (
    <div className="flex w-full max-w-80 flex-col gap-4">
      <h1 className="wrap-anywhere text-20 font-semibold tracking-tight">
        Continue as {name}
        {email !== '' && ` (${email})`}?
      </h1>
      <p className="text-14 text-ink-2">
        {beganHere
          ? 'Another account is signed in in this browser. If you continue, it is signed out.'
          : 'This sign-in was not started in this browser. Continue only if this is your account.'}
      </p>
      <div className="flex flex-col gap-2">
        <Button
          size="lg"
          variant="primary"
          busy={exchanging.isLoading}
          disabled={exchanging.isLoading}
          onClick={() => void signIn()}
        >
          Continue
        </Button>
        <Button size="lg" disabled={exchanging.isLoading} onClick={() => onCancelled(null)}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
