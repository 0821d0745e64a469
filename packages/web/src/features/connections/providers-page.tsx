import { STALE_TAGS } from '@datadeck/contract/cache-tags';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import { Link, useSearchParams } from 'react-router';
import { PATHS } from '../../address/paths.ts';
import { baseApi } from '../../api/base-api.ts';
import type { Provider } from '../../api/models.ts';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { toasts } from '../../ui/toast.tsx';
import { useUser } from '../sign-in/use-user.ts';
import { announceAccount } from './announce-account.ts';
import { AnyApiCard } from './any-api-card.tsx';
import { takeConnectFailure } from './connect-failure.ts';
import { useProvidersQuery } from './connections-api.ts';
import { ProviderCard, SocialProviderCard } from './provider-card.tsx';

/**
 * Handles the return from a connection: `provider` holds the provider's key, or is empty if connecting failed. After an account
 * was added, `account` names it, and `known` says that it was connected before.
 * @returns why connecting failed; empty if it did not, or if nobody knows
 */
function useConnectResult(providers: readonly Provider[] | undefined): string {
  const [reason, setReason] = useState('');
  const dispatch = useDispatch();
  const [params, setParams] = useSearchParams();
  const provider = params.get('provider');
  const account = params.get('account');
  const isKnown = params.has('known');
  const seen = useRef<string | null>(null);
  useEffect(() => {
    // An account is announced only if the user has it, since anybody can write a link.
    if (account !== null && !providers) return;
    const isNew = seen.current !== provider;
    seen.current = provider;
    if (provider === null || !isNew) return;
    const accounts = providers?.find(({ key }) => key === provider)?.accounts ?? [];
    setReason(provider === '' ? takeConnectFailure() : '');
    if (provider === '') toasts.error('Failed connecting with provider');
    else dispatch(baseApi.util.invalidateTags([...STALE_TAGS.connection]));
    if (account !== null && accounts.some((one) => one.account === account))
      announceAccount({ account, isKnown }, accounts);
    setParams({}, { replace: true });
  }, [provider, account, isKnown, providers, dispatch, setParams]);
  return reason;
}

interface ProvidersPageProps {
  /** Shown above the cards. */
  firstSteps?: ReactNode;
  /** Goes to the synchronization of a provider's data. */
  onSynchronize?: (provider: Provider) => void;
}

/** The Providers screen. */
export function ProvidersPage({ firstSteps, onSynchronize }: ProvidersPageProps) {
  const { data } = useProvidersQuery();
  const failure = useConnectResult(data);
  const providers = data ?? [];
  const { data: user } = useUser();
  return (
    <>
      <PageHeader
        title="Providers"
        description="Where your data comes from."
        actions={
          user?.isAdministrator && (
            <Link
              to={PATHS.connectors}
              className="inline-flex h-8 items-center rounded-sm border border-line-strong bg-surface px-3 text-13 font-medium shadow-low transition-colors duration-100 hover:bg-hover touch:h-10"
            >
              Connectors
            </Link>
          )
        }
      />
      {failure !== '' && (
        <div className="mb-4">
          <NoticeLine tone="error">{failure}</NoticeLine>
        </div>
      )}
      {firstSteps}
      <div className="grid grid-cols-1 gap-4 @min-[38rem]:grid-cols-2 @min-[56rem]:grid-cols-3">
        {providers.map((provider) => (
          <ProviderCard
            key={provider.id}
            provider={provider}
            isSignInProvider={user?.signInProvider === provider.key}
            onSynchronize={onSynchronize && (() => onSynchronize(provider))}
          />
        ))}
        <SocialProviderCard />
        {user?.isAdministrator && <AnyApiCard />}
      </div>
    </>
  );
}
