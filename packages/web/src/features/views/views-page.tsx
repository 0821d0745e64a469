import { FolderPlus, Network, Plus, Tags } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { PATHS, withSearch } from '../../address/paths.ts';
import { useSearchState } from '../../address/search-state.ts';
import type { Provider, View } from '../../api/models.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useReveal } from '../../ui/use-reveal.ts';
import { useAccountFilter } from '../connections/account-filter.tsx';
import { useProvidersQuery } from '../connections/connections-api.ts';
import { EntityFilters } from '../connections/entity-filters.tsx';
import { knownChoice } from '../connections/known-choice.ts';
import { NotConnectedNotice } from '../connections/not-connected-notice.tsx';
import { useTemplatesQuery } from '../templates/templates-api.ts';
import { SelectedView } from './selected-view.tsx';
import { StarterList } from './starter-list.tsx';
import { ViewListCard } from './view-list-card.tsx';
import { sourcesOf } from './view-sources.ts';
import { useAllViewsQuery, useViewsQuery } from './views-api.ts';
import { type ViewsDialog, ViewsDialogs } from './views-dialogs.tsx';

interface ActionsProps {
  isChosen: boolean;
  hasViews: boolean;
  onOpen: (dialog: ViewsDialog) => void;
}

/** Class of buttons that show only their icon on narrow screens, so that all four fit in one row. */
const ICON_IF_NARROW = '@max-[30rem]:w-8 @max-[30rem]:px-0';

function Actions({ isChosen, hasViews, onOpen }: ActionsProps) {
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
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
        title={forbidden}
        onClick={() => onOpen('category')}
      >
        New Category
      </Button>
      <Button
        variant="primary"
        icon={<Plus size={14} />}
        disabled={!mayChange || !isChosen}
        title={forbidden ?? (isChosen ? undefined : 'Choose a provider and an entity first')}
        onClick={() => onOpen('view')}
      >
        New View
      </Button>
    </>
  );
}

/** Returns a function that names the entity of a view, with its provider where entities share a title. */
function entityTitleIn(providers: readonly Provider[]): (view: View) => string {
  const all = providers.flatMap((provider) => provider.entities.map((entity) => ({ provider, entity })));
  return ({ providerId, entityLabel }) => {
    const found = all.find(
      ({ provider, entity }) => provider.key === providerId && entity.id === entityLabel,
    );
    if (!found) return entityLabel;
    const { title } = found.entity;
    const isShared = all.filter(({ entity }) => entity.title === title).length > 1;
    return isShared ? `${title} · ${found.provider.title}` : title;
  };
}

/** Loads the views of the chosen entity; without one, those of the chosen provider, or all. */
function useListedViews(providerId: string, entityLabel: string) {
  const isChosen = entityLabel !== '';
  const chosen = useViewsQuery({ providerId, entityLabel }, { skip: !isChosen });
  const all = useAllViewsQuery(undefined, { skip: isChosen });
  const { currentData, error, isFetching, refetch } = isChosen ? chosen : all;
  const views = useMemo(
    () =>
      currentData?.filter(
        (view) => providerId === '' || sourcesOf(view).some((source) => source.providerId === providerId),
      ),
    [currentData, providerId],
  );
  return { views, error, isFetching, refetch };
}

/** The Views screen. */
export function ViewsPage() {
  const navigate = useNavigate();
  const search = useSearchState();
  const [dialog, setDialog] = useState<ViewsDialog>('none');
  const { data: providers = [] } = useProvidersQuery();
  const {
    provider: providerKey,
    entity: entityLabel,
    providerTitle,
    entityTitle,
    isConnected,
  } = knownChoice(providers, search.get('provider'), search.get('entity'));
  const isChosen = entityLabel !== '';
  const { views, error, isFetching, refetch } = useListedViews(providerKey, entityLabel);
  const view = views?.find(({ id }) => id === search.get('view'));
  const { currentData: templates } = useTemplatesQuery(view ?? { providerId: providerKey, entityLabel }, {
    skip: !isChosen && !view,
  });
  const { account } = useAccountFilter(view?.providerId ?? '');
  const select = (viewId: string | null) => {
    // Keep the values of inputs that the next view also has, such as those of its base view.
    const kept = new Set(views?.find(({ id }) => id === viewId)?.inputs.map(({ name }) => name));
    const gone = (view?.inputs ?? []).filter(({ name }) => !kept.has(name));
    const cleared = Object.fromEntries(gone.map(({ name }) => [`p.${name}`, null]));
    search.set({ ...cleared, view: viewId, page: null, sort: null, filter: null, delivery: null, run: null });
  };
  const detail = useReveal(view?.id);

  return (
    <>
      <PageHeader
        title="Views"
        description="Saved queries that always run on the latest data."
        actions={<Actions isChosen={isChosen} hasViews={(views?.length ?? 0) > 0} onOpen={setDialog} />}
      />
      <div className="flex flex-col gap-6">
        <EntityFilters
          providers={providers}
          provider={providerKey}
          entity={entityLabel}
          accountsOf={view?.providerId}
          onChange={(choice) =>
            search.set({ ...choice, view: null, page: null, sort: null, filter: null, run: null })
          }
        />
        {providerKey !== '' && !isConnected && (
          <NotConnectedNotice
            providerTitle={providerTitle}
            onProviders={() => void navigate(PATHS.providers)}
          />
        )}
        <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[2fr_3fr]">
          <ViewListCard
            views={views}
            error={error}
            isFetching={isFetching}
            onRetry={refetch}
            titleOf={isChosen ? undefined : entityTitleIn(providers)}
            selected={view?.id ?? ''}
            onSelect={select}
            onQuery={() =>
              void navigate(withSearch(PATHS.query, { provider: providerKey, entity: entityLabel }))
            }
            starters={
              <StarterList
                providers={providers}
                views={views ?? []}
                entity={entityLabel}
                onCreated={({ id }) => select(id)}
              />
            }
          />
          <div ref={detail} className="min-w-0 scroll-mt-4 md:scroll-mt-8">
            <SelectedView
              view={view}
              views={views}
              templates={templates}
              isLoading={search.get('view') !== '' && isFetching && !views}
              search={search}
              account={account}
              onSelect={select}
            />
          </div>
        </div>
      </div>
      <ViewsDialogs
        open={dialog}
        onClose={() => setDialog('none')}
        provider={{ value: providerKey, label: providerTitle }}
        entity={{ value: entityLabel, label: entityTitle }}
        views={views}
        selected={view}
        onSelect={select}
      />
    </>
  );
}
