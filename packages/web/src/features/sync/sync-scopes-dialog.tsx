import { SCOPE_LIMITS, type SyncScope } from '@datadeck/contract';
import { useState } from 'react';
import { causeOf } from '../../api/failure.ts';
import type { Sync } from '../../api/models.ts';
import { classNames } from '../../ui/class-names.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { formatCount } from '../../ui/duration.ts';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { pageCount } from '../../ui/page-window.ts';
import { Pagination } from '../../ui/pagination.tsx';
import { LoadingRows } from '../../ui/skeleton.tsx';
import { type DotColour, StatusDot } from '../../ui/status-dot.tsx';
import type { EntityInAccount } from './entity-account.ts';
import { countScopes, messageOf, scopeTitle } from './source-words.ts';
import { useSyncScopesQuery } from './sources-api.ts';

const STATES: Record<SyncScope['status'], { title: string; colour: DotColour }> = {
  waiting: { title: 'Not read yet', colour: 'none' },
  finished: { title: 'Finished', colour: 'success' },
  failed: { title: 'Failed', colour: 'error' },
};

/** Describes what a run found in a scope: `412 records · 20 added, 3 updated`. */
function outcomeOf({ status, summary }: SyncScope): string {
  if (status === 'waiting') return STATES.waiting.title;
  const { added = 0, updated = 0, removed = 0, entitiesSynced } = summary;
  const changes = [
    added > 0 && `${formatCount(added)} added`,
    updated > 0 && `${formatCount(updated)} updated`,
    removed > 0 && `${formatCount(removed)} removed`,
  ].filter((part) => part !== false);
  const records = entitiesSynced === undefined ? '' : `${formatCount(entitiesSynced)} stored`;
  const change = changes.join(', ') || (status === 'finished' ? 'no changes' : '');
  return [records, change].filter(Boolean).join(' · ');
}

function ScopeItem({ scope, entity }: { scope: SyncScope; entity: EntityInAccount }) {
  const { title, colour } = STATES[scope.status];
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 border-b px-4 py-2.5 last:border-b-0">
      <span className="flex min-w-0 items-baseline gap-2.5 text-13 font-medium">
        <StatusDot colour={colour} label={title} />
        <bdi className="min-w-0 wrap-anywhere">{scopeTitle(scope.name, entity)}</bdi>
      </span>
      <span className="ml-4.5 text-12 text-ink-3 tabular-nums">{outcomeOf(scope)}</span>
      {scope.message !== null && (
        <p
          className={classNames(
            'ml-4.5 basis-full text-12 wrap-anywhere',
            scope.status === 'failed' ? 'text-error-text' : 'text-ink-3',
          )}
        >
          {messageOf({ name: scope.name, message: scope.message })}
        </p>
      )}
    </li>
  );
}

interface SyncScopesDialogProps {
  sync: Sync;
  entity: EntityInAccount;
  onClose: () => void;
}

/** The dialog that lists the scopes of a sync with what was read of each, failed ones first. */
export default function SyncScopesDialog({ sync, entity, onClose }: SyncScopesDialogProps) {
  const [page, setPage] = useState(1);
  const { data, error, isFetching, refetch } = useSyncScopesQuery({ id: sync.id, page });
  const total = pageCount(data?.count ?? 0, SCOPE_LIMITS.runPage);
  const { many = '' } = entity.scopes ?? {};
  return (
    <Dialog
      open
      onClose={onClose}
      size="lg"
      title={`${many.charAt(0).toUpperCase()}${many.slice(1)} of #${sync.number}`}
      subtitle={data ? countScopes(data.count, entity) : entity.title}
    >
      <div className="flex flex-col gap-3">
        {error !== undefined && <LoadFailure sentence={causeOf(error)} busy={isFetching} onRetry={refetch} />}
        {!data && error === undefined && <LoadingRows rows={6} />}
        {data && data.results.length > 0 && (
          <ul className="rounded-md border">
            {data.results.map((scope) => (
              <ScopeItem key={scope.name} scope={scope} entity={entity} />
            ))}
          </ul>
        )}
        {data?.results.length === 0 && <p className="text-13 text-ink-3">None of the {many} was read.</p>}
        {total > 1 && (
          <div className="flex justify-end">
            <Pagination
              label={`Pages of ${many}`}
              page={page}
              total={total}
              onChange={(next) => {
                if (!isFetching) setPage(next);
              }}
            />
          </div>
        )}
      </div>
    </Dialog>
  );
}
