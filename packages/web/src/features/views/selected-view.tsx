import { SquareMousePointer } from 'lucide-react';
import { useMemo } from 'react';
import type { SearchState } from '../../address/search-state.ts';
import type { Template, View } from '../../api/models.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadingResult } from '../../ui/skeleton.tsx';
import { useAlertDeliveryQuery, useAlertsQuery } from '../alerts/alerts-api.ts';
import { newRowTest } from '../alerts/new-rows.ts';
import { NewRowsLine } from '../alerts/new-rows-line.tsx';
import { WatchButton } from '../alerts/watch-button.tsx';
import { recordColumns } from '../templates/templates-api.ts';
import { sortingIn } from '../templates/use-sorting.ts';
import { ViewDetail } from './view-detail.tsx';
import { renderExpression } from './view-expression.tsx';
import { filterIn } from './view-filter.tsx';

interface SelectedViewProps {
  /** The selected view; undefined when none is selected or while it is loading. */
  view: View | undefined;
  /** All views of the entity; undefined while they are loading. */
  views: readonly View[] | undefined;
  templates: readonly Template[] | undefined;
  isLoading: boolean;
  search: SearchState;
  /** The account whose rows are shown; empty: all. */
  account: string;
  onSelect: (viewId: string | null) => void;
}

/** The selected view with its data; a placeholder while it is loading or when none is selected. */
export function SelectedView({
  view,
  views,
  templates,
  isLoading,
  search,
  account,
  onSelect,
}: SelectedViewProps) {
  const alerts = useAlertsQuery(undefined, { skip: !view });
  const alertCount = alerts.data?.results.filter(({ viewId }) => viewId === view?.id).length;
  const deliveryId = search.get('delivery');
  const marked = useAlertDeliveryQuery(deliveryId, { skip: !view || deliveryId === '' });
  const delivery = deliveryId === '' ? undefined : marked.currentData;
  const isNew = useMemo(() => delivery && newRowTest(delivery), [delivery]);
  if (view)
    return (
      <ViewDetail
        key={view.id}
        view={view}
        views={views}
        isSearchable={
          templates?.some((one) => one.templateKey === view.templateKey && one.isSearchable) ?? false
        }
        renderExpression={renderExpression}
        renderWatch={(watched, parameters, inPlace) => (
          <WatchButton view={watched} parameters={parameters} alertCount={alertCount}>
            {inPlace}
          </WatchButton>
        )}
        alertCount={alertCount}
        parameterText={(name) => search.get(`p.${name}`)}
        onParameter={(name, text) => search.set({ [`p.${name}`]: text, page: null }, { replace: true })}
        account={account || undefined}
        page={search.page}
        onPage={(page, options) => search.set({ page }, options)}
        sorting={sortingIn(search, view.display?.sort)}
        filter={filterIn(search)}
        asOf={{
          run: search.get('run') || undefined,
          onChange: (run) => search.set({ run: run ?? null, page: null }, { replace: true }),
        }}
        isReadable={templates?.some((one) => one.isOfRecords && one.isSearchable) ?? false}
        preferredColumns={recordColumns(templates)}
        isNew={isNew}
        newRowsLine={
          <NewRowsLine
            delivery={delivery}
            isGone={deliveryId !== '' && marked.isError}
            onClear={() => search.set({ delivery: null }, { replace: true })}
          />
        }
        onSelect={onSelect}
        onDeleted={() => onSelect(null)}
      />
    );
  return (
    <Card flush title="View">
      {isLoading ? (
        <LoadingResult className="h-[28rem]" />
      ) : (
        <EmptyState
          icon={<SquareMousePointer size={20} />}
          title="View has not been selected."
          hint="Pick one from the list to see its data."
        />
      )}
    </Card>
  );
}
