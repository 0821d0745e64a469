import { ENDPOINTS, PAGE_SIZES, type TokenUses } from '@datadeck/contract';
import { useState } from 'react';
import { causeOf } from '../../api/failure.ts';
import { DateTime } from '../../ui/date-time.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StatusDot } from '../../ui/status-dot.tsx';
import { useTokenUsesQuery } from './tokens-api.ts';

type Use = Pick<TokenUses['results'][number], 'method' | 'path' | 'status'>;

/** Says what readers of a shared page did; undefined for other calls. */
function wordsOf({ path, status }: Use): string | undefined {
  const isDone = status < 400;
  if (path === ENDPOINTS.sharedDownload.path)
    return isDone ? 'File downloaded from the shared page' : 'Download from the shared page refused';
  if (path !== ENDPOINTS.openShare.path) return undefined;
  if (isDone) return 'Shared page opened';
  return status === 403
    ? 'Shared page not opened: no or a wrong password, or no rows left'
    : 'Shared page not opened';
}

/** A call: in words if it belongs to a shared page, else by its path. */
function Called({ use }: { use: Use }) {
  const words = wordsOf(use);
  if (words !== undefined) return <span className="min-w-0 flex-1 wrap-anywhere">{words}</span>;
  return (
    <code className="min-w-0 flex-1 wrap-anywhere font-mono text-12">
      {use.method} {use.path}
    </code>
  );
}

/** The 'Access log' dialog: the calls by API tokens, newest first. */
export function TokenUsesDialog({ onClose }: { onClose: () => void }) {
  const [page, setPage] = useState(1);
  const { data, error, isFetching, refetch } = useTokenUsesQuery(page, { refetchOnMountOrArgChange: true });
  const pages = data ? Math.max(1, Math.ceil(data.count / PAGE_SIZES.results)) : 1;
  return (
    <Dialog
      open
      size="lg"
      onClose={onClose}
      title="Access log"
      subtitle="Calls by your API tokens and links in the last 30 days"
      footer={pages > 1 ? <Pagination page={page} total={pages} onChange={setPage} /> : undefined}
    >
      {error !== undefined && <LoadFailure sentence={causeOf(error)} busy={isFetching} onRetry={refetch} />}
      {!data && error === undefined && (
        <div role="status" className="flex flex-col gap-3">
          <span className="sr-only">Loading...</span>
          <Skeleton className="h-9" />
          <Skeleton className="h-9" />
        </div>
      )}
      {data?.count === 0 && <p className="text-13 text-ink-2">No token has been used yet.</p>}
      {data && data.count > 0 && (
        <ul className="flex flex-col">
          {data.results.map(({ at, tokenId, name, status, times, ...use }, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: calls of one moment have no other identity
              key={`${at} ${tokenId} ${index}`}
              className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 border-b py-2 text-13 last:border-b-0"
            >
              <StatusDot
                colour={status < 400 ? 'success' : 'error'}
                label={status < 400 ? 'Allowed' : 'Refused'}
              />
              <Called use={{ ...use, status }} />
              <span className="text-12 text-ink-2 tabular-nums">
                {status}
                {times > 1 && ` · ${times.toLocaleString('en-GB')} refused, this one last`}
              </span>
              <span className="w-full text-12 text-ink-3 sm:w-auto">
                {name} · <DateTime iso={at} className="tabular-nums" />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
