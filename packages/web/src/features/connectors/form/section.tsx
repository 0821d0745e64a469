import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from '../../../ui/badge.tsx';
import { countOf } from '../../../ui/duration.ts';
import { useFolded } from './use-folded.ts';

interface SectionProps {
  title: ReactNode;
  /** What the section holds, in a few words. */
  note?: string;
  problems: number;
  /** Whether it begins open. */
  isOpen?: boolean;
  /** Path in the document. */
  at?: string;
  children: ReactNode;
}

/** A part of the form that folds. One that begins closed needs `at`, by which its fields are found. */
export function Section({ title, note, problems, isOpen = false, at, children }: SectionProps) {
  const { details, isRendered } = useFolded(isOpen);
  return (
    <details {...details} data-path={at} className="group @container rounded-md border bg-surface shadow-low">
      <summary className="flex min-h-12 cursor-pointer list-none items-center gap-2 rounded-md px-4 py-2 hover:bg-hover [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden="true"
          size={16}
          className="shrink-0 text-ink-3 transition-transform duration-150 group-open:rotate-90"
        />
        <h2 className="min-w-0 shrink-0 max-w-full truncate text-13 font-semibold">{title}</h2>
        <span className="min-w-0 flex-1 truncate text-12 text-ink-3">{note}</span>
        {problems > 0 && <Badge tone="error">{countOf(problems, 'problem')}</Badge>}
      </summary>
      {isRendered && <div className="flex flex-col gap-4 border-t p-4">{children}</div>}
    </details>
  );
}

/** Fields side by side where there is room. */
export function FieldGrid({ children }: { children: ReactNode }) {
  return <div className="grid gap-4 @min-[34rem]:grid-cols-2">{children}</div>;
}
