import type { CreatedInvitation } from '@datadeck/contract';
import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { causeOf, sentenceOf } from '../../api/failure.ts';
import { useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { LoadingRows } from '../../ui/skeleton.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { givenParameters, readParameter } from '../expressions/parameter-value.ts';
import { useCreateInvitationMutation, useInvitationsQuery } from '../invitations/invitations-api.ts';
import { CopyLink } from './copy-link.tsx';
import { FixedValues } from './fixed-values.tsx';
import { InvitationLine } from './invitation-line.tsx';
import { leftOutOf, meaningOfInvitation } from './link-words.ts';
import { type Shared, targetOf } from './shared-subject.ts';

interface PeopleWithAccessProps {
  shared: Shared;
  /** Chooses who it is shared with. */
  audience: ReactNode;
  onClose: () => void;
}

/** The link of a new invitation, which is shown once. */
function NewInvitation({ created: { path, expiresAt } }: { created: CreatedInvitation }) {
  return (
    <TextField
      label="Link of the invitation"
      value={location.origin + path}
      readOnly
      className="font-mono"
      hint={
        <>
          Copy it now: it is not shown again. The first person who accepts it gets access; it can be accepted
          until <DateTime iso={expiresAt} className="tabular-nums" />.
        </>
      }
      onFocus={({ currentTarget }) => currentTarget.select()}
    />
  );
}

/** The people who are invited, newest first. */
function People({ shared }: { shared: Shared }) {
  const { data, error, isFetching, refetch } = useInvitationsQuery(targetOf(shared));
  if (data?.length === 0) return null;
  return (
    <section aria-label="Invited people" className="border-t pt-4">
      {data && (
        <ul className="flex flex-col">
          {data.map((invitation) => (
            <InvitationLine key={invitation._id} invitation={invitation} />
          ))}
        </ul>
      )}
      {!data && error === undefined && <LoadingRows rows={2} />}
      {!data && error !== undefined && (
        <LoadFailure
          sentence="The invitations could not be loaded."
          detail={causeOf(error)}
          busy={isFetching}
          onRetry={refetch}
        />
      )}
    </section>
  );
}

/** Invites people with an account, lists them, and takes their access back. */
export function PeopleWithAccess({ shared, audience, onClose }: PeopleWithAccessProps) {
  const mayChange = useMayChange();
  const [create, { isLoading, error }] = useCreateInvitationMutation();
  const [created, setCreated] = useState<CreatedInvitation>();
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(shared.inputs.map(({ name }) => [name, shared.textOf(name)])),
  );
  const textOf = (name: string) => texts[name] ?? '';
  // A value that cannot be read would be left out, and the member would see more than intended.
  const areReadable = shared.inputs.every(
    (input) => readParameter(input, textOf(input.name)).problem === undefined,
  );
  async function invite() {
    const parameters = givenParameters(shared.inputs, textOf);
    const { data } = await create({
      ...targetOf(shared),
      ...(parameters !== undefined && { parameters }),
    });
    if (data) setCreated(data);
  }
  const details = [leftOutOf(shared), shared.narrowed].filter((text) => text !== undefined);
  return (
    <Dialog
      open
      onClose={onClose}
      title="Share"
      subtitle={shared.title}
      footer={
        created ? (
          <>
            <Button icon={<Plus size={14} />} onClick={() => setCreated(undefined)}>
              New invitation
            </Button>
            <CopyLink link={location.origin + created.path} />
          </>
        ) : (
          <Button
            variant="primary"
            busy={isLoading}
            disabled={!mayChange || isLoading || !areReadable}
            onClick={() => void invite()}
          >
            Create invitation
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-4">
        <div>{audience}</div>
        {error !== undefined && <NoticeLine tone="error">{sentenceOf(error)}</NoticeLine>}
        {created ? (
          <NewInvitation created={created} />
        ) : (
          <>
            <NoticeLine tone="info">
              {meaningOfInvitation(shared)}
              {details.length > 0 && <span className="font-medium text-ink"> {details.join(' ')}</span>}
            </NoticeLine>
            <FixedValues
              inputs={shared.inputs}
              texts={texts}
              onText={(name, text) => setTexts((known) => ({ ...known, [name]: text }))}
            />
          </>
        )}
        <People shared={shared} />
      </div>
    </Dialog>
  );
}
