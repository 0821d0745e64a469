import { PAGE_SIZES, SYNC_STATUSES, type SyncStatus } from '@datadeck/contract';
import { ChevronDown, Filter, History as HistoryIcon, X } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { PATHS } from '../../address/paths.ts';
import { useSearchState } from '../../address/search-state.ts';
import { causeOf } from '../../api/failure.ts';
import type { Sync } from '../../api/models.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { formatDay } from '../../ui/date-time.tsx';
import { countOf } from '../../ui/duration.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { clampPage, pageCount } from '../../ui/page-window.ts';
import { Pagination } from '../../ui/pagination.tsx';
import { Select } from '../../ui/select.tsx';
import { useLastPage } from '../../ui/use-last-page.ts';
import { useAccountFilter } from '../connections/account-filter.tsx';
import { accountLabel } from '../connections/account-name.ts';
import { useProvidersQuery } from '../connections/connections-api.ts';
import { EntityFilters } from '../connections/entity-filters.tsx';
import { knownChoice } from '../connections/known-choice.ts';
import { SyncChangesDialog } from '../records/sync-changes-dialog.tsx';
import { useTimeZone } from '../sign-in/use-time-zone.ts';
import { entityIn } from './entity-account.ts';
import { entityTitles } from './entity-titles.ts';
import { HistoryChart } from './history-chart.tsx';
import { instantsOfDay } from './history-day.ts';
import { HistoryList, LoadingHistory } from './history-list.tsx';
import { HistoryStrip } from './history-strip.tsx';
import { MissingDetails } from './missing-details.tsx';
import { scopeInWords } from './scope-words.ts';
import { useEntitiesQuery, useSyncHistoryQuery } from './sync-api.ts';
import { SyncDetailsDialog } from './sync-details-dialog.tsx';

const STATUS_OPTIONS = [
  { value: 'finished', label: 'Finished' },
  { value: 'failed', label: 'Failed' },
  { value: 'started', label: 'Started' },
];

const asStatus = (text: string): SyncStatus | '' => SYNC_STATUSES.find((status) => status === text) ?? '';

function Filters() {
  const search = useSearchState();
  const { data: providers = [] } = useProvidersQuery();
  return (
    <Collapsible.Root defaultOpen className="rounded-md border bg-surface shadow-low">
      <Collapsible.Trigger className="group flex h-12 w-full items-center gap-2 rounded-md px-4 text-13 font-semibold">
        <Filter aria-hidden="true" size={14} className="text-ink-3" />
        Filters
        <ChevronDown
          aria-hidden="true"
          size={16}
          className="ml-auto text-ink-3 transition-transform duration-150 group-data-[state=closed]:-rotate-90"
        />
      </Collapsible.Trigger>
      <Collapsible.Content className="border-t p-4">
        <EntityFilters
          allByDefault
          accountsOf={knownChoice(providers, search.get('provider'), '').provider}
          providers={providers}
          provider={search.get('provider')}
          entity={search.get('entity')}
          onChange={(choice) => search.set({ ...choice, page: null })}
        >
          <Select
            label="Status"
            placeholder="All statuses"
            clearable
            options={STATUS_OPTIONS}
            value={STATUS_OPTIONS.find(({ value }) => value === search.get('status')) ?? null}
            onChange={(option) => search.set({ status: option?.value ?? null, page: null })}
          />
        </EntityFilters>
      </Collapsible.Content>
    </Collapsible.Root>
  );
}

/** The History screen. */
export function HistoryPage() {
  const navigate = useNavigate();
  const search = useSearchState();
  const [picked, setPicked] = useState<Sync | null>(null);
  const [changesOf, setChangesOf] = useState<Sync | null>(null);
  const { data: providers = [] } = useProvidersQuery();
  const { data: entities = [] } = useEntitiesQuery();
  const { provider, entity: entityLabel } = knownChoice(
    providers,
    search.get('provider'),
    search.get('entity'),
  );
  const { account } = useAccountFilter(provider);
  const filters = { provider, entity: entityLabel, account, status: asStatus(search.get('status')) };
  const query = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
  const instants = instantsOfDay(search.get('day'), useTimeZone());
  const day = instants ? search.get('day') : '';
  const { data, currentData, isFetching, error, refetch } = useSyncHistoryQuery({
    ...query,
    ...instants,
    page: search.page,
  });
  const total = pageCount(data?.count ?? 0, PAGE_SIZES.history);
  const isBeyond = useLastPage(
    search.page,
    currentData && pageCount(currentData.count, PAGE_SIZES.history),
    (page, options) => search.set({ page }, options),
  );
  const titles = entityTitles(entities, providers);
  const entity = entities.find(({ id }) => id === picked?.entityLabel);
  const providerOf = (sync: Sync) => providers.find(({ key }) => key === sync.providerId);
  const accountOf = (sync: Sync) => accountLabel(providerOf(sync), sync.account);
  const scopeOf = (sync: Sync) => {
    const found = entities.find(({ id }) => id === sync.entityLabel);
    const scope = scopeInWords(sync, found && entityIn(found, sync.account));
    return [accountOf(sync), scope].filter(Boolean).join(' · ');
  };
  const isFiltered = Object.keys(query).length > 0 || day !== '';

  return (
    <>
      <PageHeader title="History" description="All past and running synchronizations." />
      <div className="flex flex-col gap-4">
        <Filters />
        <HistoryStrip filter={query} day={day} onDay={(next) => search.set({ day: next, page: null })} />
        {day !== '' && (
          <div>
            <Button
              size="sm"
              aria-label={`Show all days, not only ${formatDay(day)}`}
              onClick={() => search.set({ day: null, page: null })}
            >
              {formatDay(day)}
              <X aria-hidden="true" size={14} className="text-ink-3" />
            </Button>
          </div>
        )}
        {error !== undefined && <LoadFailure sentence={causeOf(error)} busy={isFetching} onRetry={refetch} />}
        {(!data || isBeyond) && error === undefined && <LoadingHistory syncs={PAGE_SIZES.history} />}
        {data && data.results.length === 0 && !isBeyond && (
          <Card flush>
            <EmptyState
              icon={<HistoryIcon size={20} />}
              title="No synchronizations for this entity yet"
              hint={isFiltered ? 'Other filters may show more.' : 'Start one on the Synchronizations screen.'}
              action={
                isFiltered ? (
                  <Button
                    onClick={() =>
                      search.set({
                        provider: null,
                        entity: null,
                        account: null,
                        status: null,
                        day: null,
                        page: null,
                      })
                    }
                  >
                    Clear filters
                  </Button>
                ) : (
                  <Button variant="primary" onClick={() => void navigate(PATHS.syncs)}>
                    Go to Synchronizations
                  </Button>
                )
              }
            />
          </Card>
        )}
        {data && data.results.length > 0 && (
          <>
            <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
              <span className="text-12 text-ink-3 tabular-nums">
                {countOf(data.count, 'synchronization')}
              </span>
              <Pagination
                label="History pages"
                page={clampPage(search.page, total)}
                total={total}
                onChange={(page) => {
                  if (!isFetching) search.set({ page });
                }}
              />
            </div>
            <HistoryList syncs={data.results} titles={titles} scopeOf={scopeOf} onDetails={setPicked} />
            <HistoryChart syncs={data.results} titles={titles} />
          </>
        )}
      </div>
      {picked && !entity && (
        <MissingDetails
          title={titles.get(picked.entityLabel) ?? picked.entityLabel}
          onClose={() => setPicked(null)}
        />
      )}
      {picked && entity && (
        <SyncDetailsDialog
          isHistory
          entity={entityIn(entity, picked.account)}
          providerTitle={providerOf(picked)?.title ?? picked.providerId}
          accountTitle={accountOf(picked)}
          last={picked}
          isSample={providerOf(picked)?.connection?.status === 'sample'}
          onClose={() => setPicked(null)}
          onChanges={setChangesOf}
        />
      )}
      {changesOf && entity && (
        <SyncChangesDialog sync={changesOf} entityTitle={entity.title} onClose={() => setChangesOf(null)} />
      )}
    </>
  );
}
