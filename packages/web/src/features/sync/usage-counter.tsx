import type { Usage } from '@datadeck/contract';
import { formatCount } from '../../ui/duration.ts';
import { Tooltip } from '../../ui/tooltip.tsx';

/** Shows 'Limit: used/allowed', with an explanation on hover and focus. */
export function UsageCounter({ usage }: { usage: Usage }) {
  return (
    <Tooltip content="You may run a limited number of synchronizations, set by your plan. The usage resets every month.">
      <button
        type="button"
        className="h-7 shrink-0 rounded-sm border bg-sunken px-2 text-12 font-medium text-ink-2 tabular-nums"
      >
        Limit: {formatCount(usage.used)}/{formatCount(usage.allowed)}
      </button>
    </Tooltip>
  );
}
