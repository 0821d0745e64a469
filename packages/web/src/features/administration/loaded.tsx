import type { ReactNode } from 'react';
import { causeOf } from '../../api/failure.ts';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { LoadingRows } from '../../ui/skeleton.tsx';

interface LoadedProps<T> {
  load: { currentData?: T | undefined; error?: unknown; isFetching: boolean; refetch: () => unknown };
  /** Lines of the placeholder. */
  rows: number;
  children: (data: T) => ReactNode;
}

/**
 * Shows what was loaded, a placeholder until then, or why it failed with a button that retries. What was loaded before stays below
 * the failure, unless it answered another request.
 */
export function Loaded<T>({ load, rows, children }: LoadedProps<T>) {
  const { currentData, error, isFetching, refetch } = load;
  const isLoaded = currentData !== undefined;
  return (
    <>
      {error !== undefined && (
        <div className="p-4">
          <LoadFailure
            sentence={causeOf(error)}
            detail={isLoaded ? 'What you see below was loaded earlier.' : undefined}
            busy={isFetching}
            onRetry={refetch}
          />
        </div>
      )}
      {!isLoaded && error === undefined && <LoadingRows rows={rows} />}
      {isLoaded && children(currentData)}
    </>
  );
}
