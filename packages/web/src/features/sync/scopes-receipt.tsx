import { ListChecks } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { Sync } from '../../api/models.ts';
import { Button } from '../../ui/button.tsx';
import { formatDay } from '../../ui/date-time.tsx';
import { formatCount } from '../../ui/duration.ts';
import { fetchCode } from '../../ui/fetch-code.ts';
import type { EntityInAccount } from './entity-account.ts';
import { LimitRemedy } from './limit-remedy.tsx';
import { countScopes, groupByMessage, namesInWords, sinceInWords } from './source-words.ts';

const SyncScopesDialog = lazy(() => fetchCode(() => import('./sync-scopes-dialog.tsx')));

interface ScopesReceiptProps {
  sync: Sync;
  entity: EntityInAccount;
}

/** What a sync over a list of scopes could not read, what the plan left out, and the day since which it read. */
export function ScopesReceipt({ sync, entity }: ScopesReceiptProps) {
  const { scopes, since } = sync.summary;
  return (
    <>
      {scopes && scopes.failed.length > 0 && (
        <div className="rounded-sm bg-error-soft px-3 py-2 text-13 text-error-text">
          <p className="font-medium">
            Not read: {countScopes(scopes.failedCount, entity)}. Their stored records are kept.
          </p>
          <ul className="mt-1 flex flex-col gap-1">
            {groupByMessage(scopes.failed, entity).map(({ titles, message }) => (
              <li key={message} className="wrap-anywhere">
                <bdi className="font-medium">{titles}</bdi>: {message}
              </li>
            ))}
          </ul>
          {scopes.failedCount > scopes.failed.length && (
            <p className="mt-1">And {formatCount(scopes.failedCount - scopes.failed.length)} more.</p>
          )}
        </div>
      )}
      {scopes && scopes.cutCount > 0 && (
        <p className="text-13 wrap-anywhere text-ink-2">
          Your plan left out {countScopes(scopes.cutCount, entity)}:{' '}
          {namesInWords(scopes.cut, scopes.cutCount, entity)}. <LimitRemedy />
        </p>
      )}
      {since !== undefined && (
        <p className="text-13 text-ink-2">
          {sinceInWords(entity)} {formatDay(since)}.
        </p>
      )}
    </>
  );
}

/** A button that lists the scopes of a sync with what was read of each; nothing for a sync of one scope by its settings. */
export function AllScopesButton({ sync, entity }: ScopesReceiptProps) {
  const [isOpen, setIsOpen] = useState(false);
  if (!sync.scopes || !entity.scopes) return null;
  return (
    <>
      <Button size="sm" icon={<ListChecks size={14} />} onClick={() => setIsOpen(true)}>
        All {entity.scopes.many}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <SyncScopesDialog sync={sync} entity={entity} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
