import type { ReactNode } from 'react';
import type { Provider } from '../../api/models.ts';
import { type Option, Select } from '../../ui/select.tsx';
import { AccountFilter } from './account-filter.tsx';

interface EntityFiltersProps {
  providers: readonly Provider[];
  provider: string;
  entity: string;
  /** Called with the choice; another provider has other accounts. */
  onChange: (choice: { provider: string; entity: string; account?: null }) => void;
  /** No selection means all providers and entities. */
  allByDefault?: boolean;
  /** Key of the provider among whose accounts the user can choose; empty: all, undefined: no choice. */
  accountsOf: string | undefined;
  /** Further filters, shown after these two. */
  children?: ReactNode;
}

const optionsOf = (items: readonly { id: string; title: string }[]): Option[] =>
  items.map(({ id, title }) => ({ value: id, label: title }));

/** Filters by provider and entity; the provider must be selected first. */
export function EntityFilters({
  providers,
  provider,
  entity,
  onChange,
  allByDefault = false,
  accountsOf,
  children,
}: EntityFiltersProps) {
  const chosen = providers.find(({ key }) => key === provider);
  const providerOptions = optionsOf(providers.map(({ key, title }) => ({ id: key, title })));
  const entityOptions = optionsOf(chosen?.entities ?? []);
  return (
    <div className="flex flex-wrap gap-3 *:flex-[1_1_11rem] sm:*:max-w-64">
      <Select
        label="Provider"
        {...(allByDefault && { placeholder: 'All providers' })}
        clearable
        options={providerOptions}
        value={providerOptions.find(({ value }) => value === provider) ?? null}
        onChange={(option) => {
          const next = providers.find(({ key }) => key === option?.value);
          // Select the entity of a provider that has only one.
          const only = next?.entities.length === 1 ? next.entities[0]?.id : undefined;
          onChange({ provider: option?.value ?? '', entity: only ?? '', account: null });
        }}
      />
      <Select
        label="Entity"
        {...(allByDefault && { placeholder: 'All entities' })}
        clearable
        disabled={chosen === undefined}
        options={entityOptions}
        value={entityOptions.find(({ value }) => value === entity) ?? null}
        onChange={(option) => onChange({ provider, entity: option?.value ?? '' })}
      />
      {accountsOf !== undefined && <AccountFilter provider={accountsOf} />}
      {children}
    </div>
  );
}
