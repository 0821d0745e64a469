import { PAGE_SIZES, type SearchRequest, type SearchResult, type SearchResults } from '@datadeck/contract';
import { Inbox, Plug, SearchX } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import type { To } from 'react-router';
import { PATHS } from '../../address/paths.ts';
import { causeOf } from '../../api/failure.ts';
import type { Provider } from '../../api/models.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { countOf, formatCount } from '../../ui/duration.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { clampPage, pageCount } from '../../ui/page-window.ts';
import { Pagination } from '../../ui/pagination.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { LoadingResults, ResultList } from './result-list.tsx';
import type { useSearch } from './search-api.ts';
import { choicesIn, removeAllFilters } from './search-text.ts';

type Order = SearchRequest['order'];

const ORDERS = [
  { value: 'relevance', label: 'Relevance' },
  { value: 'newest', label: 'Newest' },
] as const;

interface SearchResultsCardProps {
  request: SearchRequest;
  results: ReturnType<typeof useSearch>;
  /** What can be done with the found records. */
  menu: ReactNode;
  /** Whether any provider is connected. */
  isConnected: boolean;
  providers: readonly Provider[];
  list: RefObject<HTMLOListElement | null>;
  addressOf: (result: SearchResult) => To;
  onOrder: (order: Order) => void;
  onPage: (page: number) => void;
  /** Replaces the text of the search. */
  onText: (text: string) => void;
  /** Removes the choice of provider, entity and account. */
  onAllEntities: () => void;
  /** Goes back to the search box. */
  onBox: () => void;
  onGo: (path: string) => void;
}

function titleOfCard(q: string, data: SearchResults | undefined): string {
  if (!data) return 'Results';
  if (q === '') return 'Newest records';
  if (data.isLimited) return `More than ${formatCount(data.count)} results`;
  return countOf(data.count, 'result');
}

/** Returns how many records of an entity can be found: `1,200 of 5,000 Gmail messages prepared`. */
function progressInWords(
  { entityLabel, indexed, total }: SearchResults['indexing'][number],
  providers: readonly Provider[],
): string {
  const provider = providers.find(({ entities }) => entities.some(({ id }) => id === entityLabel));
  const title = provider?.entities.find(({ id }) => id === entityLabel)?.title.toLowerCase() ?? 'records';
  return `${formatCount(indexed)} of ${formatCount(total)} ${provider?.title ?? ''} ${title} prepared`;
}

/** Says why there are no results, and what to do next. */
function NoResults({ request, onText, onAllEntities, onGo }: SearchResultsCardProps) {
  const { q, providerId, entityLabel, account } = request;
  if (q === '' && providerId === undefined && account === undefined)
    return (
      <EmptyState
        icon={<Inbox size={20} />}
        title="There are no records yet"
        hint="Run a synchronization. Its records can be found here at once."
        action={<Button onClick={() => onGo(PATHS.syncs)}>Go to Synchronizations</Button>}
      />
    );
  const hasFilters = choicesIn(q).length > 0 && removeAllFilters(q) !== '';
  const isNarrowed = providerId !== undefined || entityLabel !== undefined || account !== undefined;
  return (
    <EmptyState
      icon={<SearchX size={20} />}
      title="No record matches this search"
      hint={
        isNarrowed
          ? 'Only a part of your data was searched. Search all of it, or try other words.'
          : 'Check the spelling, try fewer or other words, or remove an operator. To hear of a record that matches later, save the search and watch it.'
      }
      action={
        isNarrowed ? (
          <Button onClick={onAllEntities}>Search all data</Button>
        ) : (
          hasFilters && (
            <Button onClick={() => onText(removeAllFilters(q))}>Search for the words alone</Button>
          )
        )
      }
    />
  );
}

/** Says which search the results are for, if a misspelled one found nothing. */
function Correction({
  q,
  corrected,
  onText,
}: {
  q: string;
  corrected: string;
  onText: (text: string) => void;
}) {
  return (
    <NoticeLine tone="info">
      No results for <bdi className="font-medium wrap-anywhere">{q}</bdi>. Showing results for{' '}
      <button
        type="button"
        onClick={() => onText(corrected)}
        className="rounded-sm font-medium text-accent-text wrap-anywhere hover:underline"
      >
        <bdi>{corrected}</bdi>
      </button>
      .
    </NoticeLine>
  );
}

/** The results of a search: their number and order, the list, and its pages. */
export function SearchResultsCard(props: SearchResultsCardProps) {
  const { request, results, isConnected, providers, list, addressOf, onText } = props;
  if (!isConnected)
    return (
      <Card flush>
        <EmptyState
          icon={<Plug size={20} />}
          title="No provider is connected"
          hint="Connect a provider and synchronize its data to search it."
          action={
            <Button variant="primary" onClick={() => props.onGo(PATHS.providers)}>
              Go to Providers
            </Button>
          }
        />
      </Card>
    );
  const { error, isFetching } = results;
  // Keep showing the previous results while the next ones load.
  const data = error === undefined ? (results.currentData ?? results.data) : undefined;
  const total = pageCount(data?.count ?? 0, PAGE_SIZES.results);
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {data && data.indexing.length > 0 && (
        <NoticeLine tone="info">
          The search is being prepared, and does not find everything yet:{' '}
          {data.indexing.map((one) => progressInWords(one, providers)).join(', ')}.
        </NoticeLine>
      )}
      {data && data.correctedText !== null && (
        <Correction q={request.q} corrected={data.correctedText} onText={onText} />
      )}
      <Card
        flush
        title={<span aria-live="polite">{titleOfCard(request.q, data)}</span>}
        actions={
          request.q !== '' && (
            <span className="flex flex-wrap items-center gap-2">
              {props.menu}
              {data?.count !== 0 && (
                <Segmented label="Order" value={request.order} options={ORDERS} onChange={props.onOrder} />
              )}
            </span>
          )
        }
      >
        {error !== undefined && (
          <div className="p-4">
            <LoadFailure sentence={causeOf(error)} busy={isFetching} onRetry={results.refetch} />
          </div>
        )}
        {!data && error === undefined && <LoadingResults />}
        {data?.count === 0 && <NoResults {...props} />}
        {data && data.count > 0 && (
          <>
            <ResultList
              results={data.results}
              list={list}
              addressOf={addressOf}
              providers={providers}
              onLeave={props.onBox}
            />
            {total > 1 && (
              <div className="flex items-center justify-end border-t p-2">
                <Pagination
                  label="Results pages"
                  page={clampPage(request.page, total)}
                  total={total}
                  onChange={props.onPage}
                />
              </div>
            )}
          </>
        )}
      </Card>
    </div>
  );
}
