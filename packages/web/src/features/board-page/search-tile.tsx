import type { SearchResult, SearchTile as Tile } from '@datadeck/contract';
import { SearchX } from 'lucide-react';
import { useRef } from 'react';
import { PATHS, withSearch } from '../../address/paths.ts';
import { recordParameters } from '../../address/record-parameter.ts';
import { causeOf } from '../../api/failure.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { useProvidersQuery } from '../connections/connections-api.ts';
import { LoadingResults, ResultList } from '../search/result-list.tsx';
import { useSearch } from '../search/search-api.ts';
import { TileFrame } from './tile-frame.tsx';
import { TileLink } from './tile-link.tsx';
import type { TileArrangement } from './use-arrangement.ts';

/** The newest matches of a search. */
export function SearchTile({ tile, arrangement }: { tile: Tile; arrangement: TileArrangement | undefined }) {
  const list = useRef<HTMLOListElement>(null);
  const providers = useProvidersQuery().data ?? [];
  const { providerId, entityLabel } = tile;
  const within = {
    ...(providerId !== undefined && { providerId }),
    ...(entityLabel !== undefined && { entityLabel }),
  };
  const address = { q: tile.search, provider: providerId ?? '', entity: entityLabel ?? '' };
  const results = useSearch({
    ...within,
    q: tile.search,
    order: 'newest',
    isTyping: 'false',
    facets: 'false',
    page: 1,
  });
  const data = results.currentData ?? results.data;
  const title = tile.title || tile.search;
  const addressOf = (result: SearchResult) =>
    withSearch(PATHS.search, { ...address, ...recordParameters(result) });
  return (
    <TileFrame
      title={title}
      heading={<TileLink to={withSearch(PATHS.search, { ...address, order: 'newest' })} title={title} />}
      arrangement={arrangement}
    >
      {results.error !== undefined && (
        <div className="p-3">
          <LoadFailure
            sentence={causeOf(results.error)}
            busy={results.isFetching}
            onRetry={results.refetch}
          />
        </div>
      )}
      {!data && results.error === undefined && <LoadingResults />}
      {data?.count === 0 && <EmptyState icon={<SearchX size={20} />} title="No record matches this search" />}
      {data && data.count > 0 && (
        <ResultList
          results={data.results}
          list={list}
          addressOf={addressOf}
          providers={providers}
          onLeave={() => {}}
        />
      )}
    </TileFrame>
  );
}
