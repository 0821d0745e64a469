import type { SettingValues, SyncPlan, UserEntity } from '@datadeck/contract';
import { lazy, Suspense, useMemo, useState } from 'react';
import { causeOf } from '../../api/failure.ts';
import { formatDate } from '../../ui/date-time.tsx';
import { countOf, formatCount, formatDuration } from '../../ui/duration.ts';
import { fetchCode } from '../../ui/fetch-code.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import type { EntityInAccount } from './entity-account.ts';
import { LimitRemedy } from './limit-remedy.tsx';
import { countScopes } from './source-words.ts';
import { fewRunsWords } from './usage-counter.tsx';
import { useSyncPlan } from './use-sync-plan.ts';

const PlanDetailsDialog = lazy(() => fetchCode(() => import('./plan-details-dialog.tsx')));

/** Debounce delay after a setting changes before the provider is asked, ms. */
const PLAN_DEBOUNCE = 600;

/** Rounds an estimated time: to tens of seconds, then whole minutes, then hours. */
function timeOf(seconds: number): string {
  if (seconds < 10) return 'a few seconds';
  if (seconds < 90) return `about ${Math.round(seconds / 10) * 10} s`;
  return `about ${seconds < 5400 ? `${Math.round(seconds / 60)} min` : formatDuration(seconds)}`;
}

/** Says what the plan leaves out: the records beyond its cap, or the scopes beyond their number. */
function cutInWords({ total, cap, scopes }: SyncPlan, entity: PlannedEntity): string {
  if (scopes)
    return scopes.cutCount > 0 ? `; your plan leaves out ${countScopes(scopes.cutCount, entity)}` : '';
  // The cap of a list of scopes is that of each.
  return cap !== null && total !== null && total > cap
    ? `; your plan stops at ${formatCount(cap)} of ${formatCount(total)}`
    : '';
}

type PlannedEntity = Pick<UserEntity, 'title' | 'scopes'>;

/** Returns whether there is nothing to fetch, as far as the provider could be asked. */
function isUnchanged({ incremental, records, scopes }: SyncPlan): boolean {
  const isUnreadable = scopes?.results.some(({ message }) => message !== null) ?? false;
  return incremental && records === 0 && !isUnreadable;
}

/** Describes a plan in a sentence: records, scopes and time. */
export function planSentence(plan: SyncPlan, entity: PlannedEntity): string {
  const { records, seconds, incremental, scopes } = plan;
  const noun = entity.title.toLowerCase();
  if (isUnchanged(plan)) return 'Nothing has changed since the last sync, so this one takes only a moment.';
  const what = incremental
    ? countOf(records, 'changed record', `changed ${noun}`)
    : countOf(records, 'record', noun);
  const cost = [scopes ? `${what} of ${countScopes(scopes.count, entity)}` : what, timeOf(seconds)];
  return `This sync: ${cost.join(', ')}${cutInWords(plan, entity)}.`;
}

/** Describes what a plan costs of the provider's quota: `10,007 units of the provider's quota, 6,000 a minute`. */
function costInWords({ units, unitsPerMinute, points = 0 }: SyncPlan): string {
  const pace = unitsPerMinute === null ? '' : `, which allows ${formatCount(unitsPerMinute)} a minute`;
  const kinds = points > 0 ? ` (${countOf(points, 'point')} of GraphQL)` : '';
  return `${countOf(units, 'unit')} of the provider's quota${kinds}${pace}`;
}

interface SyncPlanLineProps {
  entity: EntityInAccount;
  values: SettingValues;
  /** Sentences that are on screen already, and are not repeated. */
  shown?: readonly (string | undefined)[];
}

/** Shows what a sync with these settings would fetch. Asks the provider while the settings are valid. */
export function SyncPlanLine({ entity, values, shown = [] }: SyncPlanLineProps) {
  const [settled] = useSettled(JSON.stringify(values), PLAN_DEBOUNCE);
  const settledValues = useMemo(() => JSON.parse(settled) as SettingValues, [settled]);
  const { plan, isLoading, error, refetch } = useSyncPlan(entity, settledValues);
  const [isOpen, setIsOpen] = useState(false);
  const few = fewRunsWords(entity.usage);
  const isCut = plan !== undefined && !isUnchanged(plan) && cutInWords(plan, entity) !== '';
  return (
    <div
      aria-live="polite"
      className="mr-auto max-sm:-order-1 flex min-h-8 min-w-0 basis-full flex-col justify-center text-12 sm:flex-1 sm:basis-0"
    >
      {isLoading ? (
        <span className="text-ink-3">Asking the provider how many records there are...</span>
      ) : error !== undefined ? (
        <span className="text-ink-3">
          {shown.includes(causeOf(error)) ? 'This sync would fail again.' : causeOf(error)}{' '}
          <button
            type="button"
            className="rounded-sm font-medium text-accent-text hover:underline"
            onClick={() => void refetch()}
          >
            Try again
          </button>
        </span>
      ) : plan ? (
        <span className="tabular-nums">
          <Tooltip content={costInWords(plan)}>
            <button type="button" className="rounded-sm text-left text-ink-2">
              {planSentence(plan, entity)}
            </button>
          </Tooltip>
          {plan.waitUntil !== null && (
            <span className="text-ink-2"> The provider asks to wait until {formatDate(plan.waitUntil)}.</span>
          )}{' '}
          {plan.scopes && (
            <button
              type="button"
              className="rounded-sm font-medium text-accent-text hover:underline"
              onClick={() => setIsOpen(true)}
            >
              Details
            </button>
          )}
        </span>
      ) : null}
      {(isCut || few !== '') && (
        <span className="text-ink-3 tabular-nums">
          {few} <LimitRemedy />
        </span>
      )}
      {isOpen && plan?.scopes && (
        <Suspense fallback={null}>
          <PlanDetailsDialog scopes={plan.scopes} entity={entity} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
