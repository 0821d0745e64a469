import { Minus, Pencil, Pin, Plus } from 'lucide-react';
import type { RecordVersion } from '../../api/models.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';

type Kind = RecordVersion['kind'];

export const KIND_TITLES: Record<Kind, string> = {
  added: 'Added',
  updated: 'Updated',
  removed: 'Removed',
  kept: 'Kept',
};

const MARKS: Record<Kind, { tone: Tone; icon: typeof Plus }> = {
  added: { tone: 'success', icon: Plus },
  updated: { tone: 'secondary', icon: Pencil },
  removed: { tone: 'error', icon: Minus },
  kept: { tone: 'neutral', icon: Pin },
};

/** Shows what a sync did to a record: an icon, a word and a colour. */
export function ChangeKindBadge({ kind }: { kind: Kind }) {
  const { tone, icon: Icon } = MARKS[kind];
  return (
    <Badge tone={tone}>
      <Icon aria-hidden="true" size={12} />
      {KIND_TITLES[kind]}
    </Badge>
  );
}
