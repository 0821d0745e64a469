import { useEffect } from 'react';
import { type BlockerFunction, useBlocker, useLocation, useNavigationType } from 'react-router';
import { closeForms, confirmDiscard, hasUnsaved } from '../../ui/unsaved.ts';

/**
 * Returns true if a navigation would lose unsaved input: Back, Forward, or another screen of the dashboard. A form may
 * change the query of its own screen after saving, and the end of a session always proceeds.
 */
const isLoss: BlockerFunction = ({ currentLocation, nextLocation, historyAction }) =>
  hasUnsaved() &&
  nextLocation.pathname.startsWith('/dashboard') &&
  (historyAction === 'POP' || nextLocation.pathname !== currentLocation.pathname);

/** Asks the user before a navigation loses unsaved input. Closes open forms after Back or Forward. */
export function useUnsavedBlocker(): void {
  const { key } = useLocation();
  const how = useNavigationType();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each history entry has its own key
  useEffect(() => {
    if (how === 'POP') closeForms();
  }, [key, how]);
  const blocker = useBlocker(isLoss);
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    void confirmDiscard().then((may) => (may ? blocker.proceed() : blocker.reset()));
  }, [blocker]);
}
