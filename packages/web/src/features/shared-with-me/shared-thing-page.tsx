import type { SharedWithMe } from '@datadeck/contract';
import { ArrowLeft, CircleSlash, Copy, LogOut, Users } from 'lucide-react';
import { useCallback, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { SHARED_PATHS } from '../../address/paths.ts';
import { causeOf, errorOf } from '../../api/failure.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { Age } from '../../ui/date-time.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { LoadingRows } from '../../ui/skeleton.tsx';
import { useOpenSharedMutation, useSharedDetailsQuery } from '../invitations/invitations-api.ts';
import { NoticeCard } from '../invitations/notice-card.tsx';
import { Person } from '../invitations/person.tsx';
import { SharedPage } from '../shared-page/shared-page.tsx';
import { CopyDialog } from './copy-dialog.tsx';
import { useLeave } from './use-leave.ts';

/** Says whose page it is, with what the member can do with it. */
function SharedBar({ shared }: { shared: SharedWithMe }) {
  const navigate = useNavigate();
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const [isCopying, setIsCopying] = useState(false);
  const [leave, isLeaving] = useLeave();
  return (
    <div className="mb-2 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-md border bg-surface px-4 py-2 shadow-low print:hidden">
      <div className="flex min-w-0 items-center gap-3 text-13 text-ink-2">
        <Users aria-hidden="true" size={16} className="shrink-0 text-ink-3" />
        <p className="wrap-anywhere">
          <Person person={shared.owner} /> shares this {shared.kind} with you.{' '}
          <span className="text-ink-3">
            Accepted <Age iso={shared.acceptedAt} />
          </span>
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="ghost"
          icon={<LogOut size={14} />}
          busy={isLeaving}
          disabled={!mayChange || isLeaving}
          title={forbidden}
          onClick={async () => {
            if (await leave(shared)) void navigate(SHARED_PATHS.list, { replace: true });
          }}
        >
          Leave
        </Button>
        <Button
          icon={<Copy size={14} />}
          disabled={!mayChange}
          title={forbidden}
          onClick={() => setIsCopying(true)}
        >
          Copy to my workspace
        </Button>
      </div>
      {isCopying && <CopyDialog shared={shared} onClose={() => setIsCopying(false)} />}
    </div>
  );
}

/** The page of something shared; another id is another page. */
function OpenPage({ sharedId }: { sharedId: string }) {
  const [openShared] = useOpenSharedMutation();
  const open = useCallback(() => openShared(sharedId).unwrap(), [openShared, sharedId]);
  // The page has the padding of a window of its own.
  return (
    <div className="-mx-4 md:-mx-6">
      <SharedPage open={open} />
    </div>
  );
}

/** The screen of `/dashboard/shared/{sharedId}`: a view or board that somebody shares with the user, read-only. */
export function SharedThingPage() {
  const { sharedId = '' } = useParams();
  const { currentData, error, isFetching, refetch } = useSharedDetailsQuery(sharedId);
  const code = errorOf(error)?.code;
  if (code === 'not-found' || code === 'validation-failed' || code === 'sharing-off')
    return (
      <NoticeCard icon={CircleSlash} title="This is not shared with you">
        <p>
          {code === 'sharing-off'
            ? 'The administrator of this server has turned off sharing.'
            : 'The person who shared it may have taken it back or deleted it. Ask for a new invitation.'}
        </p>
        <p>
          <Link
            to={SHARED_PATHS.list}
            className="font-medium text-accent-text underline-offset-2 hover:underline"
          >
            Shared with me
          </Link>
        </p>
      </NoticeCard>
    );
  if (currentData)
    return (
      <>
        <Link
          to={SHARED_PATHS.list}
          className="mb-3 inline-flex h-8 items-center gap-1.5 rounded-sm text-13 text-ink-2 hover:text-ink touch:h-10 print:hidden"
        >
          <ArrowLeft aria-hidden="true" size={14} />
          Shared with me
        </Link>
        <SharedBar shared={currentData} />
        <OpenPage key={sharedId} sharedId={sharedId} />
      </>
    );
  if (error === undefined) return <LoadingRows rows={6} words="Opening the shared page..." />;
  return (
    <LoadFailure
      sentence="What is shared with you could not be opened."
      detail={causeOf(error)}
      busy={isFetching}
      onRetry={refetch}
    />
  );
}
