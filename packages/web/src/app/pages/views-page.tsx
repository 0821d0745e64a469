import { FolderPlus, Layers, Network, Plus, SquareMousePointer, Tags } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { causeOf } from '../../api/failure.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import type { View } from '../../api/wire.ts';
import { useProvidersQuery } from '../../features/connections/connections-api.ts';
import { EntityFilters } from '../../features/connections/entity-filters.tsx';
import { knownChoice } from '../../features/connections/known-choice.ts';
import { NotConnectedNotice } from '../../features/connections/not-connected-notice.tsx';
import { recordColumns, useTemplatesQuery } from '../../features/templates/templates-api.ts';
import { CategoryFormDialog } from '../../features/views/category-form-dialog.tsx';
import { CreateViewDialog } from '../../features/views/create-view-dialog.tsx';
import { ManageCategoriesDialog } from '../../features/views/manage-categories-dialog.tsx';
import { ViewDetail } from '../../features/views/view-detail.tsx';
import type { RenderExpression } from '../../features/views/view-fields.tsx';
import { ViewGraphDialog } from '../../features/views/view-graph-dialog.tsx';
import { ViewList } from '../../features/views/view-list.tsx';
import { useCategoriesQuery, useViewsQuery } from '../../features/views/views-api.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { LoadingEntries, LoadingResult } from '../../ui/skeleton.tsx';
import { PATHS, withSearch } from '../address/paths.ts';
import { useSearchState } from '../address/search-state.ts';
import { STICKY_LIST, useReveal } from './use-reveal.ts';
import { ViewExpression } from './view-expression.tsx';

type Open = 'none' | 'category' | 'categories' | 'view' | 'graph';

const renderExpression: RenderExpression = (props) => <ViewExpression {...props} />;

interface ActionsProps {
  isChosen: boolean;
  hasViews: boolean;
  onOpen: (open: Open) => void;
}

/** Class of buttons that show only their icon on narrow screens, so that all four fit in one row. */
const ICON_IF_NARROW = '@max-[30rem]:w-8 @max-[30rem]:px-0';

function Actions({ isChosen, hasViews, onOpen }: ActionsProps) {
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const title = forbidden;
  return (
    <>
      {hasViews && (
        <Button
          variant="ghost"
          title="Graph"
          className={ICON_IF_NARROW}
          icon={<Network size={14} />}
          onClick={() => onOpen('graph')}
        >
          <span className="@max-[30rem]:sr-only">Graph</span>
        </Button>
      )}
      <Button
        variant="ghost"
        title="Categories"
        className={ICON_IF_NARROW}
        icon={<Tags size={14} />}
        onClick={() => onOpen('categories')}
      >
        <span className="@max-[30rem]:sr-only">Categories</span>
      </Button>
      <Button
        icon={<FolderPlus size={14} />}
        disabled={!mayChange}
        title={title}
        onClick={() => onOpen('category')}
      >
        New Category
      </Button>
      <Button
        variant="primary"
        icon={<Plus size={14} />}
        disabled={!mayChange || !isChosen}
        title={title ?? (isChosen ? undefined : 'Choose a provider and an entity first')}
        onClick={() => onOpen('view')}
      >
        New View
      </Button>
    </>
  );
}

/** The Views screen. */
export function ViewsPage() {
  const navigate = useNavigate();
  const search = useSearchState();
  const [open, setOpen] = useState<Open>('none');
  const { data: providers = [] } = useProvidersQuery();
  const categories = useCategoriesQuery();
  const {
    provider: providerKey,
    entity: entityLabel,
    providerTitle,
    entityTitle,
    isConnected,
  } = knownChoice(providers, search.get('provider'), search.get('entity'));
  const isChosen = entityLabel !== '';
  const {
    currentData: views,
    error,
    isFetching,
    refetch,
  } = useViewsQuery({ providerId: providerKey, entityLabel }, { skip: !isChosen });
  const { currentData: templates } = useTemplatesQuery(
    { providerId: providerKey, entityLabel },
    { skip: !isChosen },
  );
  const view = views?.find(({ id }) => id === search.get('view'));
  // Wait for the categories: without them, all views would look uncategorised.
  const isLoadingList = !views || (!categories.data && categories.error === undefined);
  const isLoadingView = isChosen && search.get('view') !== '' && isFetching && !views;
  const select = (viewId: string | null) => {
    // Keep the values of inputs that the next view also has, such as those of its base view.
    const kept = new Set(views?.find(({ id }) => id === viewId)?.inputs.map(({ name }) => name));
    const gone = (view?.inputs ?? []).filter(({ name }) => !kept.has(name));
    const cleared = Object.fromEntries(gone.map(({ name }) => [`p.${name}`, null]));
    search.set({ ...cleared, view: viewId, page: null });
  };
  const close = () => setOpen('none');
  const detail = useReveal(view?.id);

  return (
    <>
      <PageHeader
        title="Views"
        description="Saved queries that always run on the latest data."
        actions={<Actions isChosen={isChosen} hasViews={(views?.length ?? 0) > 0} onOpen={setOpen} />}
      />
      <div className="flex flex-col gap-6">
        <EntityFilters
          providers={providers}
          provider={providerKey}
          entity={entityLabel}
          onChange={(choice) => search.set({ ...choice, view: null, page: null })}
        />
        {providerKey !== '' && !isConnected && (
          <NotConnectedNotice
            providerTitle={providerTitle}
            onProviders={() => void navigate(PATHS.providers)}
          />
        )}
        <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[2fr_3fr]">
          <Card title="Views" flush scrolls className={STICKY_LIST}>
            {isChosen && error !== undefined && (
              <div className="p-4">
                <LoadFailure sentence={causeOf(error)} busy={isFetching} onRetry={refetch} />
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
            {isChosen && isLoadingList && error === undefined && <LoadingEntries />}
            {!isChosen && (
              <EmptyState
                icon={<Layers size={20} />}
                title="No views available for selected filters"
                hint="Choose a provider and an entity above."
              />
            )}
            {views && !isLoadingList && (
              <ViewList
                views={views}
                categories={categories.data ?? []}
                selected={view?.id ?? ''}
                onSelect={(next: View) => select(next.id)}
                emptyAction={
                  <Button
                    onClick={() =>
                      void navigate(withSearch(PATHS.query, { provider: providerKey, entity: entityLabel }))
                    }
                  >
                    Go to Query
                  </Button>
                }
              />
            )}
          </Card>
          <div ref={detail} className="min-w-0 scroll-mt-4 md:scroll-mt-8">
            {view ? (
              <ViewDetail
                key={view.id}
                view={view}
                base={views?.find(({ id }) => id === view.basedOn)}
                renderExpression={renderExpression}
                parameterText={(name) => search.get(`p.${name}`)}
                onParameter={(name, text) =>
                  search.set({ [`p.${name}`]: text, page: null }, { replace: true })
                }
                page={search.page}
                onPage={(page, options) => search.set({ page }, options)}
                preferredColumns={recordColumns(templates)}
                onSelect={select}
                onDeleted={() => select(null)}
              />
            ) : isLoadingView ? (
              <Card flush title="View">
                <LoadingResult className="h-[28rem]" />
              </Card>
            ) : (
              <Card flush title="View">
                <EmptyState
                  icon={<SquareMousePointer size={20} />}
                  title="View has not been selected."
                  hint="Pick one from the list to see its data."
                />
              </Card>
            )}
          </div>
        </div>
      </div>
      {open === 'category' && <CategoryFormDialog onClose={close} />}
      {open === 'categories' && <ManageCategoriesDialog onClose={close} />}
      {open === 'graph' && views && (
        <ViewGraphDialog
          views={views}
          selected={view?.id ?? ''}
          onClose={close}
          onSelect={(viewId) => {
            close();
            select(viewId);
          }}
        />
      )}
      {open === 'view' && (
        <CreateViewDialog
          provider={{ value: providerKey, label: providerTitle }}
          entity={{ value: entityLabel, label: entityTitle }}
          selected={view}
          renderExpression={renderExpression}
          onClose={close}
          onCreated={({ id }) => select(id)}
        />
      )}
    </>
  );
}
