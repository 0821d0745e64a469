import type { SearchResult } from '@datadeck/contract';
import { useLocation, useNavigate } from 'react-router';
import { readRecordParameters, recordParameters } from '../../address/record-parameter.ts';
import type { SearchState } from '../../address/search-state.ts';
import type { Provider } from '../../api/models.ts';
import { accountLabel } from '../connections/account-name.ts';
import { RecordReadingDialog } from '../records/record-reading-dialog.tsx';

interface SearchRecordProps {
  search: SearchState;
  providers: readonly Provider[];
  /** The shown results, for going to the previous and the next one. */
  results: readonly SearchResult[];
}

/** The reading view of the record that the address names. */
export function SearchRecord({ search, providers, results }: SearchRecordProps) {
  const navigate = useNavigate();
  const location = useLocation();
  const record = readRecordParameters(search.get);
  if (!record) return null;
  const named = recordParameters(record);
  const index = results.findIndex((result) => {
    const { record: name, of } = recordParameters(result);
    return name === named.record && (named.of === '' || named.of === of);
  });
  const goTo = (result: SearchResult | undefined) =>
    result && index >= 0
      ? () =>
          void navigate(
            { search: withRecord(location.search, result) },
            {
              replace: true,
              state: location.state,
            },
          )
      : undefined;
  const provider = providers.find(({ key }) => key === record.providerId);
  const isFromResults = (location.state as { isFromResults?: boolean } | null)?.isFromResults === true;
  return (
    <RecordReadingDialog
      {...record}
      accountOf={(account) => accountLabel(provider, account)}
      knownTitle={results[index]?.title.map(({ text }) => text).join('') ?? ''}
      providerTitle={provider?.title ?? record.providerId}
      entityTitle={
        provider?.entities.find(({ id }) => id === record.entityLabel)?.title ?? record.entityLabel
      }
      onPrevious={goTo(results[index - 1])}
      onNext={goTo(results[index + 1])}
      onClose={() => {
        // Closing goes back in the browser's history, unless the record was opened by its address.
        if (isFromResults) void navigate(-1);
        else search.set({ record: null, of: null }, { replace: true });
      }}
    />
  );
}

/** Adds a record to the query parameters of the page. */
export function withRecord(parameters: string, result: SearchResult): string {
  const params = new URLSearchParams(parameters);
  for (const [name, value] of Object.entries(recordParameters(result))) params.set(name, value);
  return `?${params}`;
}
