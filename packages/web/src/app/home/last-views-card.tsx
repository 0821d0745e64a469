import { Layers } from 'lucide-react';
import { useNavigate } from 'react-router';
import { PATHS, withSearch } from '../../address/paths.ts';
import { causeOf } from '../../api/failure.ts';
import type { View } from '../../api/models.ts';
import { useAllViewsQuery } from '../../features/views/views-api.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Age } from '../../ui/date-time.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { LoadingRows } from '../../ui/skeleton.tsx';
import { HomeRow } from './home-row.tsx';

/** Number of listed views. */
const SHOWN_VIEWS = 5;

function addressOf({ id, providerId, entityLabel }: View): string {
  return withSearch(PATHS.views, { provider: providerId, entity: entityLabel, view: id });
}

/** The views that were changed last. */
export function LastViewsCard() {
  const navigate = useNavigate();
  const { data, error, isFetching, refetch } = useAllViewsQuery();
  const newest = data?.toSorted((a, b) => b.updated_at.localeCompare(a.updated_at)).slice(0, SHOWN_VIEWS);
  return (
    <Card flush title="Last views">
      {!newest && error !== undefined && (
        <div className="p-4">
          <LoadFailure sentence={causeOf(error)} busy={isFetching} onRetry={refetch} />
        </div>
      )}
      {!newest && error === undefined && <LoadingRows rows={3} />}
      {newest?.length === 0 && (
        <EmptyState
          icon={<Layers size={20} />}
          title="No views"
          hint="Save a query under a name to find its result here."
          action={<Button onClick={() => void navigate(PATHS.query)}>Go to Query</Button>}
        />
      )}
      {newest && newest.length > 0 && (
        <ul aria-label="Last views">
          {newest.map((view) => (
            <HomeRow
              key={view.id}
              to={addressOf(view)}
              title={view.title}
              hint={
                <>
                  Changed <Age iso={view.updated_at} />
                </>
              }
            />
          ))}
        </ul>
      )}
    </Card>
  );
}
