import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useDispatch } from 'react-redux';
import { errorOf, sentenceOf } from '../../api/failure.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { sessionEnded } from '../../api/session-ended.ts';
import { Button } from '../../ui/button.tsx';
import { fetchCode } from '../../ui/fetch-code.ts';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { toasts } from '../../ui/toast.tsx';
import { useLogoutMutation } from '../sign-in/accounts-api.ts';
import { useAddPasskeyMutation, useStartPasskeyMutation } from './passkeys-api.ts';

interface Failure {
  sentence: string;
  /** Whether the sign-in is too long ago. */
  isTooOld: boolean;
}

/** Lets the browser make a passkey and adds it to the account. */
function useAddPasskey() {
  const [start] = useStartPasskeyMutation();
  const [add] = useAddPasskeyMutation();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  async function run(): Promise<Failure | null> {
    const { makePasskey } = await fetchCode(() => import('../sign-in/passkey-browser.ts'));
    const started = await start();
    if (started.error)
      return {
        sentence: sentenceOf(started.error),
        isTooOld: errorOf(started.error)?.code === 'sign-in-too-old',
      };
    const { error } = await add(await makePasskey(started.data));
    return error ? { sentence: sentenceOf(error), isTooOld: false } : null;
  }

  async function begin() {
    setIsBusy(true);
    setFailure(null);
    const failed = await run().catch((reason: unknown) => ({
      sentence: reason instanceof Error ? reason.message : String(reason),
      isTooOld: false,
    }));
    setIsBusy(false);
    setFailure(failed);
    if (failed === null) toasts.success('The passkey was added');
  }
  return { begin, isBusy, failure };
}

/** Signs out, so that the next sign-in leads back to this screen. */
function SignInAgainButton() {
  const dispatch = useDispatch();
  const [logout, { isLoading }] = useLogoutMutation();
  async function leave() {
    await logout();
    dispatch(sessionEnded());
  }
  return (
    <Button size="sm" busy={isLoading} disabled={isLoading} onClick={() => void leave()}>
      Sign in again
    </Button>
  );
}

/** The button that adds a passkey, with the reason when that fails. */
export function AddPasskey() {
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const { begin, isBusy, failure } = useAddPasskey();
  return (
    <>
      <Button
        className="self-start"
        icon={<Plus size={14} />}
        busy={isBusy}
        disabled={!mayChange || isBusy}
        title={forbidden}
        onClick={() => void begin()}
      >
        Add passkey
      </Button>
      {failure && (
        <NoticeLine tone="error">
          <div className="flex flex-col items-start gap-2">
            {failure.sentence}
            {failure.isTooOld && <SignInAgainButton />}
          </div>
        </NoticeLine>
      )}
    </>
  );
}
