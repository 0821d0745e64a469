import { oneLineNameSchema, type Passkey } from '@datadeck/contract';
import { NameDialog } from '../../ui/name-dialog.tsx';
import { useRenamePasskeyMutation } from './passkeys-api.ts';

/** The dialog that renames a passkey. */
export function RenamePasskeyDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const [rename, { isLoading, error }] = useRenamePasskeyMutation();
  return (
    <NameDialog
      title="Rename the passkey"
      name={passkey.name}
      required
      problemOf={(name) => oneLineNameSchema.safeParse(name).error?.issues[0]?.message}
      hint="A name that helps you recognise the device or key."
      isSaving={isLoading}
      error={error}
      onSave={async (name) => !(await rename({ id: passkey._id, name })).error}
      onClose={onClose}
    />
  );
}
