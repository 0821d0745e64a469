import { LIMITS, type SearchFacets, type SearchRequest } from '@datadeck/contract';
import { BellPlus, Braces, ChevronDown, LayoutDashboard, Save } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { PATHS, withSearch } from '../../address/paths.ts';
import type { Provider, Template, View } from '../../api/models.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/duration.ts';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { toasts } from '../../ui/toast.tsx';
import { WatchDialog } from '../alerts/watch-dialog.tsx';
import { AddToBoardDialog } from '../boards/add-to-board-dialog.tsx';
import { newSearchTile } from '../boards/new-tile.ts';
import { clearDraft } from '../queries/use-draft.ts';
import { templateName } from '../templates/kept-by-template.ts';
import { useLazyTemplatesQuery } from '../templates/templates-api.ts';
import { ALL_ROWS, SaveAsViewDialog } from '../views/save-as-view-dialog.tsx';
import { useOfferView } from '../views/use-offer-view.tsx';
import { addFilter } from './search-text.ts';

/** An entity with found records, or one that is searched in vain. */
interface FoundEntity {
  provider: Provider;
  entityLabel: string;
  /** Its title with the number of its found records; undefined if the search is within one entity anyway. */
  group: string | undefined;
}

/** Returns the searchable entities of connected providers. */
function searchedEntities(providers: readonly Provider[]): FoundEntity[] {
  const all = providers
    .filter(({ isConnected }) => isConnected)
    .flatMap((provider) => provider.entities.map((entity) => ({ provider, ...entity })))
    .filter(({ provider, id }) => provider.searchable?.includes(id));
  return all.map(({ provider, id, title }) => {
    const group = all.length > 1 ? `${provider.title} · ${title}` : undefined;
    return { provider, entityLabel: id, group };
  });
}

/** Returns the entities with found records, the most first; without any, those that the search looks into. */
function foundEntities(
  { providerId, entityLabel: chosen }: SearchRequest,
  facets: SearchFacets | undefined,
  providers: readonly Provider[],
): FoundEntity[] {
  const values = facets?.facets.find(({ name }) => name === 'entity')?.values ?? [];
  if (chosen === undefined && facets && values.length === 0)
    return searchedEntities(providers.filter(({ key }) => providerId === undefined || key === providerId));
  const found = chosen === undefined ? values : [{ value: chosen, title: '', count: 0 }];
  return found.flatMap(({ value, title, count }) => {
    const provider = providers.find(({ entities }) => entities.some(({ id }) => id === value));
    if (!provider) return [];
    const group = found.length > 1 ? `${title} (${formatCount(count)})` : undefined;
    return [{ provider, entityLabel: value, group }];
  });
}

/** What is open: the dialog that saves the search, the alerts on the view that was saved, or the choice of a board. */
type Shown =
  | { dialog: 'save'; template: Template; providerTitle: string; isForAlert: boolean }
  | { dialog: 'watch'; view: View }
  | { dialog: 'board' };

interface SearchActionsProps {
  request: SearchRequest;
  /** The search that the shown results are for. */
  q: string;
  facets: SearchFacets | undefined;
  providers: readonly Provider[];
}

/** The menu of what can be done with the found records of an entity: refine them, save the search as a view, watch it, and show it on a board. */
export function SearchActions({ request, q, facets, providers }: SearchActionsProps) {
  const navigate = useNavigate();
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const { offerView, boardDialog } = useOfferView();
  const [loadTemplates] = useLazyTemplatesQuery();
  const [shown, setShown] = useState<Shown>();
  // A view keeps the account as an operator of its search.
  const { account } = request;
  const within = account === undefined ? q : addFilter(q, 'account', account);
  const entities = foundEntities(request, facets, providers);

  async function withTemplate(
    { provider, entityLabel }: FoundEntity,
    act: (template: Template, provider: Provider) => void,
  ): Promise<void> {
    const { data } = await loadTemplates({ providerId: provider.key, entityLabel }, true);
    const template = data?.find(({ isSearchable }) => isSearchable);
    if (template) act(template, provider);
    else toasts.error('The templates could not be loaded');
  }

  const refine = ({ templateKey, entity }: Template, { key }: Provider) => {
    clearDraft(templateName(entity, templateKey));
    void navigate(
      withSearch(PATHS.query, {
        provider: key,
        entity,
        template: templateKey,
        q,
        account: account ?? '',
        step: '1',
        page: '1',
      }),
    );
  };
  const save = (isForAlert: boolean) => (template: Template, provider: Provider) =>
    setShown({ dialog: 'save', template, providerTitle: provider.title, isForAlert });

  const items = entities.flatMap((found): MenuItem[] => {
    const { group } = found;
    const item = { ...(group !== undefined && { group }) };
    return [
      {
        ...item,
        label: 'Refine with JSONata',
        icon: <Braces size={14} />,
        onSelect: () => void withTemplate(found, refine),
      },
      {
        ...item,
        label: 'Save as View',
        icon: <Save size={14} />,
        disabled: !mayChange,
        title: forbidden,
        onSelect: () => void withTemplate(found, save(false)),
      },
      {
        ...item,
        label: 'Alert me',
        icon: <BellPlus size={14} />,
        disabled: !mayChange,
        title: forbidden,
        onSelect: () => void withTemplate(found, save(true)),
      },
    ];
  });

  const toBoard: MenuItem = {
    label: 'Add to board',
    icon: <LayoutDashboard size={14} />,
    disabled: !mayChange,
    title: forbidden,
    onSelect: () => setShown({ dialog: 'board' }),
  };

  return (
    <>
      <Menu
        trigger={
          <Button size="sm" disabled={items.length === 0}>
            Refine or save
            <ChevronDown aria-hidden="true" size={14} />
          </Button>
        }
        items={[...items, toBoard]}
      />
      {shown?.dialog === 'save' && (
        <SaveAsViewDialog
          template={shown.template}
          query={ALL_ROWS}
          search={within}
          {...(shown.isForAlert && { subtitle: 'The alert will watch this view.' })}
          suggested={{
            title: q.slice(0, LIMITS.viewTitle).toWellFormed().trim(),
            description: `Records that match ${q}`.slice(0, LIMITS.viewDescription).toWellFormed(),
          }}
          providerTitle={shown.providerTitle}
          onSaved={(view) => (shown.isForAlert ? setShown({ dialog: 'watch', view }) : offerView(view))}
          onClose={() => setShown((now) => (now?.dialog === 'save' ? undefined : now))}
        />
      )}
      {boardDialog}
      {shown?.dialog === 'board' && (
        <AddToBoardDialog
          subtitle={within}
          tile={newSearchTile(within, {
            ...(request.providerId !== undefined && { providerId: request.providerId }),
            ...(request.entityLabel !== undefined && { entityLabel: request.entityLabel }),
          })}
          onClose={() => setShown(undefined)}
        />
      )}
      {shown?.dialog === 'watch' && (
        <WatchDialog view={shown.view} parameters={undefined} onClose={() => setShown(undefined)} />
      )}
    </>
  );
}
