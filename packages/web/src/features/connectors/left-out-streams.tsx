import type { ManifestStream } from '@datadeck/contract';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';

/** Number of streams that are shown at first. */
const SHOWN = 5;

/** The streams of a manifest that were left out, each with its line and the reason. */
export function LeftOutStreams({ streams }: { streams: readonly ManifestStream[] }) {
  const [isWhole, setIsWhole] = useState(false);
  const all = streams.filter(({ isImported }) => !isImported);
  // First those that cannot be imported, then those for which there is no room.
  const leftOut = [
    ...all.filter(({ entities }) => entities.length === 0),
    ...all.filter(({ entities }) => entities.length > 0),
  ];
  if (leftOut.length === 0) return null;
  const shown = isWhole ? leftOut : leftOut.slice(0, SHOWN);
  return (
    <>
      <ul aria-label="Streams left out" className="flex flex-col gap-1.5">
        {shown.map(({ name, line, reason }) => (
          <li key={`${line} ${name}`} className="flex flex-wrap items-baseline gap-x-3 text-13">
            <bdi className="wrap-anywhere font-mono text-12 text-ink">
              {name === '' ? 'Without a name' : name}
            </bdi>{' '}
            <span className="text-12 text-ink-3 tabular-nums">Line {line}</span>{' '}
            <span className="min-w-0 wrap-anywhere text-ink-2">{reason}</span>
          </li>
        ))}
      </ul>
      {leftOut.length > SHOWN && (
        <Button size="sm" className="mt-2" onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${leftOut.length}`}
        </Button>
      )}
    </>
  );
}
