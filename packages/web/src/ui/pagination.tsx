import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from 'lucide-react';
import { type FormEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from './class-names.ts';
import { formatCount } from './duration.ts';
import { IconButton } from './icon-button.tsx';
import { clampPage, pageWindow } from './page-window.ts';
import { CONTROL } from './text-field.tsx';

/** Returns the classes that hide page numbers on narrow screens, by the number of digits. The page box replaces them. */
function roomOf(total: number): { least: string; outer: string; inner: string } {
  if (total < 100) return { least: 'min-w-48', outer: '@max-[27rem]:hidden', inner: '@max-[18rem]:hidden' };
  if (total < 1000) return { least: 'min-w-54', outer: '@max-[30rem]:hidden', inner: '@max-[20rem]:hidden' };
  return { least: 'min-w-62', outer: '@max-[38rem]:hidden', inner: '@max-[26rem]:hidden' };
}

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

/** The current page number as a text box: enter another number to go there. */
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
        className={classNames(CONTROL, 'h-7 text-center touch:h-10')}
      />
      <span className="whitespace-nowrap">of {formatCount(total)}</span>
    </form>
  );
}

/** Moves the focus to the current page when the pressed button becomes disabled at either end. */
function useFocusKept(): RefObject<HTMLElement | null> {
  const pages = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const focused = document.activeElement;
    if (!(focused instanceof HTMLButtonElement) || !focused.disabled) return;
    if (!pages.current?.contains(focused)) return;
    pages.current.querySelector<HTMLElement>('[aria-current="page"]')?.focus();
    // If the current page is hidden, focus the other button.
    if (document.activeElement === focused || document.activeElement === document.body)
      [...pages.current.querySelectorAll<HTMLElement>('button:not(:disabled)')]
        .find((button) => button.checkVisibility?.())
        ?.focus();
  });
  return pages;
}

/** Page navigation: Previous, up to five page numbers, Next, and for more pages also a page box, the first and the last. */
export function Pagination({ page, total, onChange, label = 'Pagination' }: PaginationProps) {
  const current = clampPage(page, total);
  const go = (next: number) => {
    const target = clampPage(next, total);
    if (target !== current) onChange(target);
  };
  const pages = useFocusKept();
  const shown = pageWindow(current, total);
  const hasMore = total > shown.length;
  const near = pageWindow(current, total, 3);
  const { least, outer, inner } = roomOf(total);
  return (
    <nav ref={pages} aria-label={label} className={classNames(hasMore && `@container flex-1 ${least}`)}>
      <div className="flex flex-wrap items-center justify-end gap-y-1">
        {total > 1 && (
          <div className={classNames('text-12 text-ink-3 tabular-nums', !hasMore && 'mr-auto')}>
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
              className={outer}
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
                'h-8 min-w-8 touch:h-10 touch:min-w-10 rounded-sm px-1.5 text-13 tabular-nums transition-colors duration-100',
                hasMore && (near.includes(number) ? inner : outer),
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
              className={outer}
              icon={<ChevronsRight size={16} />}
              disabled={current >= total}
              onClick={() => go(total)}
            />
          )}
        </div>
      </div>
    </nav>
  );
}
