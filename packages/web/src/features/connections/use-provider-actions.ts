import type { Account } from '@datadeck/contract';
import { useState } from 'react';
import type { Provider } from '../../api/models.ts';
import { confirm, confirmDeletion } from '../../ui/confirmation.tsx';
import { toasts } from '../../ui/toast.tsx';
import { accountName } from './account-name.ts';
import { useDeleteProviderDataMutation, useDisconnectMutation } from './connections-api.ts';

type LeftBehind = NonNullable<Provider['form']>['leftBehind'];

/** What the card says after an action. */
export interface Outcome {
  sentence: string;
  /** What is left at the provider, and where to delete it. */
  left: LeftBehind;
}

const NOTHING: Outcome = { sentence: '', left: null };

const isInUse = ({ status }: Account) => status !== 'disconnected';

/** Returns further words of a question about all accounts of a provider; none for a single one. */
function aboutAll(accounts: readonly Account[], words: (all: string) => string): string | undefined {
  return accounts.length > 1 ? words(`all ${accounts.length} accounts`) : undefined;
}

/** Asks for, and carries out, the disconnect and the deletion of all accounts of a provider, or of one. */
export function useProviderActions(provider: Provider) {
  const [disconnect, disconnecting] = useDisconnectMutation();
  const [deleteData, deleting] = useDeleteProviderDataMutation();
  const [outcome, setOutcome] = useState(NOTHING);
  const { key, title, accounts, connection } = provider;
  const inUse = accounts.filter(isInUse);

  function leftBehind(account: Account | undefined): LeftBehind {
    const methods = account ? [account.method] : [connection?.method, ...inUse.map(({ method }) => method)];
    return methods.includes('form') ? (provider.form?.leftBehind ?? null) : null;
  }

  async function askDisconnect(account?: Account) {
    const message =
      "Associated data won't be deleted, you will be able to reconnect to synchronized data. Confirm to continue.";
    const detail = account
      ? inUse.length > 1
        ? `Its records are hidden until you reconnect it. The other accounts of ${title} stay connected.`
        : undefined
      : aboutAll(inUse, (all) => `This disconnects ${all}.`);
    const name = account ? accountName(account) : title;
    if (!(await confirm(`Disconnect ${name}`, message, detail))) return;
    setOutcome(NOTHING);
    const left = leftBehind(account);
    const { error } = await disconnect({ provider: key, account: account?.account });
    if (error) toasts.error(`Failed disconnecting the ${account ? 'account' : 'provider'}`);
    else if (account) setOutcome({ sentence: `${name} was disconnected. Its data was kept.`, left });
    else setOutcome({ sentence: 'Disconnected. The synchronized data was kept.', left });
  }

  async function askDeleteData(account?: Account) {
    const what = account ? 'account' : 'provider';
    const message = `All associated data for this ${what} will be deleted. Confirm to continue.`;
    const detail = account ? undefined : aboutAll(accounts, (all) => `This deletes the data of ${all}.`);
    const name = account ? accountName(account) : title;
    if (!(await confirmDeletion(`Delete data of ${name}`, message, detail))) return;
    setOutcome(NOTHING);
    const { error } = await deleteData({ provider: key, account: account?.account });
    if (error) toasts.error(`Failed deleting the data for this ${what}`);
    else if (account) setOutcome({ sentence: `All data of ${name} was deleted.`, left: null });
    else setOutcome({ sentence: 'All data of this provider was deleted.', left: null });
  }

  return {
    outcome,
    clear: () => setOutcome(NOTHING),
    askDisconnect,
    askDeleteData,
    isBusy: disconnecting.isLoading || deleting.isLoading,
  };
}
