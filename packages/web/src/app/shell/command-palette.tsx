import { parseSearch, SEARCH_LIMITS } from '@datadeck/contract';
import { Command } from 'cmdk';
import {
  CircleHelp,
  FileText,
  House,
  Layers,
  Link2,
  RefreshCw,
  RotateCw,
  Search,
  Server,
  Sparkles,
  UserRound,
} from 'lucide-react';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { PATHS, withSearch } from '../../address/paths.ts';
import { recordParameters } from '../../address/record-parameter.ts';
import type { Provider } from '../../api/models.ts';
import { useProvidersQuery } from '../../features/connections/connections-api.ts';
import { ProviderMark } from '../../features/connections/provider-mark.tsx';
import { useSearch } from '../../features/search/search-api.ts';
import { useUser } from '../../features/sign-in/use-user.ts';
import { useOverview } from '../../features/sync/providers-and-syncs.ts';
import { useTemplatesQuery } from '../../features/templates/templates-api.ts';
import { useViewsQuery } from '../../features/views/views-api.ts';
import { useSettled } from '../../ui/use-settled.ts';
import { THEME_CHOICES, useTheme } from '../state/theme.ts';
import { NAVIGATION } from './navigation.ts';
import { type PaletteActions, SEARCH_BOX } from './palette-box.ts';

interface EntryProps {
  /** Unique, unlike the label: two views may have the same title. */
  id: string;
  label: string;
  /** The kind of entry in words, where only the icon shows it. */
  kind?: string;
  hint?: string;
  icon: ReactNode;
  onSelect: () => void;
}

function Entry({ id, label, kind = '', hint = '', icon, onSelect }: EntryProps) {
  return (
    <Command.Item
      value={id}
      keywords={[label, kind, hint]}
      onSelect={onSelect}
      className="flex h-9 cursor-pointer items-center gap-2 rounded-sm px-2 text-13 text-ink-2 data-[selected=true]:bg-accent-soft data-[selected=true]:text-accent-text"
    >
      <span className="grid size-6 shrink-0 place-items-center">{icon}</span>
      <span dir="auto" title={label} className="min-w-0 flex-1 truncate text-left">
        {label}
      </span>
      {kind !== '' && <span className="sr-only">{kind}</span>}
      {hint !== '' && <span className="max-w-1/2 shrink-0 truncate text-12 text-ink-3">{hint}</span>}
    </Command.Item>
  );
}

const GROUP =
  '[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-12 [&_[cmdk-group-heading]]:text-ink-3';

/** The hint of entries whose provider is not connected. These entries are listed last. */
const NOT_CONNECTED = 'not connected';

interface EntityEntriesProps {
  provider: Provider;
  entity: { id: string; title: string };
  go: (path: string) => void;
}

/** The templates and views of one entity. */
function EntityEntries({ provider, entity, go }: EntityEntriesProps) {
  const address = { providerId: provider.key, entityLabel: entity.id };
  const templatesLoad = useTemplatesQuery(address);
  const viewsLoad = useViewsQuery(address);
  const { data: templates = [] } = templatesLoad;
  const { data: views = [] } = viewsLoad;
  const failed = [templatesLoad, viewsLoad].filter(({ isError }) => isError);
  const filters = { provider: provider.key, entity: entity.id };
  // Entities of two providers may have the same title.
  const location = `${provider.title} · ${provider.isConnected ? entity.title : NOT_CONNECTED}`;
  return (
    <>
      {failed.length > 0 && (
        <Entry
          id={`try again ${provider.key} ${entity.id}`}
          label={`Some of ${entity.title} could not be loaded. Try again`}
          hint={location}
          icon={<RotateCw aria-hidden="true" size={14} />}
          onSelect={() => {
            for (const load of failed) void load.refetch();
          }}
        />
      )}
      {templates.map(({ id, title, templateKey }) => (
        <Entry
          key={id}
          id={`template ${id}`}
          label={title}
          kind="Template"
          hint={location}
          icon={<FileText aria-hidden="true" size={14} />}
          onSelect={() => go(withSearch(PATHS.query, { ...filters, template: templateKey }))}
        />
      ))}
      {views.map(({ id, title }) => (
        <Entry
          key={id}
          id={`view ${id}`}
          label={title}
          kind="View"
          hint={location}
          icon={<Layers aria-hidden="true" size={14} />}
          onSelect={() => go(withSearch(PATHS.views, { ...filters, view: id }))}
        />
      ))}
    </>
  );
}

interface ProviderEntriesProps {
  provider: Provider;
  go: (path: string) => void;
}

/** The entries of one provider: connect, query, and the templates and views of its entities. */
function ProviderEntries({ provider, go }: ProviderEntriesProps) {
  const { key, title, entities, mark, isConnected } = provider;
  return (
    <>
      {!isConnected && (
        <Entry
          id={`connect ${key}`}
          label={`Connect ${title}`}
          hint={NOT_CONNECTED}
          icon={<Link2 aria-hidden="true" size={14} />}
          onSelect={() => go(PATHS.providers)}
        />
      )}
      <Entry
        id={`query ${key}`}
        label={`Query ${title}`}
        hint={isConnected ? '' : NOT_CONNECTED}
        icon={<ProviderMark mark={mark} size="sm" />}
        onSelect={() =>
          go(
            withSearch(PATHS.query, {
              provider: key,
              entity: entities.length === 1 ? (entities[0]?.id ?? '') : '',
            }),
          )
        }
      />
      {entities.map((entity) => (
        <EntityEntries key={entity.id} provider={provider} entity={entity} go={go} />
      ))}
    </>
  );
}

/** Debounce delay of the search for records, ms. */
const RECORDS_DELAY = 80;
/** Number of shown records. */
const MAX_RECORDS = 5;
/** Beginnings of the ids of entries that the server found, or that search all records. They come after the others. */
const FOUND = 'found ';
const SEARCH_ALL = 'search all records';

interface RecordEntriesProps {
  search: string;
  providers: readonly Provider[];
  go: (path: string) => void;
}

/** An entry that leads to the search of all records, and the first records that it finds. */
function RecordEntries({ search, providers, go }: RecordEntriesProps) {
  const q = search.trim();
  const [settled] = useSettled(q, RECORDS_DELAY);
  const canSearch = settled.length >= 2 && !parseSearch(settled).problems.some(({ isError }) => isError);
  const { data } = useSearch(
    canSearch ? { q: settled, order: 'relevance', isTyping: 'true', page: 1, facets: 'false' } : undefined,
  );
  const results = canSearch && q !== '' ? (data?.results.slice(0, MAX_RECORDS) ?? []) : [];
  if (q === '') return null;
  return (
    <Command.Group heading="Records" className={GROUP}>
      <Entry
        id={SEARCH_ALL}
        label={`Search all records for “${q}”`}
        icon={<Search aria-hidden="true" size={14} />}
        onSelect={() => go(withSearch(PATHS.search, { q: q.slice(0, SEARCH_LIMITS.text) }))}
      />
      {results.map((result) => {
        const address = recordParameters(result);
        const name = `${address.record} ${address.of}`;
        return (
          <Entry
            key={name}
            id={FOUND + name}
            label={result.title.map(({ text }) => text).join('') || 'Without a title'}
            kind="Record"
            hint={result.person}
            icon={
              <ProviderMark mark={providers.find(({ key }) => key === result.providerId)?.mark} size="sm" />
            }
            onSelect={() => go(withSearch(PATHS.search, { q: settled, ...address }))}
          />
        );
      })}
    </Command.Group>
  );
}

/** Ranks an entry for a search: 0 unless it contains every word; entries that begin with the search rank higher. */
export function rankOf(value: string, search: string, shown: string[] = []): number {
  if (value === SEARCH_ALL) return 0.1;
  if (value.startsWith(FOUND)) return 0.05;
  const text = shown.join(' ').toLowerCase();
  const asked = search.toLowerCase().trim();
  if (!asked.split(/\s+/).every((word) => text.includes(word))) return 0;
  const rank = text.startsWith(asked) ? 1 : 0.5;
  return text.endsWith(NOT_CONNECTED) ? rank / 4 : rank;
}

interface CommandPaletteProps extends PaletteActions {
  /** The search text; the user may have typed some of it before this component loaded. */
  search: string;
  onSearch: (search: string) => void;
}

/** Navigates to pages, providers, templates and views, opens syncs, and switches the theme. */
export default function CommandPalette({
  search,
  onSearch,
  onClose,
  onUpgrade,
  onShortcuts,
}: CommandPaletteProps) {
  const navigate = useNavigate();
  const { data: providers = [] } = useProvidersQuery();
  const connected = providers.filter(({ isConnected }) => isConnected);
  const others = providers.filter(({ isConnected }) => !isConnected);
  const rows = Object.values(useOverview().overview).flat();
  const { data: user } = useUser();
  const [, setTheme] = useTheme();
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    // The placeholder input had the focus until it was replaced by this one.
    if (document.activeElement === document.body) box.current?.focus();
  }, []);
  const go = (path: string) => {
    onClose();
    void navigate(path);
  };
  return (
    <Command label="Search and commands" loop filter={rankOf}>
      <Command.Input ref={box} value={search} onValueChange={onSearch} {...SEARCH_BOX} />
      <Command.List className="max-h-[50vh] overflow-y-auto p-2">
        <Command.Empty className="p-6 text-center text-13 text-ink-3">
          No matches. Try other words.
        </Command.Empty>
        <Command.Group heading="Pages" className={GROUP}>
          <Entry
            id={PATHS.home}
            label="Home"
            icon={<House aria-hidden="true" size={14} />}
            onSelect={() => go(PATHS.home)}
          />
          {NAVIGATION.flatMap(({ items }) => items).map(({ title, path, icon: Icon }) => (
            <Entry
              key={path}
              id={path}
              label={title}
              icon={<Icon aria-hidden="true" size={14} />}
              onSelect={() => go(path)}
            />
          ))}
          <Entry
            id={PATHS.account}
            label="Account"
            icon={<UserRound aria-hidden="true" size={14} />}
            onSelect={() => go(PATHS.account)}
          />
          {user?.isAdministrator && (
            <Entry
              id={PATHS.admin}
              label="Administration"
              icon={<Server aria-hidden="true" size={14} />}
              onSelect={() => go(PATHS.admin)}
            />
          )}
        </Command.Group>
        {rows.length > 0 && (
          <Command.Group heading="Synchronize" className={GROUP}>
            {rows.map(({ entityLabel, entityLabelTitle, providerId }) => (
              <Entry
                key={entityLabel}
                id={`synchronize ${entityLabel}`}
                hint={providers.find(({ id }) => id === providerId)?.title ?? ''}
                label={`Synchronize ${entityLabelTitle}`}
                icon={<RefreshCw aria-hidden="true" size={14} />}
                onSelect={() => go(withSearch(PATHS.syncs, { details: entityLabel }))}
              />
            ))}
          </Command.Group>
        )}
        <Command.Group heading="Data" className={GROUP}>
          {connected.map((provider) => (
            <ProviderEntries key={provider.key} provider={provider} go={go} />
          ))}
        </Command.Group>
        <Command.Group heading="Commands" className={GROUP}>
          {THEME_CHOICES.map((choice) => (
            <Entry
              key={choice}
              id={`theme ${choice}`}
              label={`Theme: ${choice}`}
              icon={<Sparkles aria-hidden="true" size={14} />}
              onSelect={() => {
                setTheme(choice);
                onClose();
              }}
            />
          ))}
          <Entry
            id="keyboard shortcuts"
            label="Keyboard shortcuts"
            icon={<CircleHelp aria-hidden="true" size={14} />}
            onSelect={onShortcuts}
          />
          <Entry
            id="upgrade"
            label="Upgrade"
            icon={<Sparkles aria-hidden="true" size={14} />}
            onSelect={onUpgrade}
          />
        </Command.Group>
        {others.length > 0 && (
          <Command.Group heading="Not connected" className={GROUP}>
            {others.map((provider) => (
              <ProviderEntries key={provider.key} provider={provider} go={go} />
            ))}
          </Command.Group>
        )}
        {connected.length > 0 && <RecordEntries search={search} providers={providers} go={go} />}
      </Command.List>
    </Command>
  );
}
