import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from 'lucide-react';
import { type FormEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from './class-names.ts';
import { formatCount } from './duration.ts';
import { IconButton } from './icon-button.tsx';
import { clampPage, pageWindow } from './page-window.ts';
import { CONTROL } from './text-field.tsx';

interface PaginationProps {
  page: number;
  /** Number of pages. */
  total: number;
  onChange: (page: number) => void;
  label?: string;
}

interface PageBoxProps {
  current: number;
  total: number;
  onGo: (page: number) => void;
}

/** The page's number as a box: another one is written into it, and Enter goes there. */
function PageBox({ current, total, onGo }: PageBoxProps) {
  const [written, setWritten] = useState<string | null>(null);
  function submit(event: FormEvent) {
    event.preventDefault();
    const asked = Number.parseInt(written ?? '', 10);
    setWritten(null);
    if (!Number.isNaN(asked)) onGo(asked);
  }
  return (
    <form noValidate onSubmit={submit} className="mr-2 flex items-center gap-1.5">
      <span aria-hidden="true">Page</span>
      <input
        aria-label={`Go to page, 1 to ${formatCount(total)}`}
        title="Go to page"
        inputMode="numeric"
        enterKeyHint="go"
        autoComplete="off"
        value={written ?? current}
        style={{ width: `calc(${String(total).length}ch + 28px)` }}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={({ target }) => setWritten(target.value.replace(/\D/g, '').slice(0, 9))}
        onBlur={() => setWritten(null)}
        className={classNames(CONTROL, 'h-7 text-center')}
      />
      <span className="whitespace-nowrap">of {formatCount(total)}</span>
    </form>
  );
}

/** At either end the pressed button is disabled: its focus goes to the page, instead of getting lost. */
function useFocusKept(): RefObject<HTMLElement | null> {
  const pages = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const focused = document.activeElement;
    if (!(focused instanceof HTMLButtonElement) || !focused.disabled) return;
    if (pages.current?.contains(focused))
      pages.current.querySelector<HTMLElement>('[aria-current="page"]')?.focus();
  });
  return pages;
}

/** Which page of how many, Previous, up to five page numbers, Next; where there are more pages also the way to any of them, the first and the last. */
export function Pagination({ page, total, onChange, label = 'Pagination' }: PaginationProps) {
  const current = clampPage(page, total);
  const go = (next: number) => {
    const target = clampPage(next, total);
    if (target !== current) onChange(target);
  };
  const pages = useFocusKept();
  const shown = pageWindow(current, total);
  const hasMore = total > shown.length;
  // On a phone the box takes the room of two numbers, so that all is one row.
  const near = hasMore ? pageWindow(current, total, 3) : shown;
  return (
    <nav ref={pages} aria-label={label} className="flex flex-wrap items-center justify-end gap-y-1">
      {total > 1 && (
        <div className="mr-auto text-12 text-ink-3 tabular-nums">
          {hasMore ? (
            <PageBox current={current} total={total} onGo={go} />
          ) : (
            <span className="mr-2 whitespace-nowrap">
              Page {formatCount(current)} of {formatCount(total)}
            </span>
          )}
        </div>
      )}
      <div className="flex flex-wrap items-center gap-0.5">
        {hasMore && (
          <IconButton
            label="First"
            className="max-sm:hidden"
            icon={<ChevronsLeft size={16} />}
            disabled={current <= 1}
            onClick={() => go(1)}
          />
        )}
        <IconButton
          label="Previous"
          icon={<ChevronLeft size={16} />}
          disabled={current <= 1}
          onClick={() => go(current - 1)}
        />
        {shown.map((number) => (
          <button
            key={number}
            type="button"
            aria-label={`Page ${number}`}
            aria-current={number === current ? 'page' : undefined}
            onClick={() => go(number)}
            className={classNames(
              'h-8 min-w-8 rounded-sm px-1.5 text-13 tabular-nums transition-colors duration-100',
              !near.includes(number) && 'max-sm:hidden',
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
        {hasMore && (
          <IconButton
            label="Last"
            className="max-sm:hidden"
            icon={<ChevronsRight size={16} />}
            disabled={current >= total}
            onClick={() => go(total)}
          />
        )}
      </div>
    </nav>
  );
}
