import { useNavigate } from 'react-router';
import { PATHS } from '../../address/paths.ts';
import { useSearchState } from '../../address/search-state.ts';
import { causeOf } from '../../api/failure.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { useAccountFilter } from '../connections/account-filter.tsx';
import { useProvidersQuery } from '../connections/connections-api.ts';
import { EntityFilters } from '../connections/entity-filters.tsx';
import { knownChoice } from '../connections/known-choice.ts';
import { NotConnectedNotice } from '../connections/not-connected-notice.tsx';
import { templateName } from '../templates/kept-by-template.ts';
import { useTemplatesQuery } from '../templates/templates-api.ts';
import { sortingIn } from '../templates/use-sorting.ts';
import { QueryResultsStep } from './query-results-step.tsx';
import { QueryTemplateStep } from './query-template-step.tsx';
import { useDraft } from './use-draft.ts';
import { useKnownInputs } from './use-known-inputs.ts';
import { useLinkedTemplate } from './use-linked-template.ts';

const STEPS = [
  { value: '0', label: 'Templates' },
  { value: '1', label: 'Results' },
] as const;

/** The Query screen: step 0 selects and runs a template, step 1 refines its results. */
export function QueryPage() {
  const navigate = useNavigate();
  const search = useSearchState();
  const { data: providers = [] } = useProvidersQuery();
  const { provider, entity, providerTitle, entityTitle, isConnected } = knownChoice(
    providers,
    search.get('provider'),
    search.get('entity'),
  );
  const templateId = templateName(entity, search.get('template'));
  const accounts = useAccountFilter(provider);
  const [query, setQuery] = useDraft(templateId);
  const knownInputs = useKnownInputs(templateId);
  const goToProviders = () => void navigate(PATHS.providers);
  const isChosen = entity !== '';
  const templates = useTemplatesQuery({ providerId: provider, entityLabel: entity }, { skip: !isChosen });
  const template = isChosen
    ? templates.currentData?.find(({ templateKey }) => templateKey === search.get('template'))
    : undefined;
  const linked = useLinkedTemplate(search, isChosen ? templates.currentData : undefined);
  const isNamed = isChosen && search.get('template') !== '';
  const isLoadingTemplate = isNamed && templates.isFetching && !templates.currentData;
  const step = search.get('step') === '1' ? '1' : '0';
  // Running a template sets the page number in the URL.
  const hasRun = template !== undefined && search.get('page') !== '';

  return (
    <>
      <PageHeader
        title="Query"
        description="Run a template over the synchronized data, then refine it."
        actions={
          <Segmented
            label="Step"
            value={step}
            options={STEPS}
            onChange={(next) => search.set({ step: next === '1' ? 1 : null })}
          />
        }
      />
      {step === '0' ? (
        <QueryTemplateStep
          providers={provider === '' ? providers : providers.filter(({ key }) => key === provider)}
          onChoose={(choice) => search.set({ ...choice, page: null, sort: null, q: null })}
          filters={
            <EntityFilters
              providers={providers}
              provider={provider}
              entity={entity}
              accountsOf={provider}
              onChange={(choice) =>
                search.set({ ...choice, template: null, page: null, sort: null, q: null })
              }
            />
          }
          notice={
            provider !== '' &&
            !isConnected && <NotConnectedNotice providerTitle={providerTitle} onProviders={goToProviders} />
          }
          isChosen={isChosen}
          templates={templates.currentData}
          error={templates.error}
          isRetrying={templates.isFetching}
          onRetry={templates.refetch}
          template={template}
          isLoadingTemplate={isLoadingTemplate}
          providerTitle={providerTitle}
          entityTitle={entityTitle}
          entity={entity}
          account={accounts.account}
          onSelect={(next) => search.set({ template: next.templateKey, page: null, sort: null, q: null })}
          onRun={() => search.set({ step: 1, page: 1 })}
          onMakeView={() => search.set({ open: 'view' })}
        />
      ) : (
        <QueryResultsStep
          // Another template starts with results, an editor and dialogs of its own.
          key={templateId}
          template={template}
          isLoadingTemplate={isLoadingTemplate}
          templateFailure={
            isNamed && templates.error !== undefined
              ? { sentence: causeOf(templates.error), onRetry: templates.refetch }
              : undefined
          }
          hasRun={hasRun}
          page={search.page}
          onPage={(page, options) => search.set({ page }, options)}
          sorting={sortingIn(search)}
          templateId={templateId}
          accounts={accounts}
          search={template?.isSearchable ? search.get('q') : ''}
          onSearch={(q) => search.set({ q, page: 1 }, { replace: true })}
          onTemplates={() => search.set({ step: null })}
          query={query}
          onQueryChange={setQuery}
          knownInputs={knownInputs}
          providerTitle={providerTitle}
          isConnected={isConnected}
          startsSaving={linked.opensSaving(templateId)}
          onSavingClosed={linked.onSavingClosed}
        />
      )}
    </>
  );
}
