import { Layers } from 'lucide-react';
import { causeOf } from '../../api/failure.ts';
import type { View } from '../../api/wire.ts';
import { useCategoriesQuery } from '../../features/views/categories-api.ts';
import { ViewList } from '../../features/views/view-list.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { LoadingEntries } from '../../ui/skeleton.tsx';
import { STICKY_LIST } from './use-reveal.ts';

interface ViewListCardProps {
  /** Undefined while the views are loading or when they could not be loaded. */
  views: readonly View[] | undefined;
  /** Why the views could not be loaded. */
  error: unknown;
  isFetching: boolean;
  onRetry: () => void;
  /** Whether a provider and an entity are chosen. */
  isChosen: boolean;
  /** Id of the selected view; empty when none is selected. */
  selected: string;
  onSelect: (viewId: string) => void;
  onQuery: () => void;
}

/** The views of the chosen entity by category, or why there are none. */
export function ViewListCard({
  views,
  error,
  isFetching,
  onRetry,
  isChosen,
  selected,
  onSelect,
  onQuery,
}: ViewListCardProps) {
  const categories = useCategoriesQuery();
  // Wait for the categories: without them, all views would look uncategorised.
  const isLoading = !views || (!categories.data && categories.error === undefined);
  return (
    <Card title="Views" flush scrolls className={STICKY_LIST}>
      {isChosen && error !== undefined && (
        <div className="p-4">
          <LoadFailure sentence={causeOf(error)} busy={isFetching} onRetry={onRetry} />
        </div>
      )}
      {isChosen && categories.error !== undefined && (
        <div className="p-4">
          <LoadFailure
            sentence={`The categories could not be loaded${categories.data ? '' : ': the views are listed without them'}.`}
            detail={causeOf(categories.error)}
            busy={categories.isFetching}
            onRetry={categories.refetch}
          />
        </div>
      )}
      {isChosen && isLoading && error === undefined && <LoadingEntries />}
      {!isChosen && (
        <EmptyState
          icon={<Layers size={20} />}
          title="No views available for selected filters"
          hint="Choose a provider and an entity above."
        />
      )}
      {views && !isLoading && (
        <ViewList
          views={views}
          categories={categories.data ?? []}
          selected={selected}
          onSelect={({ id }) => onSelect(id)}
          emptyAction={<Button onClick={onQuery}>Go to Query</Button>}
        />
      )}
    </Card>
  );
}
