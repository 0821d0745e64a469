import { type ReactNode, useEffect } from 'react';
import { LoadingRows, Skeleton } from '../../ui/skeleton.tsx';
import { PageFrame } from './page-frame.tsx';

/** The place of a shared page that is being opened. */
export function LoadingPage({ mark }: { mark: ReactNode }) {
  useEffect(() => {
    document.title = 'Shared page · Datadeck';
  }, []);
  return (
    <PageFrame mark={mark} title={<Skeleton className="h-7 w-60 max-w-full" />}>
      <div className="rounded-md border bg-surface shadow-low">
        <LoadingRows rows={6} words="Opening the shared page..." />
      </div>
    </PageFrame>
  );
}
