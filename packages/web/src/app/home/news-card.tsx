import type { SyncNews } from '@datadeck/contract';
import { RefreshCw } from 'lucide-react';
import { useNavigate } from 'react-router';
import { PATHS } from '../../address/paths.ts';
import { queryAddress } from '../../address/query-link.ts';
import { causeOf } from '../../api/failure.ts';
import { useProvidersQuery } from '../../features/connections/connections-api.ts';
import { entityTitles } from '../../features/sync/entity-titles.ts';
import { useEntitiesQuery, useSyncNewsQuery } from '../../features/sync/sync-api.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { countOf, formatCount } from '../../ui/duration.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { LoadingRows } from '../../ui/skeleton.tsx';
import { HomeRow } from './home-row.tsx';

type Source = SyncNews[number];

/** Says what syncs changed in addition to new records: `3 syncs · 4 updated · 1 removed`. */
function changesOf({ runs, updated, removed }: Source): string {
  return [
    countOf(runs, 'sync'),
    ...(updated > 0 ? [`${formatCount(updated)} updated`] : []),
    ...(removed > 0 ? [`${formatCount(removed)} removed`] : []),
  ].join(' · ');
}

function Sources({ sources }: { sources: readonly Source[] }) {
  const { data: entities = [] } = useEntitiesQuery();
  const { data: providers = [] } = useProvidersQuery();
  const titles = entityTitles(entities, providers);
  return (
    <ul aria-label="New since yesterday">
      {sources.map((source) => {
        const { providerId, entityLabel, account, added } = source;
        return (
          <HomeRow
            key={`${entityLabel} ${account}`}
            to={queryAddress({ providerId, entityLabel, account }, 'results')}
            title={`${titles.get(entityLabel) ?? entityLabel} · ${account}`}
            hint={changesOf(source)}
            value={
              <span className={added > 0 ? 'text-13 font-medium tabular-nums' : 'text-13 text-ink-3'}>
                {added > 0 ? `+${formatCount(added)}` : 'Nothing new'}
              </span>
            }
          />
        );
      })}
    </ul>
  );
}

/** The records that syncs added since yesterday, by source. */
export function NewsCard({ since }: { since: string }) {
  const navigate = useNavigate();
  const { data, error, isFetching, refetch } = useSyncNewsQuery(since);
  return (
    <Card flush title="New since yesterday">
      {!data && error !== undefined && (
        <div className="p-4">
          <LoadFailure sentence={causeOf(error)} busy={isFetching} onRetry={refetch} />
        </div>
      )}
      {!data && error === undefined && <LoadingRows rows={4} />}
      {data?.length === 0 && (
        <EmptyState
          icon={<RefreshCw size={20} />}
          title="No syncs since yesterday"
          hint="Synchronize, or let a schedule do it, and the new records are counted here."
          action={<Button onClick={() => void navigate(PATHS.syncs)}>Go to Synchronizations</Button>}
        />
      )}
      {data && data.length > 0 && <Sources sources={data} />}
    </Card>
  );
}
