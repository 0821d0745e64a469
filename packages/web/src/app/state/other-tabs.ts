import { isSignInToken, sharedToken, TOKEN_KEY } from '../../api/auth-token.ts';
import { selectToken, signedOut } from '../../features/accounts/auth-slice.ts';
import { hasSessionEnded, rememberEndedSession } from './ended-session.ts';
import type { AppStore } from './store.ts';

/**
 * Keeps the page's session in step with the other tabs: signed out there, it is signed out here; with
 * another account there, nothing of the former one stays on this page. Returns what ends it.
 */
export function followOtherTabs(store: AppStore, reload = () => window.location.reload()): () => void {
  function compare(): void {
    const own = selectToken(store.getState());
    const shared = sharedToken();
    // A sign-in under way in another tab: the token that follows in a moment counts.
    if (own === null || own === shared || isSignInToken(shared)) return;
    store.dispatch(signedOut());
    if (shared !== null) reload();
    else if (hasSessionEnded()) rememberEndedSession();
  }
  const onStorage = ({ key }: StorageEvent) => {
    // Without a key, the whole storage was cleared.
    if (key === TOKEN_KEY || key === null) compare();
  };
  // A page that comes back from the browser's memory has heard of nothing meanwhile.
  const onPageShow = ({ persisted }: PageTransitionEvent) => persisted && compare();
  window.addEventListener('storage', onStorage);
  window.addEventListener('pageshow', onPageShow);
  return () => {
    window.removeEventListener('storage', onStorage);
    window.removeEventListener('pageshow', onPageShow);
  };
}
