import { X } from 'lucide-react';

/** Something that narrows a search. */
export interface ActiveFilter {
  key: string;
  /** What it narrows, e.g. `Label`; empty where the value says it. */
  title: string;
  value: string;
  onRemove: () => void;
}

/** What narrows the search, each as a button that takes it back. */
export function ActiveFilters({
  filters,
  onClear,
}: {
  filters: readonly ActiveFilter[];
  onClear: () => void;
}) {
  if (filters.length === 0) return null;
  return (
    <ul aria-label="Active filters" className="flex flex-wrap items-center gap-1.5">
      {filters.map(({ key, title, value, onRemove }) => (
        <li key={key} className="max-w-full min-w-0">
          <button
            type="button"
            onClick={onRemove}
            className="flex min-h-7 max-w-full items-center gap-1.5 rounded-sm border bg-surface pr-1.5 pl-2 text-13 text-ink transition-colors duration-100 hover:bg-hover max-md:min-h-10"
          >
            <span className="sr-only">Remove </span>
            {title !== '' && <span className="shrink-0 text-ink-3">{title} </span>}
            <span dir="auto" className="min-w-0 truncate">
              {value}
            </span>
            <X aria-hidden="true" size={14} className="shrink-0 text-ink-3" />
          </button>
        </li>
      ))}
      {filters.length > 1 && (
        <li>
          <button
            type="button"
            onClick={onClear}
            className="min-h-7 rounded-sm px-2 text-13 font-medium text-accent-text hover:underline max-md:min-h-10"
          >
            Clear filters
          </button>
        </li>
      )}
    </ul>
  );
}
