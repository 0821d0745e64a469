import { ChevronLeft, ChevronRight } from 'lucide-react';
import { classNames } from './class-names.ts';
import { formatCount } from './duration.ts';
import { IconButton } from './icon-button.tsx';
import { clampPage, pageWindow } from './page-window.ts';

interface PaginationProps {
  page: number;
  /** Number of pages. */
  total: number;
  onChange: (page: number) => void;
  label?: string;
}

/** Which page of how many, Previous, up to five page numbers, Next. */
export function Pagination({ page, total, onChange, label = 'Pagination' }: PaginationProps) {
  const current = clampPage(page, total);
  const go = (next: number) => onChange(clampPage(next, total));
  return (
    <nav aria-label={label} className="flex items-center gap-0.5">
      {total > 1 && (
        <span className="mr-2 whitespace-nowrap text-12 text-ink-3 tabular-nums">
          Page {formatCount(current)} of {formatCount(total)}
        </span>
      )}
      <IconButton
        label="Previous"
        icon={<ChevronLeft size={16} />}
        disabled={current <= 1}
        onClick={() => go(current - 1)}
      />
      {pageWindow(current, total).map((number) => (
        <button
          key={number}
          type="button"
          aria-label={`Page ${number}`}
          aria-current={number === current ? 'page' : undefined}
          onClick={() => go(number)}
          className={classNames(
            'h-8 min-w-8 rounded-sm px-1.5 text-13 tabular-nums transition-colors duration-100',
            number === current
              ? 'bg-accent-soft font-semibold text-accent-text'
              : 'text-ink-2 hover:bg-hover',
          )}
        >
          {formatCount(number)}
        </button>
      ))}
      <IconButton
        label="Next"
        icon={<ChevronRight size={16} />}
        disabled={current >= total}
        onClick={() => go(current + 1)}
      />
    </nav>
  );
}
