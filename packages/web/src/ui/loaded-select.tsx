import { causeOf } from '../api/failure.ts';
import { LoadFailure } from './load-failure.tsx';
import { Select, type SelectProps } from './select.tsx';

/** The loading state of the options, as a query hook returns it. */
export interface OptionsLoad {
  error?: unknown;
  isLoading: boolean;
  isFetching: boolean;
  refetch: () => unknown;
}

interface LoadedSelectProps extends Omit<SelectProps, 'emptyText'> {
  load: OptionsLoad;
  /** The message for options that could not be loaded. */
  failure: string;
}

/** A select whose options are loaded. An empty list says that they are loading, or why they could not be loaded. */
export function LoadedSelect({ load, failure, ...select }: LoadedSelectProps) {
  const { error, isLoading, isFetching, refetch } = load;
  const hasFailed = error !== undefined;
  const emptyText = hasFailed ? failure : isLoading ? 'Loading...' : undefined;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Select {...select} emptyText={emptyText} />
      {hasFailed && (
        <LoadFailure sentence={failure} detail={causeOf(error)} busy={isFetching} onRetry={refetch} />
      )}
    </div>
  );
}
