import { isSignInToken, sharedToken, TOKEN_KEY } from '../../api/auth-token.ts';
import { selectToken, signedOut } from '../../features/sign-in/auth-slice.ts';
import { hasSessionEnded, rememberEndedSession } from '../../features/sign-in/ended-session.ts';
import type { AppStore } from './store.ts';

/**
 * Keeps this page's session in step with the other tabs: signs out when they sign out, and reloads the page when
 * another account signs in. Returns a function that stops it.
 */
export function followOtherTabs(store: AppStore, reload = () => window.location.reload()): () => void {
  function compare(): void {
    const own = selectToken(store.getState());
    const shared = sharedToken();
    // Another tab is signing in; wait for its session token, which follows soon.
    if (own === null || own === shared || isSignInToken(shared)) return;
    store.dispatch(signedOut());
    if (shared !== null) reload();
    else if (hasSessionEnded()) rememberEndedSession();
  }
  const onStorage = ({ key }: StorageEvent) => {
    // A null key means that the whole storage was cleared.
    if (key === TOKEN_KEY || key === null) compare();
  };
  // A page restored from the back-forward cache has missed all storage events.
  const onPageShow = ({ persisted }: PageTransitionEvent) => persisted && compare();
  window.addEventListener('storage', onStorage);
  window.addEventListener('pageshow', onPageShow);
  return () => {
    window.removeEventListener('storage', onStorage);
    window.removeEventListener('pageshow', onPageShow);
  };
}
