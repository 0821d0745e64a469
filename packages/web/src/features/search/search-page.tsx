import {
  PAGE_SIZES,
  parseSearch,
  SEARCH_BOUNDS,
  type SearchRequest,
  type SearchResult,
} from '@datadeck/contract';
import { useEffect, useId, useMemo, useRef } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { PATHS } from '../../address/paths.ts';
import { type SearchState, useSearchState } from '../../address/search-state.ts';
import type { Provider } from '../../api/models.ts';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { pageCount } from '../../ui/page-window.ts';
import { useLastPage } from '../../ui/use-last-page.ts';
import { useSettled } from '../../ui/use-settled.ts';
import { useAccountFilter } from '../connections/account-filter.tsx';
import { useProvidersQuery } from '../connections/connections-api.ts';
import { knownChoice } from '../connections/known-choice.ts';
import { useTimeZone } from '../sign-in/use-time-zone.ts';
import { ActiveFilters } from './active-filters.tsx';
import { completionPart, completionsOf } from './completion.ts';
import { facetChoices } from './facet-choices.ts';
import { FacetPanel } from './facet-panel.tsx';
import { linksIn } from './result-list.tsx';
import { SearchActions } from './search-actions.tsx';
import { useSearch } from './search-api.ts';
import { SearchBox } from './search-box.tsx';
import { SearchHelp } from './search-help.tsx';
import { SearchRecord, withRecord } from './search-record.tsx';
import { SearchRemarks } from './search-remarks.tsx';
import { SearchResultsCard } from './search-results-card.tsx';
import { hasDate } from './search-text.ts';
import { useSearchText } from './use-search-text.ts';

const NO_PROVIDERS: readonly Provider[] = [];
/** Pause of typing after which problems of the text are shown, ms. */
const PROBLEM_DELAY = 800;

/** Returns whether the end of a text is the beginning of a known operator or of one of its fixed values. */
function hasCompletion(text: string): boolean {
  const part = completionPart(text, text.length);
  return part !== undefined && completionsOf(part, [], '').length > 0;
}

/**
 * Returns the text to search for now and its problems. While the user types, an operator at the end that is not complete yet,
 * e.g. `is:unr`, is left out and not reported.
 */
function useProblems(asked: string, isTyping: boolean) {
  const [settled] = useSettled(asked, PROBLEM_DELAY);
  const isSettled = !isTyping || settled === asked;
  return useMemo(() => {
    const isComposing = !isSettled || (isTyping && hasCompletion(asked));
    const { problems } = parseSearch(asked);
    const errors = problems.filter(({ isError }) => isError);
    const [error] = errors;
    const isUnfinished = isComposing && errors.length === 1 && error?.to === asked.length;
    return {
      q: isUnfinished ? asked.slice(0, error?.from).trim() : asked,
      isError: errors.length > 0 && !isUnfinished,
      remarks: isComposing ? (isUnfinished ? [] : errors) : errors.length > 0 ? errors : problems,
    };
  }, [asked, isTyping, isSettled]);
}

function requestOf(search: SearchState, q: string, isTyping: boolean): SearchRequest {
  return {
    q,
    order: search.get('order') === 'newest' ? 'newest' : 'relevance',
    isTyping: isTyping ? 'true' : 'false',
    page: Math.min(search.page, SEARCH_BOUNDS.pages),
    facets: 'true',
  };
}

/** The Search screen: finds records of all connected accounts while the user types. */
export function SearchPage() {
  const navigate = useNavigate();
  const location = useLocation();
  const search = useSearchState();
  const { data: loadedProviders } = useProvidersQuery();
  const providers = loadedProviders ?? NO_PROVIDERS;
  const timeZone = useTimeZone();
  const { text, asked, isTyping, type, finish, searchFor } = useSearchText(search);
  const { q, isError, remarks } = useProblems(asked, isTyping);
  const choice = knownChoice(providers, search.get('provider'), search.get('entity'));
  const { account } = useAccountFilter(choice.provider);
  const isConnected = !loadedProviders || providers.some((provider) => provider.isConnected);
  const request: SearchRequest = {
    ...requestOf(search, q, isTyping),
    ...(choice.provider !== '' && { providerId: choice.provider }),
    ...(choice.entity !== '' && { entityLabel: choice.entity }),
    ...(account !== '' && { account }),
  };
  const results = useSearch(isError || !loadedProviders || !isConnected ? undefined : request);
  const known = results.currentData;
  const shownQ = known?.correctedText ?? q;
  useLastPage(request.page, known && pageCount(known.count, PAGE_SIZES.results), (page, options) =>
    search.set({ page }, options),
  );

  const box = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const remarksId = useId();
  useEffect(() => {
    // A dialog over the page keeps the focus.
    if (!document.querySelector('[role="dialog"]')) box.current?.focus();
  }, []);

  const choose = (next: string) => {
    // An operator without its value is only the beginning of a search.
    if (next.endsWith(':')) type(next);
    else searchFor(next);
    box.current?.focus();
  };
  const addressOf = (result: SearchResult) => ({
    search: withRecord(location.search, result),
  });
  const hasRemarks = remarks.length > 0;
  const choices = facetChoices({ request, text, providers, search, onText: searchFor });

  return (
    <>
      <PageHeader
        title="Search"
        description="Find mails, pull requests and other work of all connected accounts."
      />
      <div className="flex flex-col gap-4">
        <search className="flex flex-col gap-2">
          <SearchBox
            text={text}
            box={box}
            isTyping={isTyping}
            onType={type}
            onFinish={finish}
            onClear={() => searchFor('')}
            onLeave={() => linksIn(list.current)[0]?.focus()}
            isInvalid={isError}
            describedBy={hasRemarks ? remarksId : undefined}
          />
          {hasDate(asked) && (
            <p className="px-1 text-12 text-ink-3">
              Days begin at midnight in {timeZone}.{' '}
              <Link to={PATHS.account} className="font-medium text-accent-text hover:underline">
                Change
              </Link>
            </p>
          )}
          {hasRemarks && <SearchRemarks id={remarksId} text={asked} remarks={remarks} isError={isError} />}
        </search>
        {asked === '' && isConnected && (
          <Card>
            <SearchHelp onChoose={choose} />
          </Card>
        )}
        {!isError && isConnected && <ActiveFilters filters={choices.active} onClear={choices.clear} />}
        {!isError && (
          <div
            className={classNames(
              'grid items-start gap-4',
              isConnected && 'lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-6',
            )}
          >
            {isConnected && (
              <FacetPanel
                facets={results.data?.facets ?? undefined}
                hasFailed={results.error !== undefined}
                choices={choices}
              />
            )}
            <SearchResultsCard
              request={request}
              results={results}
              menu={
                <SearchActions
                  request={request}
                  q={shownQ}
                  facets={results.data?.facets ?? undefined}
                  providers={providers}
                />
              }
              isConnected={isConnected}
              providers={providers}
              list={list}
              addressOf={addressOf}
              onOrder={(order) => search.set({ order: order === 'newest' ? order : null, page: null })}
              onPage={(page) => search.set({ page })}
              onText={choose}
              onAllEntities={() => search.set({ provider: null, entity: null, account: null, page: null })}
              onBox={() => box.current?.focus()}
              onGo={(path) => void navigate(path)}
            />
          </div>
        )}
      </div>
      <SearchRecord search={search} providers={providers} results={results.data?.results ?? []} />
    </>
  );
}
