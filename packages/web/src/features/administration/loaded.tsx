import type { ReactNode } from 'react';
import { causeOf } from '../../api/failure.ts';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { LoadingRows } from '../../ui/skeleton.tsx';

interface LoadedProps<T> {
  load: { data?: T | undefined; error?: unknown; isFetching: boolean; refetch: () => unknown };
  /** Lines of the placeholder. */
  rows: number;
  children: (data: T) => ReactNode;
}

/** Shows what was loaded, a placeholder until then, or why it failed with a button that retries. */
export function Loaded<T>({ load, rows, children }: LoadedProps<T>) {
  const { data, error, isFetching, refetch } = load;
  if (data !== undefined) return children(data);
  if (error === undefined) return <LoadingRows rows={rows} />;
  return (
    <div className="p-4">
      <LoadFailure sentence={causeOf(error)} busy={isFetching} onRetry={refetch} />
    </div>
  );
}
