import { useState } from 'react';
import type { View } from '../../api/models.ts';
import { Badge } from '../../ui/badge.tsx';
import { formatCount } from '../../ui/duration.ts';

/** Number of badges shown at first, so that the results stay in view. */
const MAX_SHOWN = 6;

interface DependeesProps {
  view: View;
  onSelect: (viewId: string) => void;
}

/** The views that build on this one, as badges that open them. */
export function Dependees({ view: { dependees }, onSelect }: DependeesProps) {
  const [isWhole, setIsWhole] = useState(false);
  const isLong = dependees.length > MAX_SHOWN + 1;
  const shown = isWhole || !isLong ? dependees : dependees.slice(0, MAX_SHOWN);
  return (
    <div className="min-w-0">
      <dt className="text-12 text-ink-3">Dependees</dt>
      <dd className="mt-0.5 flex flex-wrap gap-1.5">
        {shown.map(({ id, title }) => (
          <button
            key={id}
            type="button"
            title={title}
            className="min-w-0 max-w-full rounded-sm"
            onClick={() => onSelect(id)}
          >
            <Badge tone="accent">
              <span className="truncate">{title}</span>
            </Badge>
          </button>
        ))}
        {isLong && (
          <button
            type="button"
            aria-expanded={isWhole}
            className="rounded-sm"
            onClick={() => setIsWhole(!isWhole)}
          >
            <Badge>{isWhole ? 'Fewer' : `${formatCount(dependees.length - MAX_SHOWN)} more`}</Badge>
          </button>
        )}
      </dd>
    </div>
  );
}
