import { useDispatch } from 'react-redux';
import { causeOf } from '../../api/failure.ts';
import { Card } from '../../ui/card.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useBoardsQuery } from '../boards/boards-api.ts';
import { useProfileQuery } from '../sign-in/accounts-api.ts';
import { signedOut } from '../sign-in/auth-slice.ts';
import { useUser } from '../sign-in/use-user.ts';
import { TokensCard } from '../tokens/tokens-card.tsx';
import { useAllViewsQuery } from '../views/views-api.ts';
import { DiskUseCard } from './disk-use-card.tsx';
import { AccountCard, DataCard, LoadingProfile, ProfileCard } from './profile-cards.tsx';
import { SignInMethodsCard } from './sign-in-methods-card.tsx';

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
  const boards = useBoardsQuery();
  return (
    <>
      <PageHeader title="Account" description="Your profile, your data, and how to delete your account." />
      <div className="flex max-w-3xl flex-col gap-4">
        {user ? <ProfileCard profile={user} /> : <ProfileMissing />}
        <SignInMethodsCard />
        <TokensCard views={load.data ?? []} boards={boards.data ?? []} load={load} />
        <DiskUseCard />
        <DataCard />
        <AccountCard onDeleted={() => dispatch(signedOut())} />
      </div>
    </>
  );
}
