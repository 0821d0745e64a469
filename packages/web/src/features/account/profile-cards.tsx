import { LINK_PROVIDER, type Profile } from '@datadeck/contract';
import { causeOf } from '../../api/failure.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { confirmDeletion } from '../../ui/confirmation.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { TimeZoneSelect } from '../../ui/time-zone-select.tsx';
import { toasts } from '../../ui/toast.tsx';
import {
  useDeleteAccountMutation,
  useDeleteAllDataMutation,
  useUpdateProfileMutation,
} from '../sign-in/accounts-api.ts';
import { EditProfileButton } from './edit-profile-button.tsx';

const TONES: Record<Profile['status'], Tone> = { demo: 'secondary', standard: 'accent', pro: 'success' };

/** Says what an address that nobody has verified means, and who verifies it. */
function UnverifiedHint({ id }: { id: string }) {
  return (
    <>
      Unverified: no mails go to it, and commands find the account by its id. The administrator can verify it:{' '}
      <code className="font-mono wrap-anywhere">datadeck users --verify {id}</code>
    </>
  );
}

/** The 'Profile Info' card. */
export function ProfileCard({ profile }: { profile: Profile }) {
  const status = profile.status.charAt(0).toUpperCase() + profile.status.slice(1);
  const [updateProfile, { isLoading }] = useUpdateProfileMutation();
  async function changeTimeZone(timeZone: string) {
    const { error } = await updateProfile({ timeZone });
    if (error) toasts.error(`The time zone was not changed. ${causeOf(error)}`);
    else toasts.success('Time zone was changed');
  }
  return (
    <Card
      title="Profile Info"
      actions={
        <div className="flex items-center gap-3">
          <Badge tone={TONES[profile.status]}>{status}</Badge>
          {profile.signInProvider === LINK_PROVIDER && <EditProfileButton profile={profile} />}
        </div>
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="Name" value={profile.name} readOnly />
        <TextField
          label="Email"
          value={profile.email}
          readOnly
          hint={profile.isUnverified ? <UnverifiedHint id={profile._id} /> : undefined}
        />
        <div className="flex flex-col gap-1.5">
          <TimeZoneSelect
            value={profile.timeZone ?? 'UTC'}
            disabled={isLoading}
            onChange={(timeZone) => void changeTimeZone(timeZone)}
          />
          <p className="text-12 text-ink-3">
            Days of Home, searches, History and new schedules begin at its midnight.
          </p>
        </div>
      </div>
    </Card>
  );
}

/** Placeholder for the profile while it loads. */
export function LoadingProfile() {
  return (
    <div role="status" className="grid gap-4 sm:grid-cols-2">
      <span className="sr-only">Loading...</span>
      {['name', 'email'].map((field) => (
        <div key={field} className="flex flex-col gap-1.5">
          <Skeleton className="my-1 h-3 w-16" />
          <Skeleton className="h-8" />
        </div>
      ))}
    </div>
  );
}

interface DeletionProps {
  title: string;
  text: string;
  button: string;
  busy: boolean;
  onClick: () => void;
}

function Deletion({ title, text, button, busy, onClick }: DeletionProps) {
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  return (
    <Card title={title}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-13 text-ink-2">{text}</p>
        <Button
          variant="danger"
          busy={busy}
          disabled={!mayChange || busy}
          title={forbidden}
          onClick={onClick}
        >
          {button}
        </Button>
      </div>
    </Card>
  );
}

/** The 'Data' card: deletes all data but keeps the account. */
export function DataCard() {
  const [deleteData, { isLoading }] = useDeleteAllDataMutation();
  async function ask() {
    if (
      !(await confirmDeletion(
        'Delete all data',
        'Are you sure you want to delete all your data? This action is irreversible',
      ))
    )
      return;
    const { error } = await deleteData();
    if (error) toasts.error('Account data deletion was unsuccessful');
    else toasts.success('Account data was deleted successfully');
  }
  return (
    <Deletion
      title="Data"
      text="You can delete all your data. Account will be untouched."
      button="Delete all data"
      busy={isLoading}
      onClick={() => void ask()}
    />
  );
}

/** The 'Account' card: deletes the account with its data. */
export function AccountCard({ onDeleted }: { onDeleted: () => void }) {
  const [deleteAccount, { isLoading }] = useDeleteAccountMutation();
  async function ask() {
    if (
      !(await confirmDeletion(
        'Delete Account',
        'Are you sure you want to delete your account? This action is irreversible',
      ))
    )
      return;
    const { error } = await deleteAccount();
    if (error) {
      toasts.error('Account deletion was unsuccessful');
      return;
    }
    toasts.success('Account deleted successfully');
    onDeleted();
  }
  return (
    <Deletion
      title="Account"
      text="Delete your account and data all together."
      button="Delete Account"
      busy={isLoading}
      onClick={() => void ask()}
    />
  );
}
