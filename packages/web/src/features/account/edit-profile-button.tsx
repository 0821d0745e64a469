import { type Profile, profileChangeSchema } from '@datadeck/contract';
import { type FormEvent, useId, useState } from 'react';
import { errorOf, sentenceOf } from '../../api/failure.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toasts } from '../../ui/toast.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { useUpdateProfileMutation } from '../sign-in/accounts-api.ts';

/** Returns what is wrong with a text; undefined if nothing is. */
function problemOf(field: 'name' | 'email', text: string): string | undefined {
  return profileChangeSchema.shape[field].safeParse(text).error?.issues[0]?.message;
}

/** The dialog that changes name and address of an account that no identity provider describes. */
function EditProfileDialog({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const formId = useId();
  const [name, setName] = useState(profile.name);
  const [email, setEmail] = useState(profile.email);
  const [updateProfile, { isLoading, error, reset }] = useUpdateProfileMutation();
  const problems = { name: problemOf('name', name), email: problemOf('email', email) };
  const changes = {
    ...(name.trim() !== profile.name && { name: name.trim() }),
    ...(email.trim() !== profile.email && { email: email.trim() }),
  };
  const isChanged = Object.keys(changes).length > 0;
  // An unchanged address may be one that was never valid, such as owner@localhost.
  const isValid = problems.name === undefined && (!('email' in changes) || problems.email === undefined);
  const close = useUnsaved(isChanged, onClose);
  const refused = errorOf(error)?.fields?.email;
  async function save(event: FormEvent) {
    event.preventDefault();
    if (!isChanged || !isValid || isLoading) return;
    const { error: failure } = await updateProfile(changes);
    if (failure) return;
    toasts.success('Profile was changed');
    onClose();
  }
  return (
    <Dialog
      open
      size="sm"
      onClose={close}
      title="Name and address"
      footer={
        <Button
          type="submit"
          form={formId}
          variant="primary"
          busy={isLoading}
          disabled={!mayChange || isLoading || !isChanged || !isValid}
          title={forbidden}
        >
          Save
        </Button>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void save(event)} className="flex flex-col gap-4">
        <TextField
          label="Name"
          required
          data-autofocus
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={problems.name}
        />
        <TextField
          label="Email"
          type="email"
          required
          value={email}
          onChange={(event) => {
            reset();
            setEmail(event.target.value);
          }}
          error={refused ?? ('email' in changes ? problems.email : undefined)}
          hint="A changed address is unverified until the administrator of this server verifies it."
        />
        {error !== undefined && refused === undefined && (
          <NoticeLine tone="error">{sentenceOf(error)}</NoticeLine>
        )}
      </form>
    </Dialog>
  );
}

/** Opens the dialog that changes name and address. */
export function EditProfileButton({ profile }: { profile: Profile }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="sm" aria-label="Edit profile" onClick={() => setIsOpen(true)}>
        Edit
      </Button>
      {isOpen && <EditProfileDialog profile={profile} onClose={() => setIsOpen(false)} />}
    </>
  );
}
