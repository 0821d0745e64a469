import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useDispatch } from 'react-redux';
import { sentenceOf } from '../../api/failure.ts';
import { Button } from '../../ui/button.tsx';
import { fetchCode } from '../../ui/fetch-code.ts';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { toasts } from '../../ui/toast.tsx';
import { signedIn } from './auth-slice.ts';
import { useSignInWithPasskeyMutation, useStartPasskeySignInMutation } from './passkey-sign-in-api.ts';

interface PasskeyButtonProps {
  /** Whether it is the first way to sign in. */
  isPrimary: boolean;
  onIntent: () => void;
  onSignedIn: () => void;
}

/** The button that signs in with a passkey, with the reason when that fails. */
export default function PasskeyButton({ isPrimary, onIntent, onSignedIn }: PasskeyButtonProps) {
  const dispatch = useDispatch();
  const [start] = useStartPasskeySignInMutation();
  const [signIn] = useSignInWithPasskeyMutation();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function run(): Promise<string> {
    const { provePasskey } = await fetchCode(() => import('./passkey-browser.ts'));
    const started = await start();
    if (started.error) throw new Error(sentenceOf(started.error));
    const signed = await signIn(await provePasskey(started.data));
    if (signed.error) throw new Error(sentenceOf(signed.error));
    return signed.data.token;
  }

  async function begin() {
    setIsBusy(true);
    setFailure(null);
    try {
      dispatch(signedIn(await run()));
      onSignedIn();
    } catch (reason) {
      setFailure(reason instanceof Error ? reason.message : String(reason));
      toasts.error('Logging in failed');
    }
    setIsBusy(false);
  }

  return (
    <>
      <Button
        size="lg"
        variant={isPrimary ? 'primary' : 'secondary'}
        icon={<KeyRound size={16} />}
        busy={isBusy}
        disabled={isBusy}
        onPointerEnter={onIntent}
        onFocus={onIntent}
        onClick={() => void begin()}
      >
        Sign in with a passkey
      </Button>
      {failure !== null && <NoticeLine tone="error">{failure}</NoticeLine>}
    </>
  );
}
