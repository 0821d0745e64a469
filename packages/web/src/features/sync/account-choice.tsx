import type { EntityAccount, UserEntity } from '@datadeck/contract';
import { countOf } from '../../ui/duration.ts';
import { Select } from '../../ui/select.tsx';
import { accountName } from '../connections/account-name.ts';
import { ACCOUNT_STATUS } from '../connections/account-status.ts';

interface AccountChoiceProps {
  accounts: UserEntity['accounts'];
  account: EntityAccount | undefined;
  onChange: (account: string) => void;
}

/** Chooses the account of an entity whose syncs and settings the dialog shows. */
export function AccountChoice({ accounts, account, onChange }: AccountChoiceProps) {
  const options = accounts.map((one) => ({ value: one.account, label: accountName(one) }));
  return (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
      <div className="w-full sm:w-72">
        <Select
          label="Account"
          options={options}
          value={options.find(({ value }) => value === account?.account) ?? null}
          onChange={(option) => option && onChange(option.value)}
        />
      </div>
      {account && (
        <p className="flex min-h-8 items-center text-12 text-ink-3 tabular-nums">
          {ACCOUNT_STATUS[account.status].text} · {countOf(account.records, 'stored record')}
        </p>
      )}
    </div>
  );
}
