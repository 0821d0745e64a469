import { classNames } from './class-names.ts';

/** A grey placeholder for content that is loading. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={classNames('animate-sheen rounded-sm bg-sunken', className)} />;
}

/** Placeholder for a list, with a text for assistive technology and, if requested, for the eye. */
export function LoadingRows({ rows = 5, words = 'Loading...' }: { rows?: number; words?: string }) {
  return (
    <div role="status" className="flex flex-col gap-3 p-4">
      <span className="text-12 text-ink-3">{words}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <Skeleton key={row} className={classNames('h-4', row % 3 === 2 ? 'w-1/2' : 'w-full')} />
      ))}
    </div>
  );
}

/** Placeholder for a list with two-line entries and a search box. */
export function LoadingEntries({ entries = 8 }: { entries?: number }) {
  return (
    <div role="status">
      <span className="sr-only">Loading...</span>
      <div className="border-b p-2">
        <Skeleton className="h-8" />
      </div>
      <div className="flex flex-col gap-0.5 p-2">
        {Array.from({ length: entries }, (_, entry) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
          <div key={entry} className="flex h-13 flex-col justify-center gap-2 px-3">
            <Skeleton className={classNames('h-3', entry % 3 === 1 ? 'w-1/3' : 'w-1/2')} />
            <Skeleton className={classNames('h-3', entry % 3 === 2 ? 'w-3/5' : 'w-4/5')} />
          </div>
        ))}
      </div>
    </div>
  );
}

/** Widths of the tree's placeholder lines. */
const WIDTHS = ['w-4/5', 'w-3/5', 'w-2/5', 'w-3/4', 'w-1/3', 'w-1/2'];

/** Placeholder for a result: toolbar, lines of the given height, and pagination. */
export function LoadingResult({ className }: { className: string }) {
  return (
    <div role="status">
      <div className="flex h-12.25 items-center gap-3 border-b px-3 touch:h-15.75">
        <Skeleton className="h-8 w-32" />
        <span className="text-12 text-ink-3">Loading...</span>
      </div>
      <div className={classNames('overflow-hidden p-3', className)}>
        {Array.from({ length: 24 }, (_, line) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
          <div key={line} className={classNames('flex h-6 items-center', line % 8 > 0 && 'pl-6')}>
            <Skeleton className={classNames('h-3', WIDTHS[line % WIDTHS.length])} />
          </div>
        ))}
      </div>
      <div className="flex h-12.25 items-center justify-end border-t px-3 touch:h-14.25">
        <Skeleton className="h-6 w-48" />
      </div>
    </div>
  );
}
