import { CircleCheck } from 'lucide-react';
import { useAlertsQuery } from '../../features/alerts/alerts-api.ts';
import { entityTitles } from '../../features/sync/entity-titles.ts';
import { useProvidersAndSyncs } from '../../features/sync/providers-and-syncs.ts';
import { useEntitiesQuery } from '../../features/sync/sync-api.ts';
import { useTokensQuery } from '../../features/tokens/tokens-api.ts';
import { Card } from '../../ui/card.tsx';
import { LoadingRows } from '../../ui/skeleton.tsx';
import { StatusDot } from '../../ui/status-dot.tsx';
import { HomeRow } from './home-row.tsx';
import { accountTasks, alertTasks, syncTasks, tokenTasks } from './tasks.ts';

/** Largest number of listed tasks. */
const SHOWN_TASKS = 8;

/** Failed and running syncs, accounts to reconnect, alerts that fail, and tokens that expire. What fails to load is left out. */
export function AttentionCard() {
  const { providers: loaded, syncs, isLoaded } = useProvidersAndSyncs();
  const providers = loaded.data ?? [];
  const { data: entities = [] } = useEntitiesQuery();
  const { data: alerts } = useAlertsQuery();
  const { data: tokens = [] } = useTokensQuery();
  const now = Date.now();
  const tasks = [
    ...accountTasks(providers, now),
    ...syncTasks(syncs.data ?? [], entityTitles(entities, providers)),
    ...alertTasks(alerts?.results ?? []),
    ...tokenTasks(tokens, now),
  ];
  return (
    <Card flush title="Needs you">
      {!isLoaded && <LoadingRows rows={2} />}
      {isLoaded && tasks.length === 0 && (
        <p className="flex items-center gap-2 p-4 text-13 text-ink-2">
          <CircleCheck aria-hidden="true" size={16} className="text-success" />
          Nothing waits for you.
        </p>
      )}
      {isLoaded && tasks.length > 0 && (
        <ul aria-label="Needs you">
          {tasks.slice(0, SHOWN_TASKS).map(({ key, to, title, hint, colour, label }) => (
            <HomeRow
              key={key}
              to={to}
              title={
                <span className="inline-flex items-center gap-2">
                  <StatusDot colour={colour} label={label} />
                  <bdi className="truncate">{title}</bdi>
                </span>
              }
              hint={hint}
            />
          ))}
        </ul>
      )}
      {tasks.length > SHOWN_TASKS && (
        <p className="border-t px-4 py-2 text-12 text-ink-3">And {tasks.length - SHOWN_TASKS} more.</p>
      )}
    </Card>
  );
}
