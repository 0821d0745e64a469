import type { Account } from '@datadeck/contract';
import { ChevronDown, Database, KeyRound, Pencil, Unplug, UserPlus } from 'lucide-react';
import type { Provider } from '../../api/models.ts';
import { useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { isListed } from './account-list.tsx';
import { openConsent } from './connect-control.tsx';
import type { useProviderActions } from './use-provider-actions.ts';

/** The dialog that is open over a card. */
export type OpenDialog =
  | { is: 'form'; account?: Account; isAddition?: boolean }
  | { is: 'name'; account: Account };

interface CardMenuProps {
  provider: Provider;
  isSignInProvider: boolean;
  isBusy: boolean;
  actions: Pick<ReturnType<typeof useProviderActions>, 'askDisconnect' | 'askDeleteData'>;
  onOpen: (dialog: OpenDialog) => void;
}

/** Menu items that replace the credentials of a connected provider, or add access to them. */
function connectItems(provider: Provider, mayChange: boolean, onForm: () => void): MenuItem[] {
  const { connection, consent, form } = provider;
  if (connection?.status !== 'connected') return [];
  const item = { icon: <KeyRound size={14} />, disabled: !mayChange };
  if (connection.method === 'form')
    return form ? [{ ...item, label: form.replaceAction, onSelect: onForm }] : [];
  return (consent?.access ?? [])
    .filter(({ isGranted }) => !isGranted)
    .map(({ value: access, label }) => ({
      ...item,
      label,
      onSelect: () => openConsent(provider, { access, account: connection.account }),
    }));
}

/** Menu items that connect another account of a connected provider, by its consent page, its form, or either. */
function additionItems(provider: Provider, mayChange: boolean, onForm: () => void): MenuItem[] {
  const { consent, form, isConnected, unavailable } = provider;
  if (!isConnected || unavailable !== undefined) return [];
  const label = 'Add another account';
  const item = { icon: <UserPlus size={14} />, disabled: !mayChange };
  const byForm = { ...item, label: consent && form ? `${label}: ${form.action}` : label, onSelect: onForm };
  return [
    ...(consent ? [{ ...item, label, onSelect: () => openConsent(provider, { add: '1' }) }] : []),
    ...(form ? [byForm] : []),
  ];
}

/** Menu items about the single account of a provider; with more, the list has them. */
function singleItems({ provider, onOpen }: CardMenuProps, mayChange: boolean): MenuItem[] {
  const { accounts } = provider;
  const [account] = accounts;
  if (isListed(accounts)) return [];
  const items = connectItems(provider, mayChange, () => onOpen({ is: 'form' }));
  if (account?.status !== 'connected') return items;
  const onSelect = () => onOpen({ is: 'name', account });
  return [...items, { label: 'Name…', icon: <Pencil size={14} />, disabled: !mayChange, onSelect }];
}

/** The menu 'Manage' of a card. Disconnect and Delete data mean all accounts. */
export function CardMenu(props: CardMenuProps) {
  const { provider, isSignInProvider, isBusy, actions, onOpen } = props;
  const mayChange = useMayChange();
  const disconnect = {
    label: 'Disconnect',
    icon: <Unplug size={14} />,
    disabled: !mayChange || !provider.isConnected,
    onSelect: () => void actions.askDisconnect(),
  };
  const items = [
    ...singleItems(props, mayChange),
    ...additionItems(provider, mayChange, () => onOpen({ is: 'form', isAddition: true })),
    ...(isSignInProvider ? [] : [disconnect]),
    {
      label: 'Delete data',
      icon: <Database size={14} />,
      danger: true,
      disabled: !mayChange,
      onSelect: () => void actions.askDeleteData(),
    },
  ];
  return (
    <Menu
      items={items}
      trigger={
        <Button busy={isBusy} aria-label={`Manage ${provider.title}`}>
          Manage
          <ChevronDown aria-hidden="true" size={14} />
        </Button>
      }
    />
  );
}
