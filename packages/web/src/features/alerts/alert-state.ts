import type { Alert } from '@datadeck/contract';
import type { DotColour } from '../../ui/status-dot.tsx';

/** The state of an alert in words, with the colour of its dot. */
export function stateOf({
  isPaused,
  snoozedUntil,
  problem,
}: Pick<Alert, 'isPaused' | 'snoozedUntil' | 'problem'>): {
  label: 'Paused' | 'Snoozed' | 'Failing' | 'Watching';
  colour: DotColour;
} {
  if (isPaused) return { label: 'Paused', colour: 'none' };
  if (problem !== null) return { label: 'Failing', colour: 'error' };
  if (snoozedUntil !== null) return { label: 'Snoozed', colour: 'none' };
  return { label: 'Watching', colour: 'success' };
}
