import type { SignInProvider } from '@datadeck/contract';
import { lazy, Suspense } from 'react';
import { useDispatch } from 'react-redux';
import { causeOf, sentenceOf } from '../../api/failure.ts';
import { leaveFor } from '../../api/leave.ts';
import { Button } from '../../ui/button.tsx';
import { fetchCode } from '../../ui/fetch-code.ts';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { toasts } from '../../ui/toast.tsx';
import { signedIn, signInFailed } from './auth-slice.ts';
import { useDemoLoginMutation, useProductQuery } from './sign-in-api.ts';
import { SignInMark } from './sign-in-mark.tsx';

const PasskeyButton = lazy(() => fetchCode(() => import('./passkey-button.tsx')));

interface LoginPanelProps {
  /** Why the last sign-in could not be completed, as a sentence; null if it was not tried. */
  failure?: string | null;
  /** The session in this tab ended by itself; after signing in, the user returns to the same screen. */
  hasEnded: boolean;
  /** After signing in, the user returns to an invitation. */
  isInvited?: boolean;
  /** Called when the user is about to enter as a demo user. */
  onIntent: () => void;
  onSignedIn: () => void;
}

/** The button of an identity provider, with the reason if signing in there fails at the moment. */
function SignInButton({ provider, onClick }: { provider: SignInProvider; onClick: () => void }) {
  const { identifier, title, problem } = provider;
  return (
    <>
      <Button size="lg" variant="primary" icon={<SignInMark identifier={identifier} />} onClick={onClick}>
        {title}
      </Button>
      {problem !== undefined && <NoticeLine tone="error">{problem}</NoticeLine>}
    </>
  );
}

/** The right column of the login screen. */
export function LoginPanel({
  failure = null,
  hasEnded,
  isInvited = false,
  onIntent,
  onSignedIn,
}: LoginPanelProps) {
  const dispatch = useDispatch();
  const product = useProductQuery();
  const [loginAsDemo, demo] = useDemoLoginMutation();

  function signInAt(identifier: string) {
    try {
      leaveFor(`/auth/${identifier}?intent=sign-in`);
    } catch (reason) {
      dispatch(signInFailed(String(reason)));
      toasts.error('Logging in failed');
    }
  }

  async function signInAsDemo() {
    const { data } = await loginAsDemo();
    if (!data) {
      toasts.error('Logging in failed');
      return;
    }
    dispatch(signedIn(data.token));
    onSignedIn();
  }

  return (
    <div className="flex w-full max-w-80 flex-col gap-4">
      <h1 className="text-24 font-semibold tracking-tight">Sign in with</h1>
      {hasEnded && (
        <NoticeLine tone="info">
          {isInvited
            ? 'Sign in to see the invitation.'
            : 'Your session has ended. Sign in again to continue where you were.'}
        </NoticeLine>
      )}
      {failure !== null && <NoticeLine tone="error">{failure}</NoticeLine>}
      {product.isLoading && <Skeleton className="h-10 w-full" />}
      {product.data?.signInProviders.map((provider) => (
        <SignInButton
          key={provider.identifier}
          provider={provider}
          onClick={() => signInAt(provider.identifier)}
        />
      ))}
      {product.data?.passkeys && (
        <Suspense fallback={<Skeleton className="h-10 w-full" />}>
          <PasskeyButton
            isPrimary={product.data.signInProviders.length === 0}
            onIntent={onIntent}
            onSignedIn={onSignedIn}
          />
        </Suspense>
      )}
      {product.isError && (
        <LoadFailure sentence={causeOf(product.error)} busy={product.isFetching} onRetry={product.refetch} />
      )}
      {product.data?.signInProviders.length === 0 && (
        <NoticeLine tone="info">
          No sign-in provider is set up on this server. The administrator can print a sign-in link with
          ‘datadeck login EMAIL’.
        </NoticeLine>
      )}
      {product.data?.demo !== false && (
        <>
          <div className="flex items-center gap-3 text-12 text-ink-3">
            <span className="h-px flex-1 bg-line-strong" />
            or as
            <span className="h-px flex-1 bg-line-strong" />
          </div>
          <Button
            size="lg"
            busy={demo.isLoading}
            disabled={demo.isLoading}
            onPointerEnter={onIntent}
            onFocus={onIntent}
            onClick={() => void signInAsDemo()}
          >
            Demo User
          </Button>
        </>
      )}
      {demo.isError && <NoticeLine tone="error">{sentenceOf(demo.error)}</NoticeLine>}
      {(product.isLoading || product.data?.sandbox) && (
        <p className="min-h-8 text-12 text-ink-3">
          {product.data?.sandbox &&
            'The providers are simulated on this server, with sample accounts. No data leaves it.'}
        </p>
      )}
    </div>
  );
}
