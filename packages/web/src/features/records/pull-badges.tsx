import type { PullSummary } from '@datadeck/contract';
import { Badge, type Tone } from '../../ui/badge.tsx';

const STATES: Readonly<Record<PullSummary['state'], { title: string; tone: Tone } | undefined>> = {
  open: { title: 'Open', tone: 'success' },
  merged: { title: 'Merged', tone: 'secondary' },
  closed: { title: 'Closed', tone: 'error' },
  unknown: undefined,
};

/** The state of a pull request: open, draft, merged or closed, and whether it waits for a review. */
export function PullBadges({ pull }: { pull: PullSummary }) {
  const state = STATES[pull.state];
  return (
    <>
      {state && <Badge tone={state.tone}>{state.title}</Badge>}
      {pull.isDraft && pull.state !== 'merged' && <Badge>Draft</Badge>}
      {pull.isReviewRequested && <Badge tone="accent">Review requested</Badge>}
    </>
  );
}
