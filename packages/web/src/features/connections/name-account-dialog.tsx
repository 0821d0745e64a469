import { type Account, BOUNDS, nameAccountSchema } from '@datadeck/contract';
import { NameDialog } from '../../ui/name-dialog.tsx';
import { useNameAccountMutation } from './connections-api.ts';

interface NameAccountDialogProps {
  /** Key of the account's provider. */
  provider: string;
  account: Account;
  onClose: () => void;
}

/** The dialog that names an account, e.g. 'Work', or removes its name. */
export function NameAccountDialog({
  provider,
  account: { account, title },
  onClose,
}: NameAccountDialogProps) {
  const [nameAccount, { isLoading, error }] = useNameAccountMutation();
  return (
    <NameDialog
      title="Name the account"
      subtitle={account}
      name={title}
      problemOf={(name) => nameAccountSchema.shape.title.safeParse(name).error?.issues[0]?.message}
      placeholder="Work"
      hint={`Shown instead of ${account}, up to ${BOUNDS.accountTitle} characters. Without a name, ${account} is shown.`}
      isSaving={isLoading}
      error={error}
      onSave={async (name) => !(await nameAccount({ provider, account, title: name })).error}
      onClose={onClose}
    />
  );
}
