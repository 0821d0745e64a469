import type { ReactNode } from 'react';
import { causeOf } from '../../api/failure.ts';
import type { View } from '../../api/models.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { LoadingEntries } from '../../ui/skeleton.tsx';
import { STICKY_LIST } from '../../ui/use-reveal.ts';
import { useCategoriesQuery } from './categories-api.ts';
import { ViewList } from './view-list.tsx';

interface ViewListCardProps {
  /** Undefined while the views are loading or when they could not be loaded. */
  views: readonly View[] | undefined;
  /** Why the views could not be loaded. */
  error: unknown;
  isFetching: boolean;
  onRetry: () => void;
  /** Names the entity of a view, if the list is of several. */
  titleOf: ((view: View) => string) | undefined;
  /** Id of the selected view; empty when none is selected. */
  selected: string;
  onSelect: (viewId: string) => void;
  onQuery: () => void;
  /** Shown below the views, once they are loaded. */
  starters?: ReactNode;
}

/** The views by category, or why there are none. */
export function ViewListCard({
  views,
  error,
  isFetching,
  onRetry,
  titleOf,
  selected,
  onSelect,
  onQuery,
  starters,
}: ViewListCardProps) {
  const categories = useCategoriesQuery();
  // Wait for the categories: without them, all views would look uncategorised.
  const isLoading = !views || (!categories.data && categories.error === undefined);
  return (
    <Card title="Views" flush scrolls className={STICKY_LIST}>
      {error !== undefined && (
        <div className="p-4">
          <LoadFailure sentence={causeOf(error)} busy={isFetching} onRetry={onRetry} />
        </div>
      )}
      {categories.error !== undefined && (
        <div className="p-4">
          <LoadFailure
            sentence={`The categories could not be loaded${categories.data ? '' : ': the views are listed without them'}.`}
            detail={causeOf(categories.error)}
            busy={categories.isFetching}
            onRetry={categories.refetch}
          />
        </div>
      )}
      {isLoading && error === undefined && <LoadingEntries />}
      {views && !isLoading && (
        <ViewList
          views={views}
          categories={categories.data ?? []}
          titleOf={titleOf}
          selected={selected}
          onSelect={({ id }) => onSelect(id)}
          emptyAction={<Button onClick={onQuery}>Go to Query</Button>}
        />
      )}
      {views && !isLoading && starters}
    </Card>
  );
}
