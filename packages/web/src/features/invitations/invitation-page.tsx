import type { InvitationLink, InvitationPreview } from '@datadeck/contract';
import { CircleSlash, LinkIcon, type LucideIcon, MailOpen } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { SHARED_PATHS } from '../../address/paths.ts';
import { causeOf, errorOf, sentenceOf } from '../../api/failure.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { LoadingRows } from '../../ui/skeleton.tsx';
import { parseInvitationLink } from './invitation-link.ts';
import { useAcceptInvitationMutation, usePreviewInvitationQuery } from './invitations-api.ts';
import { NoticeCard } from './notice-card.tsx';
import { Person } from './person.tsx';
import { SignInAgain } from './sign-in-again.tsx';

/** The address of something that is shared with the user. */
const pathOf = (sharedId: string) => `${SHARED_PATHS.list}/${sharedId}`;

const LINK = 'font-medium text-accent-text underline-offset-2 hover:underline';

function Problem({ icon, title, children }: { icon: LucideIcon; title: string; children: ReactNode }) {
  return (
    <NoticeCard icon={icon} title={title}>
      <p>{children}</p>
      <p>
        <Link to={SHARED_PATHS.list} className={LINK}>
          Shared with me
        </Link>
      </p>
    </NoticeCard>
  );
}

/** What accepting means, and the button that accepts. */
function Offer({ link, preview }: { link: InvitationLink; preview: InvitationPreview }) {
  const { kind, title, owner, sharedId } = preview;
  const navigate = useNavigate();
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const [accept, { isLoading, error }] = useAcceptInvitationMutation();
  async function submit() {
    const { data } = await accept(link);
    // The address contains the secret, which is not needed any more.
    if (data) void navigate(pathOf(sharedId), { replace: true });
  }
  return (
    <NoticeCard
      icon={MailOpen}
      title={`You are invited to the ${kind} ‘${title}’`}
      actions={
        <>
          <Button
            size="lg"
            variant="primary"
            busy={isLoading}
            disabled={!mayChange || isLoading}
            title={forbidden}
            onClick={() => void submit()}
          >
            Accept
          </Button>
          {forbidden !== undefined && <SignInAgain />}
        </>
      }
    >
      <p>
        <Person person={owner} /> shares it with you.
      </p>
      <ul className="flex list-disc flex-col gap-1 pl-5 text-13">
        <li>You can read and download its rows, and copy it to read your own data in the same way.</li>
        <li>{owner.name} then sees your name and e-mail address. Nobody sees your data.</li>
        <li>You can leave it, and {owner.name} can take it back, at any time.</li>
      </ul>
      {forbidden !== undefined && (
        <NoticeLine tone="info">
          Demo users cannot accept invitations. Sign in with an account: you then return to this invitation.
        </NoticeLine>
      )}
      {error !== undefined && <NoticeLine tone="error">{sentenceOf(error)}</NoticeLine>}
    </NoticeCard>
  );
}

function Preview({ link }: { link: InvitationLink }) {
  const { data, error, isFetching, refetch } = usePreviewInvitationQuery(link);
  if (data?.state === 'own')
    return (
      <Problem icon={LinkIcon} title="This is your own invitation">
        It is for the {data.kind} ‘{data.title}’. Send the link to the person whom you want to invite; only
        one person can accept it.
      </Problem>
    );
  if (data?.state === 'accepted')
    return (
      <NoticeCard icon={MailOpen} title="You have accepted this invitation">
        <p>
          <Person person={data.owner} /> shares the {data.kind}{' '}
          <Link to={pathOf(data.sharedId)} className={LINK}>
            {data.title}
          </Link>{' '}
          with you.
        </p>
      </NoticeCard>
    );
  if (data) return <Offer link={link} preview={data} />;
  const code = errorOf(error)?.code;
  if (code === 'share-ended')
    return (
      <Problem icon={CircleSlash} title="This invitation is not valid any more">
        It has expired, was taken back, or somebody else has accepted it. Ask the person who sent it for a new
        one.
      </Problem>
    );
  if (code === 'sharing-off')
    return (
      <Problem icon={CircleSlash} title="Sharing is turned off">
        The administrator of this server has turned off sharing. Ask the person who sent the link.
      </Problem>
    );
  if (error === undefined) return <LoadingRows rows={4} words="Opening the invitation..." />;
  return (
    <LoadFailure
      sentence="The invitation could not be opened."
      detail={causeOf(error)}
      busy={isFetching}
      onRetry={refetch}
    />
  );
}

/** The screen of `/dashboard/shared/invitation#{invitation}.{secret}`: who invites to what. */
export function InvitationPage() {
  const { hash } = useLocation();
  const link = parseInvitationLink(hash);
  if (link) return <Preview key={hash} link={link} />;
  return (
    <Problem icon={LinkIcon} title="This link is not complete">
      A part of it is missing, perhaps its end after the #. Copy the whole link, or ask the person who sent
      it.
    </Problem>
  );
}
