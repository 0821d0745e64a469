import type { SyncPlan } from '@datadeck/contract';
import { Dialog } from '../../ui/dialog.tsx';
import { formatCount } from '../../ui/duration.ts';
import type { EntityInAccount } from './entity-account.ts';
import { LimitRemedy } from './limit-remedy.tsx';
import { countScopes, messageOf, namesInWords, scopeTitle } from './source-words.ts';

type PlannedScopes = NonNullable<SyncPlan['scopes']>;

/** Describes what a sync would fetch of a scope: `12 to fetch of 412`. */
function fetchedOf({ records, total }: PlannedScopes['results'][number]): string {
  const all = total === null ? '' : ` of ${formatCount(total)}`;
  return `${formatCount(records)} to fetch${all}`;
}

interface PlanDetailsDialogProps {
  scopes: PlannedScopes;
  entity: EntityInAccount;
  onClose: () => void;
}

/** The dialog that lists the scopes of a plan with what a sync would fetch of each. */
export default function PlanDetailsDialog({ scopes, entity, onClose }: PlanDetailsDialogProps) {
  const { count, estimated, results, cut, cutCount } = scopes;
  return (
    <Dialog open onClose={onClose} title="This sync" subtitle={countScopes(count, entity)}>
      <div className="flex flex-col gap-3">
        {estimated < count && (
          <p className="text-13 text-ink-2">
            The sums are estimated from {countScopes(estimated, entity)} of {formatCount(count)}.
          </p>
        )}
        <ul className="rounded-md border">
          {results.map((result) => (
            <li
              key={result.name}
              className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 border-b px-4 py-2 last:border-b-0"
            >
              <bdi className="min-w-0 text-13 wrap-anywhere">{scopeTitle(result.name, entity)}</bdi>
              {result.message === null ? (
                <span className="text-12 text-ink-3 tabular-nums">{fetchedOf(result)}</span>
              ) : (
                <span className="basis-full text-12 wrap-anywhere text-error-text">
                  {messageOf({ name: result.name, message: result.message })}
                </span>
              )}
            </li>
          ))}
        </ul>
        {cutCount > 0 && (
          <p className="text-13 wrap-anywhere text-ink-2">
            Your plan leaves out {countScopes(cutCount, entity)}: {namesInWords(cut, cutCount, entity)}.{' '}
            <LimitRemedy />
          </p>
        )}
      </div>
    </Dialog>
  );
}
