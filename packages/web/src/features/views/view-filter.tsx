import { LIMITS } from '@datadeck/contract';
import { ListFilter, X } from 'lucide-react';
import type { SearchState } from '../../address/search-state.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { withCondition } from '../../ui/results/value-filter.ts';
import { toasts } from '../../ui/toast.tsx';

/** An expression that selects rows of a view's result. */
export interface ViewFilter {
  /** Such as `$[state = "open"]`; empty: all rows. */
  text: string;
  /** Adds a condition. */
  onFilter: (condition: string) => void;
  onClear: () => void;
}

/** Keeps the filter of a view in the address, so that Back undoes it and a link keeps it. */
export function filterIn(search: SearchState): ViewFilter {
  const text = search.get('filter');
  return {
    text,
    onFilter: (condition) => {
      const filter = withCondition(text, condition);
      if (filter.length <= LIMITS.viewQuery) search.set({ filter, page: null });
      else toasts.error('The filter is too long. Remove it first.');
    },
    onClear: () => search.set({ filter: null, page: null }),
  };
}

/** Says which rows of a view are shown. */
export function ViewFilterLine({ text, onClear }: ViewFilter) {
  if (text === '') return null;
  return (
    <div
      role="status"
      className="flex items-center gap-2 border-b bg-accent-soft py-1 pr-2 pl-4 text-12 text-accent-text"
    >
      <ListFilter aria-hidden="true" size={14} className="shrink-0" />
      <span className="shrink-0">Only rows with</span>
      <code className="min-w-0 flex-1 wrap-anywhere font-mono">{text}</code>
      <IconButton
        label="Remove the filter"
        className="max-sm:size-10"
        icon={<X aria-hidden="true" size={14} />}
        onClick={onClear}
      />
    </div>
  );
}
