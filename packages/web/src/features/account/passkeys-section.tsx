import type { Passkey, Passkeys } from '@datadeck/contract';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { causeOf, sentenceOf } from '../../api/failure.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { confirmDeletion } from '../../ui/confirmation.tsx';
import { Age, DateTime } from '../../ui/date-time.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { toasts } from '../../ui/toast.tsx';
import { useUser } from '../sign-in/use-user.ts';
import { AddPasskey } from './add-passkey.tsx';
import { usePasskeysQuery, useRemovePasskeyMutation } from './passkeys-api.ts';
import { RemoveMethodButton } from './remove-method-button.tsx';
import { RenamePasskeyDialog } from './rename-passkey-dialog.tsx';

interface PasskeyRowProps {
  passkey: Passkey;
  /** Whether the account has no other way to sign in. */
  isOnly: boolean;
}

function PasskeyRow({ passkey, isOnly }: PasskeyRowProps) {
  const { _id: id, name, createdAt, lastUsedAt, isBackedUp } = passkey;
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const [isRenaming, setIsRenaming] = useState(false);
  const [remove, { isLoading }] = useRemovePasskeyMutation();

  async function ask() {
    const question =
      'You can no longer sign in with it, and all other browsers are signed out. Your data stays. Delete it on its device, too.';
    if (!(await confirmDeletion(`Remove the passkey ${name}`, question))) return;
    const { error } = await remove(id);
    if (error) toasts.error(sentenceOf(error));
    else toasts.success('The passkey was removed');
  }

  return (
    <li className="flex items-start gap-3 border-b py-3 first:pt-0 last:border-b-0 last:pb-0">
      <KeyRound aria-hidden="true" size={16} className="mt-0.5 shrink-0" />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-40 flex-1 basis-52">
          <p dir="auto" className="wrap-anywhere text-left text-13 font-medium">
            {name}
          </p>
          <p className="text-12 text-ink-3">
            {lastUsedAt === null ? (
              'Not used yet'
            ) : (
              <>
                Last used <Age iso={lastUsedAt} />
              </>
            )}
            {' · since '}
            <DateTime iso={createdAt} className="tabular-nums" />
            {isBackedUp && ' · backed up by its provider'}
          </p>
        </div>
        <div className="flex gap-2">
          <Button
            size="sm"
            aria-label={`Rename ${name}`}
            disabled={!mayChange}
            title={forbidden}
            onClick={() => setIsRenaming(true)}
          >
            Rename
          </Button>
          {!isOnly && <RemoveMethodButton name={name} isRemoving={isLoading} onRemove={() => void ask()} />}
        </div>
      </div>
      {isRenaming && <RenamePasskeyDialog passkey={passkey} onClose={() => setIsRenaming(false)} />}
    </li>
  );
}

/** Says why no passkey can be added here; nothing where one can. */
function whyNot({ problem, origin }: Passkeys, isDemo: boolean) {
  if (isDemo)
    return 'A demo user signs in by a button and has no account to come back to, so there is nothing to add a passkey to.';
  if (problem !== undefined) return problem;
  if (location.origin === origin) return undefined;
  return (
    <>
      Passkeys of this server work at its public address only. Open Datadeck there:{' '}
      <a className="underline" href={`${origin}${location.pathname}`}>
        {origin}
      </a>
    </>
  );
}

/** The passkeys of the account. @param methods number of other ways to sign in */
export function PasskeysSection({ methods }: { methods: number }) {
  const { data, error, isFetching, refetch } = usePasskeysQuery();
  const { data: user } = useUser();
  if (data === undefined)
    return error === undefined ? null : (
      <LoadFailure sentence={causeOf(error)} busy={isFetching} onRetry={refetch} />
    );
  const { passkeys } = data;
  const reason = whyNot(data, user?.status === 'demo');
  return (
    <section aria-label="Passkeys" className="flex flex-col gap-4 border-t pt-4">
      <div>
        <h3 className="text-13 font-semibold">Passkeys</h3>
        <p className="text-12 text-ink-3">
          Sign in by fingerprint, face or PIN. A passkey in a password manager, on a phone or on a security
          key also works on your other devices.
        </p>
      </div>
      {passkeys.length > 0 && (
        <ul aria-label="Passkeys" className="flex flex-col">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey._id} passkey={passkey} isOnly={methods + passkeys.length === 1} />
          ))}
        </ul>
      )}
      {reason === undefined ? <AddPasskey /> : <NoticeLine tone="info">{reason}</NoticeLine>}
    </section>
  );
}
