import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

interface HomeRowProps {
  /** Address that the row opens. */
  to: string;
  title: ReactNode;
  /** Second line. */
  hint: ReactNode;
  /** Before the arrow, at the right. */
  value?: ReactNode;
}

/** A row of a card that opens a screen. */
export function HomeRow({ to, title, hint, value }: HomeRowProps) {
  return (
    <li className="border-b last:border-b-0">
      <Link
        to={to}
        className="flex min-h-14 items-center gap-3 px-4 py-2 transition-colors duration-100 hover:bg-hover focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent-text"
      >
        <span className="min-w-0 flex-1">
          <span dir="auto" className="block truncate text-left text-13 font-medium">
            {title}
          </span>
          <span className="block wrap-anywhere text-12 text-ink-3">{hint}</span>
        </span>
        {value}
        <ChevronRight aria-hidden="true" size={14} className="shrink-0 text-ink-3" />
      </Link>
    </li>
  );
}
