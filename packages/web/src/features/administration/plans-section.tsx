import { type AdminPlans, PLANS } from '@datadeck/contract';
import { Card } from '../../ui/card.tsx';
import { formatCount } from '../../ui/duration.ts';
import { planTitle } from './account-words.ts';
import { useAdminPlansQuery } from './admin-api.ts';
import { Loaded } from './loaded.tsx';
import { TableHead } from './table-head.tsx';

const SOURCES: Record<AdminPlans['source'], string> = {
  product: 'These are the limits of Datadeck. The setting PLAN_LIMITS changes them at the next start.',
  file: 'The file of the setting PLAN_LIMITS changes these limits. It is read at each start.',
  none: 'The setting PLAN_LIMITS=none lifts all limits.',
};

const limitText = (limit: number | null) => (limit === null ? 'No limit' : formatCount(limit));

function AccountCounts({ accounts }: Pick<AdminPlans, 'accounts'>) {
  return (
    <dl className="grid grid-cols-3 divide-x divide-line">
      {PLANS.map((plan) => (
        <div key={plan} className="px-4 py-3">
          <dt className="text-12 text-ink-3">{planTitle(plan)}</dt>
          <dd className="text-20 font-semibold tabular-nums">{formatCount(accounts[plan])}</dd>
        </div>
      ))}
    </dl>
  );
}

function LimitTable({ limits }: Pick<AdminPlans['entities'][number], 'limits'>) {
  return (
    <table className="w-full text-13">
      <TableHead columns={['Plan', 'Records', 'Runs a month', 'Scopes']} />
      <tbody>
        {PLANS.map((plan) => (
          <tr key={plan} className="border-b last:border-b-0">
            <th scope="row" className="py-2 text-left font-normal">
              {planTitle(plan)}
            </th>
            {[limits[plan].cap, limits[plan].monthlyRuns, limits[plan].scopes].map((limit, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the columns are fixed
              <td key={index} className="py-2 pl-3 text-right whitespace-nowrap tabular-nums">
                {limitText(limit)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function LimitsCard({ plans: { entities, source } }: { plans: AdminPlans }) {
  return (
    <Card flush title="Limits">
      <p className="border-b px-4 py-3 text-13 text-ink-2">{SOURCES[source]}</p>
      <ul className="grid @min-[60rem]:grid-cols-2">
        {entities.map(({ entity, title, provider, limits }) => (
          <li key={entity} className="border-b px-4 py-4 last:border-b-0">
            <h3 className="mb-3 text-13 font-semibold">
              {title} <span className="font-normal text-ink-3">{provider}</span>
            </h3>
            <LimitTable limits={limits} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** How many accounts each plan has, and the limits of each entity. */
export function PlansSection() {
  const load = useAdminPlansQuery(undefined, { refetchOnMountOrArgChange: true });
  return (
    <div className="flex flex-col gap-4">
      <Card flush title="Accounts by plan">
        <Loaded load={load} rows={2}>
          {({ accounts }) => <AccountCounts accounts={accounts} />}
        </Loaded>
      </Card>
      {load.currentData && <LimitsCard plans={load.currentData} />}
    </div>
  );
}
