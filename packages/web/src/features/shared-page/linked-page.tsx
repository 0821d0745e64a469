import { useMemo, useSyncExternalStore } from 'react';
import { BrandMark } from '../../ui/brand-mark.tsx';
import { Toasts } from '../../ui/toast.tsx';
import { FailureBoundary } from './failure-boundary.tsx';
import { PageFrame } from './page-frame.tsx';
import { openerOf, parseShareLink } from './share-link.ts';
import { BrokenLink } from './share-notice.tsx';
import { SharedPage } from './shared-page.tsx';

const MARK = <BrandMark className="size-8 shrink-0" />;

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

/** The shared page of the link in the address bar. */
export function LinkedPage() {
  const address = useSyncExternalStore(subscribe, () => window.location.href);
  const open = useMemo(() => {
    const link = parseShareLink(new URL(address));
    return link && openerOf(link);
  }, [address]);
  return (
    <>
      <main className="flex min-h-full flex-col">
        <FailureBoundary>
          {open ? (
            <SharedPage key={address} open={open} mark={MARK} />
          ) : (
            <PageFrame mark={MARK}>
              <BrokenLink />
            </PageFrame>
          )}
        </FailureBoundary>
      </main>
      <Toasts />
    </>
  );
}
