import { isAlmostUsedUp, limitOf, type Usage } from '@datadeck/contract';
import { countOf, formatCount } from '../../ui/duration.ts';
import { Tooltip } from '../../ui/tooltip.tsx';

const LIMITED =
  'You may run a limited number of synchronizations, set by your plan. The usage resets every month.';
const UNLIMITED = 'Your plan has no limit of synchronizations. The count starts again every month.';

/** Returns used and allowed runs, e.g. `12/300`, or `12 (no limit)`. */
export function usageWords({ used, allowed }: Pick<Usage, 'used' | 'allowed'>): string {
  return allowed === null
    ? `${formatCount(used)} (no limit)`
    : `${formatCount(used)}/${formatCount(allowed)}`;
}

/** Returns a warning when few runs of the month are left, e.g. `Only 5 runs left this month.`; else an empty text. */
export function fewRunsWords(usage: Pick<Usage, 'used' | 'allowed'>): string {
  if (!isAlmostUsedUp(usage)) return '';
  return `Only ${countOf(limitOf(usage.allowed) - usage.used, 'run')} left this month.`;
}

/** Shows 'Limit: used/allowed', with an explanation on hover and focus. */
export function UsageCounter({ usage }: { usage: Usage }) {
  return (
    <Tooltip content={usage.allowed === null ? UNLIMITED : LIMITED}>
      <button
        type="button"
        className="h-7 touch:h-10 shrink-0 rounded-sm border bg-sunken px-2 text-12 font-medium text-ink-2 tabular-nums"
      >
        Limit: {usageWords(usage)}
      </button>
    </Tooltip>
  );
}
