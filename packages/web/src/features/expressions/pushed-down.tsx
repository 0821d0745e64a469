import type { PushedDown } from '@datadeck/contract';
import { Database } from 'lucide-react';
import { formatCount } from '../../ui/duration.ts';

/** Shows which part of an expression the database evaluated, and how many rows remained for the engine. */
export function PushedDownLine({ pushedDown }: { pushedDown: PushedDown }) {
  const { text, rows } = pushedDown;
  return (
    <p className="flex items-start gap-1.5 text-12 text-ink-3">
      <Database aria-hidden="true" size={12} className="mt-0.5 shrink-0" />
      <span className="min-w-0">
        The database evaluated <code className="break-words font-mono text-ink-2">{text}</code> first; the
        expression ran over the remaining {rows === 1 ? 'row' : `${formatCount(rows)} rows`}.
      </span>
    </p>
  );
}
