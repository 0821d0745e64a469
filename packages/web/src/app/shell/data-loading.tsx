import type { ReactNode } from 'react';
import { useDispatch } from 'react-redux';
import { baseApi } from '../../api/base-api.ts';
import { useProvidersAndSyncs } from '../../features/sync/providers-and-syncs.ts';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { CONTENT_ID } from './skip-link.tsx';

/** Shows its children once the providers and the syncs are loaded. */
export function DataLoading({ children }: { children: ReactNode }) {
  const dispatch = useDispatch();
  const { providers, syncs, isLoaded } = useProvidersAndSyncs();
  const hasFailed = (providers.isError && !providers.data) || (syncs.isError && !syncs.data);
  if (hasFailed)
    return (
      <main id={CONTENT_ID} tabIndex={-1} className="grid flex-1 place-items-center p-6 outline-none">
        <div role="alert" className="flex max-w-sm flex-col items-center gap-4 text-center">
          <h1 className="sr-only">Datadeck</h1>
          <p className="text-balance text-14 text-ink-2">
            An error occurred while loading the data. Please try again later.
          </p>
          <Button variant="primary" onClick={() => dispatch(baseApi.util.resetApiState())}>
            Reload
          </Button>
        </div>
      </main>
    );
  if (!isLoaded)
    return (
      <main
        id={CONTENT_ID}
        tabIndex={-1}
        className="@container mx-auto w-full max-w-[90rem] flex-1 p-4 outline-none md:p-8"
      >
        <h1 className="sr-only">Datadeck</h1>
        <div className="mb-6">
          <Skeleton className="h-7 w-40" />
          <p role="status" className="mt-0.5 text-13 text-ink-3">
            Loading...
          </p>
        </div>
        <div className="grid grid-cols-1 gap-4 @min-[38rem]:grid-cols-2 @min-[56rem]:grid-cols-3">
          <Skeleton className="h-63" />
          <Skeleton className="h-63" />
          <Skeleton className="h-63" />
        </div>
      </main>
    );
  return children;
}
