import { BOUNDS } from '@datadeck/contract';
import { Plus, X } from 'lucide-react';
import type { Provider } from '../../api/models.ts';
import { Button } from '../../ui/button.tsx';
import { ChoiceField } from '../../ui/choice-field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { LoadedSelect } from '../../ui/loaded-select.tsx';
import { type Option, Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { accountName, shownAccounts } from '../connections/account-name.ts';
import { useProvidersQuery } from '../connections/connections-api.ts';
import { useTemplatesQuery } from '../templates/templates-api.ts';
import { type BaseDraft, nameProblems, suggestName } from './base-drafts.ts';
import { useViewsQuery } from './views-api.ts';

interface RowProps {
  draft: BaseDraft;
  /** The message for its name. */
  problem: string | undefined;
  onChange: (patch: Partial<BaseDraft>) => void;
}

function NameField({ draft, problem, onChange }: RowProps) {
  return (
    <TextField
      label="Name"
      required
      value={draft.name}
      maxLength={30}
      spellCheck={false}
      error={problem}
      onChange={(event) => onChange({ name: event.target.value.replace(/^\$/, '') })}
    />
  );
}

const TEMPLATE = 'template:';
const VIEW = 'view:';

/** Chooses a template or view of an entity. */
function SourceSelect({ draft, exclude, onChange }: RowProps & { exclude: string | undefined }) {
  const { providerId, entityLabel, templateKey, basedOn, search } = draft;
  const isChosen = entityLabel !== '';
  const templates = useTemplatesQuery({ providerId, entityLabel }, { skip: !isChosen });
  const views = useViewsQuery({ providerId, entityLabel }, { skip: !isChosen });
  const ofTemplates = (templates.currentData ?? []).map(({ templateKey: key, title }) => ({
    value: `${TEMPLATE}${key}`,
    label: title,
  }));
  const ofViews = (views.currentData ?? [])
    .filter((view) => view.entityLabel === entityLabel && view.id !== exclude)
    .map(({ id, title }) => ({ value: `${VIEW}${id}`, label: `View: ${title}` }));
  const options = [...ofTemplates, ...ofViews];
  const value = basedOn ? `${VIEW}${basedOn}` : `${TEMPLATE}${templateKey}`;
  const isSearchable = templates.currentData?.some(
    (one) => one.templateKey === templateKey && one.isSearchable,
  );
  return (
    <>
      <div className="sm:col-span-2">
        <LoadedSelect
          label="Source"
          required
          load={templates}
          failure="The templates could not be loaded."
          disabled={!isChosen}
          placeholder={isChosen ? 'Template or view' : 'Choose an entity first'}
          options={options}
          value={options.find((option) => option.value === value) ?? null}
          onChange={(option) =>
            onChange({
              templateKey: option?.value.startsWith(TEMPLATE) ? option.value.slice(TEMPLATE.length) : '',
              basedOn: option?.value.startsWith(VIEW) ? option.value.slice(VIEW.length) : null,
              search: '',
            })
          }
        />
      </div>
      {(isSearchable || search !== '') && (
        <div className="sm:col-span-2">
          <TextField
            label="Search"
            placeholder="All records"
            spellCheck={false}
            value={search}
            onChange={(event) => onChange({ search: event.target.value })}
          />
        </div>
      )}
    </>
  );
}

/** Chooses the account whose rows are read; nothing while the provider has one. */
function AccountChoice({ provider, draft, onChange }: RowProps & { provider: Provider | undefined }) {
  const accounts = provider ? shownAccounts(provider) : [];
  if (accounts.length < 2) return null;
  return (
    <ChoiceField
      label="Account"
      value={draft.account}
      options={[
        { value: '', label: 'All accounts' },
        ...accounts.map((one) => ({ value: one.account, label: accountName(one) })),
      ]}
      onChange={(account) => onChange({ account })}
    />
  );
}

/** Returns the entities of all providers; their values join the ids of both. */
function entityOptions(providers: readonly Provider[]): Option[] {
  return providers.flatMap(({ key, title, entities }) =>
    entities.map((entity) => ({ value: `${key}/${entity.id}`, label: `${entity.title} · ${title}` })),
  );
}

interface FurtherBaseProps extends RowProps {
  providers: readonly Provider[];
  taken: readonly BaseDraft[];
  exclude: string | undefined;
  onRemove: () => void;
}

function FurtherBase({ providers, taken, exclude, onRemove, ...row }: FurtherBaseProps) {
  const { draft, onChange } = row;
  const options = entityOptions(providers);
  const chosen = `${draft.providerId}/${draft.entityLabel}`;
  return (
    <>
      <NameField {...row} />
      <Select
        label="Entity"
        required
        placeholder="Choose an entity"
        options={options}
        value={options.find(({ value }) => value === chosen) ?? null}
        onChange={(option) => {
          const [providerId = '', entityLabel = ''] = option?.value.split('/') ?? [];
          const others = taken.filter((one) => one !== draft);
          // A name that the user wrote stays.
          const isSuggested = draft.name === '' || draft.name === suggestName(draft.entityLabel, others);
          onChange({
            providerId,
            entityLabel,
            templateKey: '',
            basedOn: null,
            search: '',
            account: '',
            ...(isSuggested && { name: suggestName(entityLabel, others) }),
          });
        }}
      />
      <SourceSelect {...row} exclude={exclude} />
      <AccountChoice {...row} provider={providers.find(({ key }) => key === draft.providerId)} />
      <IconButton
        className="absolute top-2 right-2"
        label={`Remove source ${draft.name}`}
        icon={<X size={14} />}
        onClick={onRemove}
      />
    </>
  );
}

const EMPTY = { providerId: '', entityLabel: '', templateKey: '', basedOn: null, search: '', account: '' };

interface BaseFieldsProps {
  drafts: readonly BaseDraft[];
  onChange: (drafts: BaseDraft[]) => void;
  /** The entity of the first base, and how it is called. */
  first: { entityLabel: string; title: string };
  /** The id of the view that is edited, which cannot be its own base. */
  viewId?: string;
  /** The server's message for the bases. */
  error?: string | undefined;
}

/** Edits the sources of a view beside its first one, with the names by which its query reads them. */
export function BaseFields({ drafts, onChange, first, viewId, error }: BaseFieldsProps) {
  const { data: providers = [] } = useProvidersQuery(undefined, { skip: drafts.length < 2 });
  const problems = nameProblems(drafts);
  const change = (index: number, patch: Partial<BaseDraft>) =>
    onChange(drafts.map((draft, at) => (at === index ? { ...draft, ...patch } : draft)));
  const add = () => {
    const own = { ...EMPTY, name: suggestName(first.entityLabel, []) };
    const before = drafts.length === 0 ? [own] : drafts;
    onChange([...before, { ...EMPTY, name: '' }]);
  };
  const [, ...further] = drafts;
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="text-13 font-medium text-ink-2">Further sources</legend>
      <p className="text-12 text-ink-3">
        Join other data: the query reads each source by its name, such as $mails.
      </p>
      {further.length > 0 && drafts[0] && (
        <div className="grid items-start gap-2 rounded-sm bg-sunken p-3 sm:grid-cols-2">
          <NameField draft={drafts[0]} problem={problems[0]} onChange={(patch) => change(0, patch)} />
          <p className="text-12 text-ink-3 sm:pt-7">
            Also $: <span className="wrap-anywhere text-ink-2">{first.title || 'the first source'}</span>
          </p>
        </div>
      )}
      {further.map((draft, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: names change while the user types; rows have no other identity
          key={index}
          className="relative grid items-start gap-2 rounded-sm bg-sunken p-3 pr-12 sm:grid-cols-2"
        >
          <FurtherBase
            draft={draft}
            problem={draft.name === '' && draft.entityLabel === '' ? undefined : problems[index + 1]}
            providers={providers}
            taken={drafts}
            exclude={viewId}
            onChange={(patch) => change(index + 1, patch)}
            onRemove={() => onChange(further.length === 1 ? [] : drafts.filter((_, at) => at !== index + 1))}
          />
        </div>
      ))}
      {error !== undefined && (
        <p role="alert" className="text-12 text-error-text">
          {error}
        </p>
      )}
      {drafts.length < BOUNDS.viewBases && (
        <Button size="sm" variant="ghost" className="self-start" icon={<Plus size={14} />} onClick={add}>
          Add source
        </Button>
      )}
    </fieldset>
  );
}
