import type { WorkSummary } from '@datadeck/contract';
import { Badge, type Tone } from '../../ui/badge.tsx';

const TONES: Readonly<Record<string, Tone>> = {
  open: 'success',
  success: 'success',
  approved: 'success',
  failure: 'error',
  'timed out': 'error',
  'startup failure': 'error',
  'changes requested': 'error',
};

/** What a record of GitHub is, and its state: `Workflow run`, `Failure`. */
export function WorkBadges({ work: { kind, state } }: { work: WorkSummary }) {
  return (
    <>
      <Badge>{kind}</Badge>
      {state !== '' && (
        <Badge tone={TONES[state] ?? 'neutral'}>{state.charAt(0).toUpperCase() + state.slice(1)}</Badge>
      )}
    </>
  );
}
