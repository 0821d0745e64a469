import type { AdminAccountDetail } from '@datadeck/contract';
import { type ReactNode, useState } from 'react';
import { sentenceOf } from '../../api/failure.ts';
import { formatBytes } from '../../ui/byte-size.ts';
import { DateTime } from '../../ui/date-time.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatCount } from '../../ui/duration.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { toasts } from '../../ui/toast.tsx';
import { AccountActions } from './account-actions.tsx';
import { useAdminAccountQuery, useChangePlanMutation } from './admin-api.ts';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';
import { Loaded } from './loaded.tsx';
import { TableHead } from './table-head.tsx';

const PLANS = [
  { value: 'standard', label: 'Standard' },
  { value: 'pro', label: 'Pro' },
] as const;

function Fact({ label, isWide = false, children }: { label: string; isWide?: boolean; children: ReactNode }) {
  return (
    <div className={isWide ? 'col-span-full min-w-0' : 'min-w-0'}>
      <dt className="text-12 text-ink-3">{label}</dt>
      <dd className="wrap-anywhere text-13 tabular-nums">{children}</dd>
    </div>
  );
}

function PlanChoice({ account }: { account: AdminAccountDetail }) {
  const [changePlan, { isLoading }] = useChangePlanMutation();
  async function change(plan: 'standard' | 'pro') {
    const { error } = await changePlan({ id: account._id, plan });
    if (error) toasts.error(sentenceOf(error));
    else toasts.success(`The plan is ${plan} now`);
  }
  return (
    <Segmented
      label="Plan"
      value={account.status === 'pro' ? 'pro' : 'standard'}
      options={PLANS}
      disabled={isLoading}
      onChange={(plan) => void change(plan)}
    />
  );
}

function Facts({ account }: { account: AdminAccountDetail }) {
  const { _id, isUnverified, isAdministrator, signInMethods, providers, sessions, tokens } = account;
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3">
      <Fact label="Plan">
        <PlanChoice account={account} />
      </Fact>
      <Fact label="Administrator">{isAdministrator ? 'Yes' : 'No'}</Fact>
      <Fact label="Address">{isUnverified ? 'Unverified' : account.email === '' ? 'None' : 'Verified'}</Fact>
      <Fact label="Signs in with">{signInMethods.join(', ') || 'Nothing'}</Fact>
      <Fact label="Connected">{providers.join(', ') || 'Nothing'}</Fact>
      <Fact label="Last seen">
        <DateTime iso={account.lastSeenAt} />
      </Fact>
      <Fact label="Created">
        <DateTime iso={account.createdAt} />
      </Fact>
      <Fact label="Open sessions">{formatCount(sessions)}</Fact>
      <Fact label="API tokens">{formatCount(tokens)}</Fact>
      <Fact label="Id" isWide>
        <code className="font-mono text-12">{_id}</code>
      </Fact>
    </dl>
  );
}

/** Stored records, their size, and the runs of this month, by entity. */
function EntityTable({ account }: { account: AdminAccountDetail }) {
  const sizes = new Map(account.entities.map((one) => [one.entity, one]));
  return (
    <table className="w-full text-13">
      <caption className="sr-only">Records and runs by entity</caption>
      <TableHead columns={['Entity', 'Records', 'Size', 'Runs this month']} />
      <tbody>
        {account.runs.map(({ entity, title, used, allowed }) => (
          <tr key={entity} className="border-b last:border-b-0">
            <th scope="row" className="py-2 text-left font-normal">
              {title}
            </th>
            <td className="py-2 pl-3 text-right tabular-nums">
              {formatCount(sizes.get(entity)?.records ?? 0)}
            </td>
            <td className="py-2 pl-3 text-right whitespace-nowrap tabular-nums">
              {formatBytes(sizes.get(entity)?.bytes ?? 0)}
            </td>
            <td className="py-2 pl-3 text-right whitespace-nowrap tabular-nums">
              {formatCount(used)}
              {allowed !== null && <span className="text-ink-3"> of {formatCount(allowed)}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface AccountDialogProps {
  id: string;
  onClose: () => void;
  onDeleted: () => void;
}

/** The details of an account: counts and sizes, and what an administrator can do with it. */
export function AccountDialog({ id, onClose, onDeleted }: AccountDialogProps) {
  const load = useAdminAccountQuery(id, { refetchOnMountOrArgChange: true });
  const { currentData: account } = load;
  const [isDeleting, setIsDeleting] = useState(false);
  return (
    <Dialog
      open
      onClose={onClose}
      title={account?.name ?? 'Account'}
      subtitle={account?.email}
      footer={account && <AccountActions account={account} onDelete={() => setIsDeleting(true)} />}
    >
      <Loaded load={load} rows={6}>
        {(detail) => (
          <div className="flex flex-col gap-6">
            <Facts account={detail} />
            <EntityTable account={detail} />
          </div>
        )}
      </Loaded>
      {isDeleting && account && (
        <DeleteAccountDialog account={account} onClose={() => setIsDeleting(false)} onDeleted={onDeleted} />
      )}
    </Dialog>
  );
}
