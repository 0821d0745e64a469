import type { ConnectorProblem } from '@datadeck/contract';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/duration.ts';

/** Number of problems that are shown at first. */
const SHOWN = 5;

interface ProblemListProps {
  problems: readonly ConnectorProblem[];
  /** Whether the document changed after it was checked. */
  isDirty: boolean;
  onGo: (path: string) => void;
}

/** What is wrong with the document; each leads to its field. */
export function ProblemList({ problems, isDirty, onGo }: ProblemListProps) {
  const [isWhole, setIsWhole] = useState(false);
  if (problems.length === 0) return null;
  const shown = isWhole ? problems : problems.slice(0, SHOWN);
  return (
    <section aria-label="Problems" className="mb-4 rounded-md border bg-surface shadow-low">
      <header className="flex items-center gap-2 px-4 pt-3 text-13 font-semibold">
        <CircleAlert aria-hidden="true" size={16} className="text-error-text" />
        <h2>{countOf(problems.length, 'problem')} to correct</h2>
      </header>
      <ul className="px-2 py-2">
        {shown.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            <button
              type="button"
              onClick={() => onGo(path)}
              className="flex w-full flex-wrap gap-x-3 rounded-sm px-2 py-1 text-left text-13 hover:bg-hover touch:py-2"
            >
              <span className="min-w-0 wrap-anywhere">{message}</span>
              <code className="wrap-anywhere font-mono text-12 leading-5 text-ink-3">{path}</code>
            </button>
          </li>
        ))}
      </ul>
      {(problems.length > SHOWN || isDirty) && (
        <footer className="flex flex-wrap items-center gap-3 px-4 pb-3 text-12 text-ink-3">
          {problems.length > SHOWN && (
            <Button size="sm" onClick={() => setIsWhole(!isWhole)}>
              {isWhole ? 'Show fewer' : `Show all ${problems.length}`}
            </Button>
          )}
          {isDirty && 'The document is checked again when you save it.'}
        </footer>
      )}
    </section>
  );
}
