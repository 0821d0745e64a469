import { useDispatch, useSelector } from 'react-redux';
import { selectUser, signedOut } from '../../features/accounts/auth-slice.ts';
import { AccountCard, DataCard, ProfileCard } from '../../features/accounts/profile-cards.tsx';
import { Card } from '../../ui/card.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { LoadingRows } from '../../ui/skeleton.tsx';

/** Account. */
export function AccountPage() {
  const dispatch = useDispatch();
  const user = useSelector(selectUser);
  return (
    <>
      <PageHeader title="Account" description="Your profile, your data, and the way out." />
      <div className="flex max-w-3xl flex-col gap-4">
        {user ? (
          <ProfileCard profile={user} />
        ) : (
          <Card title="Profile Info">
            <LoadingRows rows={2} />
          </Card>
        )}
        <DataCard />
        <AccountCard onDeleted={() => dispatch(signedOut())} />
      </div>
    </>
  );
}
