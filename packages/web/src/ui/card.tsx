import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface CardProps {
  title?: ReactNode;
  /** Shown to the right of the title. */
  actions?: ReactNode;
  children: ReactNode;
  /** Removes the padding around the content. */
  flush?: boolean;
  /** The content scrolls within the height that `className` sets. */
  scrolls?: boolean;
  className?: string;
  level?: 2 | 3;
}

/** A surface with an optional title. */
export function Card({
  title,
  actions,
  children,
  flush = false,
  scrolls = false,
  className,
  level = 2,
}: CardProps) {
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <section
      className={classNames('flex min-w-0 flex-col rounded-md border bg-surface shadow-low', className)}
    >
      {title !== undefined && (
        <header className="flex min-h-12 flex-wrap items-center justify-between gap-2 border-b px-4 py-2">
          <Heading dir="auto" className="min-w-0 wrap-anywhere text-left text-13 font-semibold">
            {title}
          </Heading>
          {actions}
        </header>
      )}
      <div
        className={classNames(
          'min-w-0 flex-1',
          !flush && 'p-4',
          scrolls && 'min-h-0 overflow-y-auto rounded-b-md',
        )}
      >
        {children}
      </div>
    </section>
  );
}
