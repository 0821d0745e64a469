import { useEffect } from 'react';
import { type BlockerFunction, useBlocker, useLocation, useNavigationType } from 'react-router';
import { closeForms, confirmDiscard, hasUnsaved } from '../../ui/unsaved.ts';

/** Back and Forward, and what leads to another screen; what a form does itself once it is saved stays on its screen, and a session that ends takes all with it. */
const isLoss: BlockerFunction = ({ currentLocation, nextLocation, historyAction }) =>
  hasUnsaved() &&
  nextLocation.pathname.startsWith('/dashboard') &&
  (historyAction === 'POP' || nextLocation.pathname !== currentLocation.pathname);

/** Asks before going elsewhere while a form holds what was typed and not saved; no form stays open over what Back leads to. */
export function useUnsavedBlocker(): void {
  const { key } = useLocation();
  const how = useNavigationType();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step back has a key of its own
  useEffect(() => {
    if (how === 'POP') closeForms();
  }, [key, how]);
  const blocker = useBlocker(isLoss);
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    void confirmDiscard().then((may) => (may ? blocker.proceed() : blocker.reset()));
  }, [blocker]);
}
