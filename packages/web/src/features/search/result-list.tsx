import type { SearchResult } from '@datadeck/contract';
import type { KeyboardEvent, RefObject } from 'react';
import { Link, type To } from 'react-router';
import type { Provider } from '../../api/models.ts';
import { Badge } from '../../ui/badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import { DateTime, formatAge } from '../../ui/date-time.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { accountLabel } from '../connections/account-name.ts';
import { ProviderMark } from '../connections/provider-mark.tsx';
import { PullBadges } from '../records/pull-badges.tsx';
import { Highlighted } from './highlighted.tsx';
import { ResultFiles, ResultPerson } from './result-details.tsx';
import { WorkBadges } from './work-badges.tsx';

/** Number of labels that a result shows. */
const MAX_LABELS = 4;

const MOVES: Record<string, number> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

interface ResultListProps {
  results: readonly SearchResult[];
  /** The links of the list, for moving between them by keyboard. */
  list: RefObject<HTMLOListElement | null>;
  /** Returns the address that opens a result. */
  addressOf: (result: SearchResult) => To;
  /** They have the marks, the titles of entities and the names of accounts. */
  providers: readonly Provider[];
  /** Called when the user goes back to the search box. */
  onLeave: () => void;
}

/** Returns the links of a list of results. */
export const linksIn = (list: HTMLOListElement | null) => [
  ...(list?.querySelectorAll<HTMLAnchorElement>('a[data-result]') ?? []),
];

interface ResultRowProps extends Pick<ResultListProps, 'addressOf' | 'providers'> {
  result: SearchResult;
  onKeyDown: (event: KeyboardEvent<HTMLAnchorElement>) => void;
}

function ResultRow({ result, addressOf, providers, onKeyDown }: ResultRowProps) {
  const { title, excerpt, labels, occurredAt, providerId, entityLabel, mail, pull, work } = result;
  const provider = providers.find(({ key }) => key === providerId);
  const account = accountLabel(provider, result.account);
  const entity = provider?.entities.find(({ id }) => id === entityLabel);
  const hasFiles = mail !== undefined && mail.fileCount > 0;
  const hasMarks = labels.length > 0 || pull !== undefined || work !== undefined || hasFiles;
  return (
    <li className="relative flex gap-3 border-b px-4 py-3 transition-colors duration-100 last:rounded-b-md last:border-b-0 has-[a:focus-visible]:bg-hover hover:bg-hover">
      <ProviderMark mark={provider?.mark} size="sm" />
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-3 gap-y-0.5">
        <Link
          to={addressOf(result)}
          state={{ isFromResults: true }}
          dir="auto"
          data-result
          onKeyDown={onKeyDown}
          className={classNames(
            'col-span-2 line-clamp-2 wrap-anywhere text-left text-14 text-ink after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-sm focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent-text sm:col-span-1 sm:line-clamp-1',
            mail === undefined ? 'font-medium' : mail.isUnread ? 'font-semibold' : 'font-normal',
          )}
        >
          {title.length > 0 ? <Highlighted pieces={title} /> : 'Without a title'}
        </Link>
        <span className="col-start-2 row-start-2 flex gap-2 text-12 text-ink-3 tabular-nums sm:row-start-1">
          {mail?.isUnread && <span className="sr-only">Unread</span>}
          <span className="hidden lg:inline">{formatAge(occurredAt)}</span>
          <DateTime iso={occurredAt} />
        </span>
        <div className="contents min-w-0 items-center gap-2 text-12 sm:col-span-2 sm:row-start-2 sm:flex">
          <span className="row-start-2 flex min-w-0 gap-2 text-12">
            <ResultPerson result={result} />
            {account !== undefined && (
              <span title={account} className="max-w-24 shrink-0 truncate text-ink-3 sm:max-w-48">
                <span className="sr-only">Account: </span>
                <bdi>{account}</bdi>
              </span>
            )}
          </span>
          <span className="sr-only">{entity?.title ?? entityLabel}</span>
          {hasMarks && (
            <span className="col-span-2 row-start-3 flex min-w-0 flex-wrap items-center gap-1 text-ink-3">
              {pull && <PullBadges pull={pull} />}
              {work && <WorkBadges work={work} />}
              {hasFiles && <ResultFiles mail={mail} />}
              {labels.slice(0, MAX_LABELS).map((label) => (
                <Badge key={label}>
                  <bdi className="max-w-32 truncate">{label}</bdi>
                </Badge>
              ))}
              {labels.length > MAX_LABELS && `+${labels.length - MAX_LABELS}`}
            </span>
          )}
        </div>
        {excerpt.length > 0 && (
          <p dir="auto" className="col-span-2 line-clamp-2 text-left text-13 text-ink-2 wrap-anywhere">
            <Highlighted pieces={excerpt} />
          </p>
        )}
      </div>
    </li>
  );
}

/** The results of a search. Arrows, or `j` and `k`, move between them; Escape goes back to the box. */
export function ResultList({ results, list, onLeave, ...row }: ResultListProps) {
  function onKeyDown(event: KeyboardEvent<HTMLAnchorElement>) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const links = linksIn(list.current);
    const at = links.indexOf(event.currentTarget);
    const move = MOVES[event.key];
    const target = event.key === 'Home' ? 0 : event.key === 'End' ? links.length - 1 : at + (move ?? NaN);
    if (event.key === 'Escape' || target < 0) onLeave();
    else if (Number.isNaN(target)) return;
    else links[target]?.focus();
    event.preventDefault();
  }
  return (
    <ol ref={list} aria-label="Results">
      {results.map((result) => (
        <ResultRow
          key={`${result.providerId} ${result.entityLabel} ${result.account} ${result.recordId}`}
          result={result}
          onKeyDown={onKeyDown}
          {...row}
        />
      ))}
    </ol>
  );
}

/** Placeholder for the results while they load. */
export function LoadingResults() {
  return (
    <div role="status">
      <span className="sr-only">Loading...</span>
      {Array.from({ length: 8 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <div key={index} className="flex gap-3 border-b px-4 py-3 last:border-b-0">
          <Skeleton className="size-6" />
          <div className="flex h-19 flex-1 flex-col justify-around">
            <Skeleton className={index % 3 === 1 ? 'h-3 w-1/3' : 'h-3 w-1/2'} />
            <Skeleton className="h-3 w-1/4" />
            <Skeleton className="h-3 w-full" />
            <Skeleton className="h-3 w-2/3" />
          </div>
        </div>
      ))}
    </div>
  );
}
