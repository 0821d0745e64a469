import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { Provider } from 'react-redux';
import { ClientContext } from './client-context.ts';
import { LoadingPage } from './loading-page.tsx';
import { PageFrame } from './page-frame.tsx';
import { PasswordForm } from './password-form.tsx';
import { createShareClient, type OpenShare, type ShareClient } from './share-client.ts';
import { ShareFailure } from './share-notice.tsx';
import { createSharedStore } from './shared-api.ts';
import { ShownPage } from './shown-page.tsx';

interface SharedPageProps {
  /** Obtains the session of the page. The first function is used; another page needs another `key`. */
  open: OpenShare;
  /** Before the title, such as the mark of the product. */
  mark?: ReactNode;
}

/** An open page. Each opening has a store of its own, so that nothing of an earlier session stays. */
function OpenPage({ client, mark }: { client: ShareClient; mark: ReactNode }) {
  const [store] = useState(() => createSharedStore(client));
  return (
    <ClientContext value={client}>
      <Provider store={store}>
        <ShownPage mark={mark} />
      </Provider>
    </ClientContext>
  );
}

/** A view or a board that somebody shares: read-only, and without an account. */
export function SharedPage({ open, mark }: SharedPageProps) {
  const [client] = useState(() => createShareClient(open));
  const state = useSyncExternalStore(client.subscribe, client.getState);
  useEffect(() => void client.open(), [client]);
  if (state.kind === 'open') return <OpenPage client={client} mark={mark} />;
  if (state.kind === 'opening') return <LoadingPage mark={mark} />;
  return (
    <PageFrame mark={mark}>
      {state.kind === 'password' ? (
        <PasswordForm error={state.error} hasExpired={state.hasExpired} onSubmit={client.open} />
      ) : (
        <ShareFailure error={state.error} onRetry={() => void client.open()} />
      )}
    </PageFrame>
  );
}
