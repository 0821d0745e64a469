import { useDispatch } from 'react-redux';
import { causeOf } from '../../api/failure.ts';
import { useProfileQuery } from '../../features/accounts/accounts-api.ts';
import { signedOut } from '../../features/accounts/auth-slice.ts';
import { DiskUseCard } from '../../features/accounts/disk-use-card.tsx';
import {
  AccountCard,
  DataCard,
  LoadingProfile,
  ProfileCard,
} from '../../features/accounts/profile-cards.tsx';
import { SignInMethodsCard } from '../../features/accounts/sign-in-methods-card.tsx';
import { useUser } from '../../features/accounts/use-user.ts';
import { TokensCard } from '../../features/tokens/tokens-card.tsx';
import { useAllViewsQuery } from '../../features/views/views-api.ts';
import { Card } from '../../ui/card.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

/** Shown while the profile loads, or when it could not be loaded. */
function ProfileMissing() {
  const { error, isFetching, refetch } = useProfileQuery();
  return (
    <Card title="Profile Info">
      {error === undefined ? (
        <LoadingProfile />
      ) : (
        <LoadFailure sentence={causeOf(error)} busy={isFetching} onRetry={refetch} />
      )}
    </Card>
  );
}

/** The Account screen. */
export function AccountPage() {
  const dispatch = useDispatch();
  const { data: user } = useUser();
  const load = useAllViewsQuery();
  return (
    <>
      <PageHeader title="Account" description="Your profile, your data, and how to delete your account." />
      <div className="flex max-w-3xl flex-col gap-4">
        {user ? <ProfileCard profile={user} /> : <ProfileMissing />}
        <SignInMethodsCard />
        <TokensCard views={load.data ?? []} load={load} />
        <DiskUseCard />
        <DataCard />
        <AccountCard onDeleted={() => dispatch(signedOut())} />
      </div>
    </>
  );
}
