import { classNames } from './class-names.ts';

/** A grey shape where content will come. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={classNames('animate-sheen rounded-sm bg-sunken', className)} />;
}

/** Lines in the shape of a list, with words for assistive technology and, where asked, for the eye. */
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
