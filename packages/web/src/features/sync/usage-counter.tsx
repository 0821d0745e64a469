import type { Usage } from '@datadeck/contract';
import { formatCount } from '../../ui/duration.ts';
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

/** Shows 'Limit: used/allowed', with an explanation on hover and focus. */
export function UsageCounter({ usage }: { usage: Usage }) {
  return (
    <Tooltip content={usage.allowed === null ? UNLIMITED : LIMITED}>
      <button
        type="button"
        className="h-7 shrink-0 rounded-sm border bg-sunken px-2 text-12 font-medium text-ink-2 tabular-nums"
      >
        Limit: {usageWords(usage)}
      </button>
    </Tooltip>
  );
}
